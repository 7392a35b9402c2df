"""The scene of a picture: the view with its names, colours and glyphs at hand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from ...games.between_two_castles.names import CastleNames, Plain
from ...look import Look, PlayerMark, load_look
from ..elements import Markup, clean_name
from ..paper import Paper, find_paper
from ..shapes import disc
from ..view import PictureView

LOOK_PACKAGE = "palatine_client.render.games.between_two_castles"
TALL_TEXT = 1.35  # words of a tall picture are so much larger, because phones show it smaller


@cache
def load_castle_look() -> Look:
    """Return the look of the game."""
    return load_look(LOOK_PACKAGE)


@dataclass(frozen=True)
class CastleScene:
    """A view with everything that its drawing needs."""

    view: PictureView

    @cached_property
    def names(self) -> CastleNames:
        names = [clean_name(name) for name in self.view.names] or None
        return CastleNames(self.view.catalog, self.view.lang, names, players=len(self.board["seniority"]))

    @cached_property
    def look(self) -> Look:
        return load_castle_look()

    @cached_property
    def paper(self) -> Paper:
        return find_paper(self.view.scheme)

    @property
    def board(self) -> Plain:
        return self.view.board

    @property
    def hand(self) -> Plain:
        return self.view.hand or {}

    @property
    def is_tall(self) -> bool:
        return self.view.layout == "tall"

    @cached_property
    def width(self) -> float:
        """The width of the picture."""
        return self.size(self.view.layout)

    def scale(self, size: float) -> float:
        """Return the size of a text outside of castles in this layout."""
        return size * TALL_TEXT if self.is_tall else size

    def size(self, name: str) -> float:
        return self.look.sizes[name]

    def fill(self, name: str) -> str:
        return self.look.colours[name].fill(self.view.scheme)

    def ink(self, name: str) -> str:
        return self.look.colours[name].ink(self.view.scheme)

    def glyph(self, name: str) -> str:
        return self.look.glyphs[name]

    def word(self, key: str, **values: object) -> str:
        """Return a word that only pictures use."""
        return str(self.names.language.PICTURE[key].format(**values))

    def phrase(self, key: str) -> str:
        return str(self.names.language.PHRASES[key])

    # Players

    def find_mark(self, seat: int) -> PlayerMark:
        """Return the colour and shape of a player; Ludwig has the seat after the last player's."""
        players = self.look.players
        return players.get(str(seat) if seat < len(self.names.seats) else "ludwig") or players["ludwig"]

    def draw_mark(self, seat: int, x: float, y: float, radius: float) -> Markup:
        """Return the mark of a player: their shape on their colour."""
        mark, scheme = self.find_mark(seat), self.view.scheme
        return disc(self.glyph(mark.glyph), x, y, radius, mark.colour.fill(scheme), mark.colour.ink(scheme))

    # The seat whose view it is

    @property
    def is_public(self) -> bool:
        return self.view.seat is None

    def is_mine(self, castle: Plain) -> bool:
        """Return whether the viewer builds this castle."""
        return self.view.seat in castle["partners"]

    @cached_property
    def legal_cells(self) -> dict[int, list[tuple[int, int]]]:
        """The cells where the seat may place or propose a room, by castle."""
        cells: dict[int, list[tuple[int, int]]] = {}
        for choice in self.view.offer:
            fields: dict[str, Any] = choice.get("fields", {})
            for castle in fields["castle"] if "cell" in fields else ():
                known = cells.setdefault(castle, [])
                known += [(x, y) for x, y in fields["cell"] if (x, y) not in known]
        return cells

    def list_decisions(self, number: int) -> list[tuple[str, Plain]]:
        """Return the open questions about a castle that the viewer knows, each with the path of its facts."""
        public, secret = self.board["castles"][number]["decision"], self.hand.get("decisions", [])
        found = [(f"castles/{number}/decision", public)] if public else []
        return found + [(f"hand/decisions/{number}", each) for each in secret if each["castle"] == number]
