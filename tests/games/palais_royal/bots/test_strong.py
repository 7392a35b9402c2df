"""The strong bot: one of them among greedy ones wins more than its share."""

from games.victories import PLAYERS, count_victories

from palatine_server.games.palais_royal import PALAIS_ROYAL

GAMES, FAIR_SHARES = 24, 1.5


def test_it_wins_more_than_its_share_among_greedy_ones() -> None:
    assert count_victories(PALAIS_ROYAL, GAMES) >= FAIR_SHARES * GAMES / PLAYERS
