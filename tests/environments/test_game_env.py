"""The PettingZoo environment of every game: the tests of PettingZoo, secrets, simultaneous decisions, large offers."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from environments.environment_fixture import ALL, any_game, as_bytes, find_env, load, play_to_the_end, swap_worlds
from games.registered import every_game
from pettingzoo.test import api_test, seed_test

from palatine_server.environments import episode as episode_module
from palatine_server.environments.episode import Episode, rate_standings
from palatine_server.environments.game_env import GameEnv, IllegalAction
from palatine_server.games.kit import Game, Standing
from palatine_server.simulation import derive_seed

CASTLES, SPICES = ALL["between_two_castles"], ALL["spice_market"]


@any_game
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array")  # it is a dict with the mask, as in chess
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be")
@pytest.mark.filterwarnings("ignore:Action mask is all zeros")  # of agents whose turn it is not
@pytest.mark.filterwarnings("ignore:The observation contains negative numbers")
def test_the_tests_of_pettingzoo_pass(game: Game) -> None:
    api_test(GameEnv(game), num_cycles=40)
    seed_test(lambda: GameEnv(game, game.players[-1], width=16), num_cycles=20)


@any_game
def test_games_end_with_rewards_that_cancel_out(game: Game) -> None:
    env = GameEnv(game, width=8)  # so narrow that many offers are chosen in groups
    env.reset(seed=3)
    rewards = play_to_the_end(env, 1)
    assert sum(rewards.values()) == pytest.approx(0, abs=1e-9)
    assert len(rewards) == game.players[0]
    assert env.agents == []


def test_every_action_can_be_chosen_in_groups() -> None:
    """A mask of 2 places leads to the same games as a mask of 512."""
    wide, narrow = find_env(CASTLES.name, 3), find_env(CASTLES.name, 3, 2)
    for env in (wide, narrow):
        env.reset(seed=5)
    for number in (35, 17, 0):
        offered = wide.list_actions()[number]
        wide.step(number)
        agent, before = narrow.agent_selection, narrow.episode.actions
        while narrow.episode.actions == before:
            assert narrow.agent_selection == agent
            group = [narrow.window.count_actions(each) for each in range(len(narrow.window))]
            chosen, number = (0, number) if number < group[0] else (1, number - group[0])
            if narrow.window.step == 1:
                assert narrow.list_actions()[chosen] == offered
            narrow.step(chosen)
        assert narrow.episode.view(0) == wide.episode.view(0)


def test_the_features_tell_groups_and_their_first_actions() -> None:
    env = find_env(CASTLES.name, 3, 8)
    env.reset(seed=1)
    observation = env.observe("player_0")
    assert observation["action_mask"].tolist() == [1] * 6 + [0] * 2  # 9 + 36 actions in groups of 8
    assert observation["action_features"][:, 0].tolist() == [8, 8, 8, 8, 8, 5, 0, 0]
    assert len({row.tobytes() for row in observation["action_features"][:6]}) == 6


@any_game
def test_different_actions_have_different_features(game: Game) -> None:
    env, rng, compared = GameEnv(game), Random(1), 0
    env.reset(seed=2)
    for _ in range(60):
        if env.episode.seat is None:
            break
        rows = env.observe(env.agent_selection)["action_features"][: len(env.window)]
        assert len({row.tobytes() for row in rows}) == len(rows), env.list_actions()
        compared += len(rows)
        env.step(rng.randrange(len(rows)))
    assert compared > 10


def test_an_illegal_action_changes_nothing() -> None:
    env = find_env(CASTLES.name, 3)
    env.reset(seed=1)
    before = as_bytes(env.observe("player_0"))
    for wrong in (45, -1, None, True, 1.0, "0"):
        with pytest.raises(IllegalAction, match="choose a number from 0 to 44"):
            env.step(wrong)  # type: ignore[arg-type]
    assert as_bytes(env.observe("player_0")) == before
    env.step(np.int64(44))
    assert env.agent_selection == "player_1"


def test_an_environment_must_be_reset_first() -> None:
    with pytest.raises(RuntimeError, match=r"reset\(\)"):
        GameEnv(SPICES).observe("player_0")


def test_a_seed_begins_a_run_of_games() -> None:
    env, seeds = GameEnv(SPICES, 2), []
    for seed in (7, None, None, 7, None):
        env.reset(seed=seed)
        seeds.append(env.episode.play.document.chance.seed)
    assert seeds == [derive_seed(7, number) for number in (0, 1, 2, 0, 1)]


def test_without_a_seed_every_run_is_another_one() -> None:
    env, other = GameEnv(SPICES, 2), GameEnv(SPICES, 2)
    for each in (env, other):
        each.reset()
    assert env.episode.play.document.chance.seed != other.episode.play.document.chance.seed


def test_a_copy_goes_its_own_way() -> None:
    env = find_env(CASTLES.name, 2)
    env.reset(seed=1)
    copy, before = env.copy(), as_bytes(env.observe("player_1"))
    copy.step(0)
    copy.step(0)
    assert (env.agent_selection, env.episode.actions, copy.episode.actions) == ("player_0", 0, 2)
    assert as_bytes(env.observe("player_1")) == before
    assert as_bytes(copy.observe("player_1")) != before


# Simultaneous decisions


def test_simultaneous_decisions_do_not_see_each_other() -> None:
    env = find_env(CASTLES.name, 3)
    seen = []
    for first in (0, 35):
        env.reset(seed=1)
        before = env.episode.view(2)
        env.step(first)
        env.step(first)
        assert env.agent_selection == "player_2"
        assert env.episode.view(2) == before  # not even that the others have chosen
        seen.append(as_bytes(env.observe("player_2")))
    assert seen[0] == seen[1]
    assert env.episode.view(0).board["chosen"] == [True, True, False]  # who has acted sees the table as it is


def test_partners_who_share_a_castle_see_what_changes_their_offer() -> None:
    """When the first partner has placed a tile, the other one must not choose the same cell."""
    episode = Episode(CASTLES, 2, derive_seed(1, 0))
    while episode.play.board.phase != "place":
        episode.act(CASTLES.read_action(episode.offer[0].nth(0)))
    assert (episode.seat, episode.view(1).waiting) == (0, (0, 1))
    shared = next(choice for choice in episode.offer if choice.do == "place" and choice.fields["castle"] == [0])
    episode.act(CASTLES.read_action(shared.nth(0)))
    assert episode.seat == 1
    assert len(episode.view(1).board["castles"][0]["rooms"]) == len(episode.play.board.castles[0].rooms)


def test_a_game_that_is_too_long_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(episode_module, "MOST_ACTIONS", 3)
    env = find_env(CASTLES.name, 2)
    env.reset(seed=1)
    for _ in range(3):
        env.step(0)
    assert [*env.truncations.values()] == [True, True]
    assert [*env.terminations.values()] == [False, False]
    assert [*env.rewards.values()] == [0, 0]


# Secrets


@every_game
def test_observations_do_not_depend_on_secrets(game: Game) -> None:
    """Law 3: in worlds that differ only in what a seat may not know, it observes the same bytes."""
    others_differ = 0
    for seed in range(10):
        if seed >= 3 and others_differ:
            break
        players, viewer, *worlds = swap_worlds(game.name, seed)
        here, there = (load(game, players, world) for world in worlds)
        for agent in here.possible_agents:
            same = as_bytes(here.observe(agent)) == as_bytes(there.observe(agent))
            if agent == f"player_{viewer}":
                assert same
                words = [env.describe(agent, lang) for env in (here, there) for lang in ("en", "de")]
                assert words[:2] == words[2:]
            else:
                others_differ += not same
    assert others_differ, "the swap changed no hand, so this test proves nothing"


@pytest.mark.parametrize(
    ("ranks", "wins", "places"),
    [
        ([1, 2, 3], [2 / 3, -1 / 3, -1 / 3], [1, 0, -1]),
        ([1, 1, 3], [1 / 6, 1 / 6, -1 / 3], [0.5, 0.5, -1]),
        ([1, 1], [0, 0], [0, 0]),
        ([2, 1, 2, 4], [-0.25, 0.75, -0.25, -0.25], [0, 1, 0, -1]),
    ],
)
def test_rewards_of_standings(ranks: list[int], wins: list[float], places: list[float]) -> None:
    rows = [Standing(seat, 10 * seat, rank) for seat, rank in enumerate(ranks)]
    assert rate_standings(rows, "win") == pytest.approx(wins)
    assert rate_standings(rows, "rank") == pytest.approx(places)
    assert rate_standings(rows, "score") == [10.0 * seat for seat in range(len(ranks))]
