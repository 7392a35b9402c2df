"""Whole games played by bots: repeatable, alone and in company, and honest about what went wrong."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from palatine_server import simulation
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.kit import Chance, Play, Standing
from palatine_server.games.registry import GAMES
from palatine_server.simulation import (
    Match,
    MatchOutcome,
    compute_digest,
    compute_spread,
    create_draw,
    derive_seed,
    play_match,
    run_match,
    run_matches,
    split_victory,
    summarize_outcomes,
)

NAME = BETWEEN_TWO_CASTLES.name


def match(players: int = 3, number: int = 0, policy: str = "random", **changed: object) -> Match:
    fields = {"game": NAME, "players": players, "seed": derive_seed(1, number), "policies": [policy] * players}
    return Match(**{**fields, **changed})  # type: ignore[arg-type]


def matches() -> list[Match]:
    return [match(players, number) for number, players in enumerate((2, 3, 4, 2, 3, 7))]


def essence(result: MatchOutcome) -> tuple[object, ...]:
    """All but the time it took."""
    return result.match, result.actions, result.standings, result.digest, result.failure


def finished(players: int, actions: int, *ranked: tuple[int, int]) -> MatchOutcome:
    standings = [Standing(seat, score, rank) for seat, (score, rank) in enumerate(ranked)]
    return MatchOutcome(match=match(players), seconds=0.5, actions=actions, standings=standings, digest=actions)


@pytest.fixture
def broken(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Match]:
    """Puts a game with something wrong into the registry and gives a match of it."""

    def put(**wrong: object) -> Match:
        monkeypatch.setitem(GAMES, "broken", replace(BETWEEN_TWO_CASTLES, name="broken", **wrong))
        return match(game="broken")

    return put


# Chance


def test_the_seed_of_a_game_is_the_sha_256_of_run_and_number() -> None:
    assert (
        derive_seed(1, 0) == "18d6e1cac2a8adaf25577cca14db7753507f4f03a288124ce9fe2d60babd7bb0"
    )  # printf 1/0 | sha256sum
    assert len({derive_seed(run, number) for run in range(20) for number in range(20)}) == 400


def test_bots_draw_as_written_down() -> None:
    draw = create_draw(derive_seed(1, 0))
    assert [draw(1000) for _ in range(5)] == [778, 564, 365, 494, 41]


def test_bots_do_not_draw_from_the_chance_of_the_game() -> None:
    seed = derive_seed(1, 0)
    draw, game = create_draw(seed), Chance(seed)
    assert [draw(1000) for _ in range(9)] != [game.below(1000, "bots") for _ in range(9)]


def test_the_policies_do_not_change_what_the_game_itself_draws() -> None:
    one, other = (
        play_match(match(policies=policies))[0] for policies in (["random"] * 3, ["greedy", "random", "random"])
    )
    assert [castle.throne for castle in one.board.castles] == [castle.throne for castle in other.board.castles]


# One game


def test_the_same_match_has_the_same_outcome() -> None:
    assert essence(run_match(match())) == essence(run_match(match()))


def test_another_seed_makes_another_game() -> None:
    assert run_match(match(number=0)).digest != run_match(match(number=1)).digest


def test_options_reach_the_game() -> None:
    assert play_match(match(options={"takeback": False}))[0].board.options.takeback is False


def test_a_played_match_is_over_and_has_told_no_old_news() -> None:
    play, actions = play_match(match())
    assert play.is_over
    assert play.told == []
    assert actions > 3 * 8 * 2  # everybody chooses and places in eight turns


# What can go wrong


def test_a_crash_is_part_of_the_outcome_and_names_the_action(broken: Callable[..., Match]) -> None:
    def check(play: Play) -> None:  # type: ignore[type-arg]
        if play.board.round == 2:
            raise AssertionError("a tile is lost")

    failure = run_match(broken(check=check)).failure
    assert "AssertionError: a tile is lost" in failure
    assert "was to act: " in failure


def test_pieces_are_counted_after_every_action(broken: Callable[..., Match]) -> None:
    counted: list[object] = []
    result = run_match(broken(check=counted.append))
    assert len(counted) == result.actions


def test_a_policy_that_cannot_decide_is_a_failure(broken: Callable[..., Match]) -> None:
    def lost(*_: object) -> None:
        raise LookupError("no idea")

    assert "LookupError: no idea" in run_match(broken(policies={"random": lost})).failure


def test_an_illegal_action_of_a_bot_is_a_failure(broken: Callable[..., Match]) -> None:
    def cheats(play: Play, *_: object) -> object:  # type: ignore[type-arg]
        return play.game.read_action({"do": "choose", "tiles": ["crypt", "crypt"]})

    assert "Refused" in run_match(broken(policies={"random": cheats})).failure


def test_a_game_that_waits_for_nobody_is_a_dead_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Play, "waiting_for", lambda self: [])
    assert "DeadEnd: The game is not over, but nobody has anything to decide." in run_match(match()).failure


def test_a_game_without_end_is_a_dead_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(simulation, "MOST_ACTIONS", 10)
    assert "DeadEnd: The game is not over after 10 actions." in run_match(match()).failure


# Many games


def test_several_processes_play_the_same_games_in_the_same_order() -> None:
    alone, together = ([*map(essence, run_matches(matches(), jobs))] for jobs in (1, 2))
    assert alone == together


def test_a_game_of_a_run_can_be_played_alone() -> None:
    run = [*run_matches(matches(), 1)]
    assert essence(run_match(matches()[4])) == essence(run[4])


def test_a_run_can_be_left_before_its_end() -> None:
    playing = run_matches([match(2, number) for number in range(40)], 2)
    assert not next(playing).failure
    playing.close()


def test_the_digest_of_a_run_depends_on_every_game_and_their_order() -> None:
    one, other = finished(2, 10, (5, 1), (4, 2)), finished(2, 11, (5, 1), (4, 2))
    assert (
        len(
            {
                compute_digest([one, other]),
                compute_digest([other, one]),
                compute_digest([one]),
                compute_digest([one, one]),
            }
        )
        == 4
    )


# What they add up to


def test_shared_first_places_count_as_fractions() -> None:
    assert split_victory(finished(3, 9, (20, 1), (20, 1), (7, 3))) == [0.5, 0.5, 0.0]


def test_a_spread_is_least_median_mean_and_most() -> None:
    numbers = compute_spread([1, 2, 9, 4])
    assert (numbers.least, numbers.median, numbers.mean, numbers.most) == (1, 3.0, 4.0, 9)


def test_games_are_summed_up_by_number_of_players() -> None:
    run = [
        finished(3, 30, (9, 1), (6, 2), (3, 3)),
        finished(2, 20, (8, 2), (9, 1)),
        finished(3, 50, (1, 3), (9, 1), (9, 1)),
    ]
    two, three = summarize_outcomes(run)
    assert (two.players, two.games, two.wins) == (2, 1, [0.0, 1.0])
    assert (three.players, three.games, three.wins) == (3, 2, [1.0, 0.5, 0.5])
    assert (three.actions.least, three.actions.most, three.scores.mean) == (30, 50, 37 / 6)
    assert three.actions_per_second == 80 / 1.0


def test_the_score_of_a_seat_without_a_player_is_no_score_but_its_victory_counts() -> None:
    (two,) = summarize_outcomes([finished(2, 20, (8, 2), (7, 3), (30, 1))])
    assert two.scores.most == 8
    assert two.wins == [0.0, 0.0, 1.0]
