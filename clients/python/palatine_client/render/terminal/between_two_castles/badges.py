"""Pieces of Between Two Castles as coloured words, outside of any castle."""

from __future__ import annotations

from rich.text import Text

from ...games.between_two_castles.names import CastleNames, find_kind
from ...games.between_two_castles.theme import DECORATIONS, LOOKS


def render_kind(name: str, names: CastleNames) -> Text:
    """Render a room type with its sign, in its colour."""
    return Text(f" {LOOKS[name].sign} {names.name_entry(names.types[name])} ", LOOKS[name].style)


def render_tile(name: str, names: CastleNames) -> Text:
    """Render a room outside of any castle."""
    look = LOOKS[find_kind(names.pieces[name])]
    return Text(f" {look.sign} {names.name_piece(name)} ", look.style)


def render_attendant(name: str, names: CastleNames) -> Text:
    decoration = names.pieces[name]["decoration"]
    return Text.assemble((DECORATIONS[decoration], "bold"), " ", names.name_piece(name))


def render_card(name: str, names: CastleNames) -> Text:
    piece = names.pieces[name]
    return Text.assemble((names.name_entry(piece), "bold"), ": ", names.describe_card(name))
