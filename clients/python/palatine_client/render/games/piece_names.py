"""Names of pieces and players, and the labels of a game, in one language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..presentation import Presentation

Plain = dict[str, Any]


class PieceNames:
    """The names that a catalog gives to pieces, with the players' names and the labels of the game's translation."""

    def __init__(
        self, presentation: Presentation, catalog: Plain, lang: str, seats: list[str] | None, players: int
    ) -> None:
        self.lang, self.catalog = lang, catalog
        self.language = presentation.load_translation(lang)
        self.pieces: dict[str, Plain] = {}
        self.seats = seats or [self.label("seat", number) for number in range(1, players + 1)]

    def add_pieces(self, kinds: Iterable[str]) -> None:
        """Index the pieces of these sections of the catalog by their ids."""
        self.pieces |= {piece["id"]: piece for kind in kinds for piece in self.catalog[kind]}

    def label(self, key: str, *values: object, **named: object) -> str:
        """Return a label of the game."""
        return str(self.language.LABELS[key].format(*values, **named))

    def name_entry(self, entry: Plain) -> str:
        """Return the name of a catalog entry in the language, or else in English."""
        return str(entry.get(f"name_{self.lang}") or entry["name_en"])

    def name_piece(self, name: str) -> str:
        """Return the name of a piece."""
        return self.name_entry(self.pieces[name])

    def describe_piece(self, name: str) -> str:
        """Return the catalog's description of a room or a card in the language, or else in English."""
        piece = self.pieces[name]
        return str(piece.get(f"text_{self.lang}") or piece["text_en"])
