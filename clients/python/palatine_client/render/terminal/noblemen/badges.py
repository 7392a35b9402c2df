"""Pieces and players of Noblemen as coloured words."""

from __future__ import annotations

from rich.text import Text

from ...games.noblemen import theme
from ...games.noblemen.names import NoblemenNames


def render_player_name(seat: int, names: NoblemenNames) -> Text:
    """Render the name of a player in the player's colour."""
    return Text(names.seats[seat], f"bold {theme.INKS[seat]}")


def render_player_badge(seat: int, names: NoblemenNames) -> Text:
    """Render a player with the number that the player's knights bear."""
    return Text.assemble((f" {seat + 1} ", theme.find_seat_style(seat)), " ", render_player_name(seat, names))


def render_kind_badge(kind: str, names: NoblemenNames) -> Text:
    """Render a kind of tile with its sign."""
    look = theme.KINDS[kind]
    return Text(f" {look.sign} {names.name_piece(kind)} ", look.style)


def render_building_badge(kind: str, names: NoblemenNames, folly: str = "") -> Text:
    """Render a building with its sign."""
    facade = theme.BUILDINGS[kind]
    name = names.name_entry(names.follies[folly]) if folly else names.name_piece(kind)
    return Text(f" {facade.sign} {name} ", facade.style)


def render_area_badge(area: str, names: NoblemenNames) -> Text:
    """Render an area with its sign."""
    look = theme.KINDS[theme.AREAS[area]]
    return Text(f" {look.area} {names.name_piece(area)} ", f"bold {look.ink} on {look.whole}")
