"""The strong bot: one of them among greedy ones wins more than its share. Half of every castle belongs to a neighbour, so it takes fewer than elsewhere."""

from games.victories import PLAYERS, count_victories

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES

GAMES, FAIR_SHARES = 48, 1.2


def test_it_wins_more_than_its_share_among_greedy_ones() -> None:
    assert count_victories(BETWEEN_TWO_CASTLES, GAMES) >= FAIR_SHARES * GAMES / PLAYERS
