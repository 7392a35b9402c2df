"""Names of the pieces and players of Between Two Castles in one language."""

from __future__ import annotations

from ..piece_names import PieceNames
from ..piece_names import Plain as Plain
from . import PRESENTATION

PIECES = ("room", "throne", "special", "attendant", "bonus_card", "castle_token")


class CastleNames(PieceNames):
    """Names of rooms, thrones, attendants, bonus cards, castles and players."""

    def __init__(self, catalog: Plain, lang: str, seats: list[str] | None, players: int) -> None:
        super().__init__(PRESENTATION, catalog, lang, seats, players)
        self.add_pieces(PIECES)
        self.meta, self.types, self.decorations = catalog["meta"], catalog["type"], catalog["decoration"]

    def name_line(self, line: str) -> str:
        """Return the name of a line of the score sheet."""
        if line in self.types:
            return self.name_entry(self.types[line])
        return self.label(line) if line in self.language.LABELS else self.name_piece(line)

    def name_player(self, seat: int) -> str:
        """Return the name of the player on a seat; Ludwig's seat follows that of the last player."""
        return self.seats[seat] if seat < len(self.seats) else "Ludwig"

    def describe_card(self, name: str) -> str:
        """Return the text of a bonus card."""
        piece = self.pieces[name]
        return str(piece.get(f"text_{self.lang}") or piece.get("text_en") or piece["note"])


def name_castle(castle: Plain) -> str:
    """Return the name of a castle, which is the same in all languages."""
    return str(castle["token"]).capitalize()


# Kinds of rooms


def find_kind(piece: Plain) -> str:
    """Return the type of a room; for a special room its id, and for a throne room "throne"."""
    if "attendant_slots" in piece:
        return "throne"
    return str(piece["id"] if piece["type"] == "special" else piece["type"])


def has_open_sky(piece: Plain, names: CastleNames) -> bool:
    """Return whether the cell above this room must stay empty."""
    return bool(piece.get("open_sky") or names.types.get(piece.get("type"), {}).get("open_sky"))
