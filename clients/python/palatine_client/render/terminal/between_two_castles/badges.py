"""Pieces of Between Two Castles as coloured words, outside of any castle."""

from __future__ import annotations

from rich.text import Text

from ...games.between_two_castles.names import CastleNames, kind_of
from ...games.between_two_castles.theme import DECORATIONS, LOOKS


def kind(name: str, names: CastleNames) -> Text:
    """A room type with its sign, in its colour."""
    return Text(f" {LOOKS[name].sign} {names.of(names.types[name])} ", LOOKS[name].style)


def tile(name: str, names: CastleNames) -> Text:
    """A room outside of any castle."""
    look = LOOKS[kind_of(names.pieces[name])]
    return Text(f" {look.sign} {names.piece(name)} ", look.style)


def attendant(name: str, names: CastleNames) -> Text:
    decoration = names.pieces[name]["decoration"]
    return Text.assemble((DECORATIONS[decoration], "bold"), " ", names.piece(name))


def card(name: str, names: CastleNames) -> Text:
    piece = names.pieces[name]
    return Text.assemble((names.of(piece), "bold"), ": ", names.card_text(name))
