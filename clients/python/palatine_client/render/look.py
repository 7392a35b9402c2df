"""The look of a game as data: colours, glyphs, marks of players and sizes, for pictures, browsers and chat alike.

A look is a file `look.toml` beside the presentation of its game. Colours come in pairs, for light and for dark paper.
A glyph is one SVG path on a grid of 24 by 24. Each colour that tells things apart has a glyph or a mark beside it.
"""

from __future__ import annotations

import tomllib
from importlib.resources import files
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

Scheme = Literal["light", "dark"]
Colour = Annotated[str, Meta(pattern=r"^#[0-9A-Fa-f]{6}\Z")]
Name = Annotated[str, Meta(min_length=1, max_length=80)]
GlyphPath = Annotated[str, Meta(pattern=r"^[MmLlHhVvCcSsQqTtAaZzEe0-9\s,.+-]*\Z", max_length=4_000)]
Size = Annotated[float, Meta(ge=-10_000, le=10_000)]  # neither infinite nor not a number
MOST = Meta(max_length=400)  # entries of a table


class Swatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A colour on light and on dark paper, with the ink that is readable on it."""

    light: Colour
    dark: Colour
    ink_light: Colour = "#ffffff"
    ink_dark: Colour = "#ffffff"

    def fill(self, scheme: Scheme) -> str:
        """Return the colour on this paper."""
        return self.light if scheme == "light" else self.dark

    def ink(self, scheme: Scheme) -> str:
        """Return the colour of text on it."""
        return self.ink_light if scheme == "light" else self.ink_dark


class PlayerMark(Struct, frozen=True, forbid_unknown_fields=True):
    """The colour of a player's pieces, and the glyph that tells them apart without colour."""

    colour: Swatch
    glyph: Name  # a key of `glyphs`


class Look(Struct, frozen=True, forbid_unknown_fields=True):
    """The look of one game."""

    colours: Annotated[dict[Name, Swatch], MOST] = {}  # by what they stand for: a kind of room, a seal, the sky
    glyphs: Annotated[dict[Name, GlyphPath], MOST] = {}  # SVG paths by name
    players: Annotated[dict[Name, PlayerMark], MOST] = {}  # by what `players_by` leads to
    # What names the mark of a player: "seat", their number; or a path in the board, with {seat} for it
    players_by: Name = "seat"
    sizes: Annotated[dict[Name, Size], MOST] = {}  # geometry, in units of the picture


def read_look(text: str) -> Look:
    """Read a look from TOML; raise msgspec.ValidationError with the path of a mistake."""
    return msgspec.convert(tomllib.loads(text), Look)


def check_look(look: object) -> Look:
    """Return a look as it was built by any package, if all its values are possible; raise msgspec.ValidationError."""
    return msgspec.convert(msgspec.to_builtins(look), Look)


def load_look(package: str) -> Look:
    """Read the file `look.toml` of a package; return a look without anything if the package has none."""
    file = files(package) / "look.toml"
    return read_look(file.read_text("utf-8")) if file.is_file() else Look()
