"""Resampled environments: the agent sees the same, and nothing in them depends on what it cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from environments.environment_fixture import ALL, as_bytes, find_env, load, swap_worlds
from games.registered import every_game

from palatine_server.environments.encoder import GameEncoder
from palatine_server.environments.game_env import GameEnv
from palatine_server.games.kit import Chance, Game, GameError

CASTLES = ALL["between_two_castles"]
STEPS = 12


def require_same_games(here: GameEnv, there: GameEnv, steps: int = STEPS) -> int:
    """Play on with the same actions, and compare all that every agent observes; return the number of steps."""
    rng, played = Random(1), 0
    while True:
        for agent in here.possible_agents:
            assert as_bytes(here.observe(agent)) == as_bytes(there.observe(agent))
            assert here.describe(agent) == there.describe(agent)
        assert here.agent_selection == there.agent_selection
        assert here.rewards == there.rewards
        if here.episode.seat is None or played == steps:
            return played
        number = rng.randrange(len(here.window))
        assert here.list_actions() == there.list_actions()
        here.step(number)
        there.step(number)
        played += 1


@every_game
def test_worlds_that_an_agent_cannot_tell_apart_give_the_same_environment(game: Game) -> None:
    played = 0
    for seed in range(2):
        players, viewer, *documents = swap_worlds(game.name, seed)
        agent, worlds = f"player_{viewer}", [load(game, players, document) for document in documents]
        guesses = [world.resample(agent, seed=7) for world in worlds]
        for world, guess in zip(worlds, guesses, strict=True):
            assert as_bytes(guess.observe(agent)) == as_bytes(world.observe(agent))
            assert guess.describe(agent) == world.describe(agent)
        assert game.pack(guesses[0].episode.play) == game.pack(guesses[1].episode.play)
        played += require_same_games(*guesses)
    assert played > 1


def begin_round(first: int) -> GameEnv:
    """Return a game of Castles in which two of three players have chosen, the first of them in this way."""
    env = find_env(CASTLES.name, 3)._copy_settings()
    env.reset(seed=1)
    env.step(first)
    env.step(first)
    return env


def test_what_others_have_just_done_does_not_leak() -> None:
    """The agent does not see yet what they chose, so they choose again."""
    worlds = [begin_round(first) for first in (0, 35)]
    guesses = [world.resample("player_2", seed=3) for world in worlds]
    for world, guess in zip(worlds, guesses, strict=True):
        assert guess.episode.view(2) == world.episode.view(2)
        assert as_bytes(guess.observe("player_2")) == as_bytes(world.observe("player_2"))
    require_same_games(*guesses, steps=3)
    guess = worlds[0].resample("player_2", seed=3)
    order = []
    for _ in range(3):
        order.append(guess.agent_selection)
        guess.step(0)
    assert order == ["player_2", "player_0", "player_1"]


def test_an_agent_that_has_decided_keeps_its_decision() -> None:
    env = begin_round(5)
    guess = env.resample("player_0", seed=3)
    assert guess.episode.view(0) == env.episode.view(0)
    assert guess.episode.play.board.chosen == [True, True, False]
    assert guess.episode.play.document.hands[0] == env.episode.play.document.hands[0]
    assert guess.agent_selection == "player_2"
    assert guess.list_actions() != env.list_actions()  # another hand


def test_a_group_of_actions_stays_open_for_the_agent_only() -> None:
    env = find_env(CASTLES.name, 3, 8)
    env.reset(seed=1)
    env.step(2)
    assert (env.window.low, env.window.high) == (16, 24)
    guess, other = env.resample("player_0"), env.resample("player_1")
    assert guess.list_actions() == env.list_actions()
    assert (other.window.low, other.agent_selection) == (0, "player_0")
    guess.step(3)
    assert (guess.agent_selection, env.agent_selection) == ("player_1", "player_0")


def list_reachable(item: Any, seen: dict[int, Any]) -> Iterator[Any]:
    """Yield everything that an object holds, but not games, which are the same for all."""
    if id(item) in seen or isinstance(item, type | Game) or callable(item):
        return
    seen[id(item)] = item
    yield item
    names = [name for kind in type(item).__mro__ for name in getattr(kind, "__slots__", ())]
    names += getattr(item, "__struct_fields__", ())
    parts = [getattr(item, name, None) for name in names]
    parts += [*vars(item).values()] if hasattr(item, "__dict__") else []
    if isinstance(item, dict):
        parts += [*item.keys(), *item.values()]
    elif isinstance(item, list | tuple | set | frozenset):
        parts += [*item]
    for part in parts:
        yield from list_reachable(part, seen)


def test_nothing_of_the_original_can_be_reached() -> None:
    env = begin_round(5)
    env.resample("player_1", seed=1).observe("player_1")
    guess = env.resample("player_0", seed=3)
    reached = [*list_reachable(guess, {})]
    document = env.episode.play.document
    hidden = [env.episode, env.episode.play, document, document.chance, document.box, *document.hands, env.window]
    hidden += [env.encoder, env._encoders["player_1"], env.episode._beginning, env.episode.view(2)]
    assert {id(each) for each in reached}.isdisjoint(map(id, hidden))
    assert sum(isinstance(each, GameEncoder) for each in reached) == 1
    assert document.chance.seed in [each for each in list_reachable(env, {}) if isinstance(each, str)]
    assert document.chance.seed not in [each for each in reached if isinstance(each, str)]
    assert sum(isinstance(each, Chance) for each in reached) == 1
    assert (guess._run, guess._number) == (-1, 0)


def test_the_seed_decides_what_is_drawn() -> None:
    env = begin_round(5)
    seeds = [env.resample("player_0", seed).episode.play.document.chance.seed for seed in (1, 1, 2, None, None)]
    assert seeds[0] == seeds[1]
    assert len({*seeds, env.episode.play.document.chance.seed}) == 5


def test_a_game_that_cannot_be_redrawn_says_so() -> None:
    env = GameEnv(ALL["spice_market"])
    env.reset(seed=1)
    before = as_bytes(env.observe("player_0"))
    with pytest.raises(GameError, match="'spice_market' has no redraw"):
        env.resample("player_0")
    assert as_bytes(env.observe("player_0")) == before
