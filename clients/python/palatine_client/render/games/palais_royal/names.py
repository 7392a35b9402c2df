"""Names of the pieces and players of Palais Royal in one language."""

from __future__ import annotations

from functools import cached_property

from ..piece_names import PieceNames
from ..piece_names import Plain as Plain
from . import PRESENTATION

PIECES = ("colours", "seals", "stocks", "phases", "rooms", "privileges", "nobles")


class PalaisRoyalNames(PieceNames):
    """Names of nobles, rooms, privileges and players."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        super().__init__(PRESENTATION, catalog, lang, seats, players)
        self.add_pieces(PIECES)
        self.park, self.benefits, self.setup = catalog["park"], catalog["benefits"], catalog["setup"]

    @cached_property
    def ornaments(self) -> dict[frozenset[str], str]:
        """The ornaments by the two spaces that they separate."""
        return {frozenset(obstacle["between"]): obstacle["kind"] for obstacle in self.park["obstacles"]}

    def label_count(self, key: str, number: int, *values: object) -> str:
        """Return a label with a number, in the singular for one."""
        one = f"{key} one"
        return self.label(one if number == 1 and one in self.language.LABELS else key, number, *values)

    def name_player(self, seat: int) -> str:
        """Return the name of the player on a seat."""
        return self.seats[seat]
