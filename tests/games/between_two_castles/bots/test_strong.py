"""The strong bot: it wins more than its share, though half of every castle belongs to a neighbour."""

from games.victories import PLAYERS, count_victories

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES

GAMES, FAIR_SHARES = 48, 1.2


def test_it_wins_more_than_its_share_among_greedy_ones() -> None:
    assert count_victories(BETWEEN_TWO_CASTLES, GAMES) >= FAIR_SHARES * GAMES / PLAYERS
