"""The style of a picture: the look of one game on one paper."""

from __future__ import annotations

from dataclasses import dataclass

from ..look import Look, Scheme
from .elements import Markup, Number
from .paper import Paper, find_paper
from .shapes import glyph


@dataclass(frozen=True, eq=False)
class Style:
    """The colours and glyphs of a game on light or dark paper; there is one for each, so drawn pieces can be kept."""

    look: Look
    scheme: Scheme

    @property
    def paper(self) -> Paper:
        """The plain colours."""
        return find_paper(self.scheme)

    def fill(self, name: str) -> str:
        """Return a colour of the game."""
        return self.look.colours[name].fill(self.scheme)

    def ink(self, name: str) -> str:
        """Return the colour of text on a colour of the game."""
        return self.look.colours[name].ink(self.scheme)

    def draw_glyph(self, name: str, x: Number, y: Number, size: Number, fill: str, shape: str | None = None) -> Markup:
        """Return a glyph of the game whose middle is at a point; `shape` says what is counted."""
        return glyph(self.look.glyphs[name], x, y, size, fill, shape)

    # Players

    def fill_of(self, player: str) -> str:
        """Return the colour of a player's pieces."""
        return self.look.players[player].colour.fill(self.scheme)

    def ink_of(self, player: str) -> str:
        """Return the colour of a mark on a player's pieces."""
        return self.look.players[player].colour.ink(self.scheme)

    def draw_mark(self, player: str, x: Number, y: Number, size: Number, fill: str) -> Markup:
        """Return the mark that tells a player's pieces apart without colour."""
        return self.draw_glyph(self.look.players[player].glyph, x, y, size, fill)
