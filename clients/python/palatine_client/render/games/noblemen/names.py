"""Names of the pieces and players of Noblemen in one language."""

from __future__ import annotations

from ..piece_names import PieceNames
from ..piece_names import Plain as Plain
from . import PRESENTATION

PIECES = ("tile", "area", "building", "title", "card")
ROMAN = ("I", "II", "III")  # decades

# The rules that give points, in the order of the score sheet
RULES = (
    "NM-BALL-15",
    "NM-END-2",
    "NM-SCORE-2",
    "NM-SCORE-3",
    "NM-SCORE-4",
    "NM-FOLLY-5",
    "NM-BRIBE-1",
    "NM-CHURCH-3",
    "NM-CARD-12",
    "NM-CARD-17",
    "NM-IDLE-1",
    "NM-FINAL-2",
)


class NoblemenNames(PieceNames):
    """Names of tiles, areas, buildings, titles, cards and players."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        super().__init__(PRESENTATION, catalog, lang, seats, players)
        self.add_pieces(PIECES)
        self.follies: dict[str, Plain] = {piece["id"]: piece for piece in catalog["folly"]["piece"]}

    def name_piece(self, name: str) -> str:
        """Return the name of a piece; follies share one name."""
        return self.name_entry(self.catalog["folly"]) if name == "folly" else super().name_piece(name)

    def name_title(self, name: str) -> str:
        """Return the name of a title, or the label for none."""
        return self.name_piece(name) if name else self.label("no title")

    def label_player(self, key: str, seat: int) -> str:
        """Return a label about a player; if the player is the viewer, the variant that addresses them."""
        is_viewer = self.seats[seat] == self.label("you")
        return self.label(f"{key} of you") if is_viewer else self.label(key, self.seats[seat])
