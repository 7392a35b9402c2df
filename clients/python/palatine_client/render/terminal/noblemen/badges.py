"""Pieces and players of Noblemen as coloured words."""

from __future__ import annotations

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.names import NoblemenNames


def player_name(seat: int, names: NoblemenNames) -> Text:
    """Render the name of a player in the player's colour."""
    return Text(names.seats[seat], f"bold {theme.INKS[seat]}")


def player_badge(seat: int, names: NoblemenNames) -> Text:
    """Render a player with the number that the player's knights bear."""
    return Text.assemble((f" {seat + 1} ", theme.seat_style(seat)), " ", player_name(seat, names))


def kind_badge(kind: str, names: NoblemenNames) -> Text:
    """Render a kind of tile with its sign."""
    look = theme.KINDS[kind]
    return Text(f" {look.sign} {names.piece(kind)} ", look.style)


def building_badge(kind: str, names: NoblemenNames, folly: str = "") -> Text:
    """Render a building with its sign."""
    facade = theme.BUILDINGS[kind]
    name = names.of(names.follies[folly]) if folly else names.piece(kind)
    return Text(f" {facade.sign} {name} ", facade.style)


def area_badge(area: str, names: NoblemenNames) -> Text:
    """Render an area with its sign."""
    look = theme.KINDS[theme.AREAS[area]]
    return Text(f" {look.area} {names.piece(area)} ", f"bold {look.ink} on {look.whole}")
