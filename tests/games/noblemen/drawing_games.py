"""Games of Noblemen in which much is drawn: tiles and cards come to every player in any game."""

from games.drawing_games import Match, at_random

MATCHES: list[Match] = [(3, 1, at_random)]
