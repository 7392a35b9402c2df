"""Every registered game, every seat count: the laws of DESIGN.md."""

from dataclasses import replace
from typing import Any

import pytest
from games import laws
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palatine_server.games.between_two_castles.seats import castles_of, deciders
from palatine_server.games.kit import Action, Game, Seat
from palatine_server.games.registry import GAMES

WIDEST_OFFER = 2_000  # bytes of msgpack
ANY_SEED = st.integers(0, 2**64)
every_table = pytest.mark.parametrize(
    ("game", "players"),
    [pytest.param(game, players, id=f"{game.name}-{players}") for game in GAMES.values() for players in game.players],
)
a_few = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@every_table
@a_few
@given(seed=ANY_SEED)
def test_told_is_seen(game: Game, players: int, seed: int) -> None:
    laws.told_is_seen(game, players, seed)


@every_table
@a_few
@given(seed=ANY_SEED)
def test_rebuilt_is_same(game: Game, players: int, seed: int) -> None:
    laws.rebuilt_is_same(game, players, seed)


@every_table
@many
@given(seed=ANY_SEED)
def test_secrets_can_be_swapped(game: Game, players: int, seed: int) -> None:
    laws.secrets_can_be_swapped(game, players, seed)


@every_table
def test_secrets_are_compared_at_all(game: Game, players: int) -> None:
    assert sum(laws.secrets_can_be_swapped(game, players, seed) for seed in range(20)) > 20


def test_a_larger_pointing_audience_would_be_found() -> None:
    """Both neighbours were shown what a player pointed at, also the one who does not decide for that castle."""

    def all_partners(game: Any, seat: Seat, action: Action) -> set[Seat]:
        return {other for castle in castles_of(game, seat) for other in deciders(game, castle)} - {seat}

    game = replace(GAMES["between_two_castles"], pointing_audience=all_partners)
    with pytest.raises(AssertionError):
        sum(laws.secrets_can_be_swapped(game, 4, seed) for seed in range(20))


@every_table
@pytest.mark.parametrize("seed", range(8))
def test_random_play_ends_and_pieces_are_conserved(game: Game, players: int, seed: int) -> None:
    assert laws.pieces_are_conserved(game, players, seed) > 0


@every_table
@pytest.mark.parametrize("seed", range(2))
def test_refused_is_unchanged(game: Game, players: int, seed: int) -> None:
    assert laws.refused_is_unchanged(game, players, seed) > 0


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_undo_returns_exactly(game: Game, players: int, seed: int) -> None:
    assert laws.undo_returns_exactly(game, players, seed) > 0


@every_table
def test_offers_stay_narrow(game: Game, players: int) -> None:
    assert max(laws.widest_offer(game, players, seed) for seed in range(4)) <= WIDEST_OFFER


@every_table
def test_when_time_is_up_the_rules_choose_something_legal(game: Game, players: int) -> None:
    assert laws.overdue_is_legal(game, players, 1) > 0


@every_table
def test_the_clock_alone_ends_the_game(game: Game, players: int) -> None:
    assert laws.the_clock_alone_ends_the_game(game, players, 1) > 0


@every_table
def test_greedy_bots_play_among_themselves(game: Game, players: int) -> None:
    recorder = laws.begun(game, players, 1)
    while not recorder.play.is_over:
        seat = recorder.play.waiting_for()[-1]
        recorder.act(seat, game.policies["greedy"](recorder.play, seat, lambda n: 0))
    assert len(game.standings(recorder.play)) >= players
