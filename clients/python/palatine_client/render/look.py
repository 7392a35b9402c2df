"""The look of a game as data: colours, glyphs, marks of players and sizes, for pictures, browsers and chat alike.

A look is a file `look.toml` beside the presentation of its game. Colours come in pairs, for light and for dark paper.
A glyph is one SVG path on a grid of 24 by 24. Each colour that tells things apart has a glyph or a mark beside it.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

Scheme = Literal["light", "dark"]


class Swatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A colour on light and on dark paper, with the ink that is readable on it."""

    light: str
    dark: str
    ink_light: str = "#ffffff"
    ink_dark: str = "#ffffff"

    def fill(self, scheme: Scheme) -> str:
        """Return the colour on this paper."""
        return self.light if scheme == "light" else self.dark

    def ink(self, scheme: Scheme) -> str:
        """Return the colour of text on it."""
        return self.ink_light if scheme == "light" else self.ink_dark


class PlayerMark(Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a player's pieces, and the glyph that tells them apart without colour."""

    colour: Swatch
    glyph: str  # a key of `glyphs`


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """The look of one game."""

    colours: dict[str, Swatch] = {}  # by what they stand for: a kind of room, a seal, the sky
    glyphs: dict[str, str] = {}  # SVG paths by name
    players: dict[str, PlayerMark] = {}  # by the colour that the document names, or by the number of the seat
    sizes: dict[str, float] = {}  # geometry, in units of the picture


def read_look(text: str) -> Look:
    """Read a look from TOML; raise msgspec.ValidationError with the path of a mistake."""
    return msgspec.convert(tomllib.loads(text), Look)


def load_look(package: str) -> Look:
    """Read the file `look.toml` of a package; return a look without anything if the package has none."""
    file = files(package) / "look.toml"
    return read_look(file.read_text("utf-8")) if file.is_file() else Look()
