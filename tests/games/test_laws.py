"""Every registered game, every number of players: the laws, with seeds that nobody would think of."""

from games.lower_bounds import find_least
from games.registered import every_table
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from palatine_server.checks import explanations, laws, secret_worlds
from palatine_server.games.kit import Game

ANY_SEED = st.integers(0, 2**64)
a_few = settings(max_examples=5, deadline=None, suppress_health_check=list(HealthCheck))
many = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


@every_table
@a_few
@given(seed=ANY_SEED)
def test_told_is_seen(game: Game, players: int, seed: int) -> None:
    assert laws.told_is_seen(game, players, seed) > 0


@every_table
@a_few
@given(seed=ANY_SEED)
def test_rebuilt_is_same(game: Game, players: int, seed: int) -> None:
    assert laws.rebuilt_is_same(game, players, seed) > 0


@every_table
@many
@given(seed=ANY_SEED)
def test_secrets_can_be_swapped(game: Game, players: int, seed: int) -> None:
    secret_worlds.secrets_can_be_swapped(game, players, seed)


@every_table
def test_secrets_are_compared_at_all(game: Game, players: int) -> None:
    compared = sum(secret_worlds.secrets_can_be_swapped(game, players, seed) for seed in range(20))
    assert compared > (find_least(game, "messages in swapped worlds") or 0)


@every_table
@a_few
@given(seed=ANY_SEED)
def test_random_play_ends_and_pieces_are_conserved(game: Game, players: int, seed: int) -> None:
    assert laws.pieces_are_conserved(game, players, seed) > 0


@every_table
@a_few
@given(seed=ANY_SEED)
def test_reasons_hold(game: Game, players: int, seed: int) -> None:
    explanations.reasons_hold(game, players, seed)
