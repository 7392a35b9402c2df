"""The shelf: every game that can be played here, by name."""

from .between_two_castles import BETWEEN_TWO_CASTLES
from .kit import Game
from .noblemen import NOBLEMEN
from .palais_royal import PALAIS_ROYAL

SHELF: dict[str, Game] = {game.name: game for game in (BETWEEN_TWO_CASTLES, PALAIS_ROYAL, NOBLEMEN)}
