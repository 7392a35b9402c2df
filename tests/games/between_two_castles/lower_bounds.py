"""What the shared tests must compare in this game: more than so many."""

from games.lower_bounds import LONG_GAME

LEAST = LONG_GAME | {"marks of players": 7}
