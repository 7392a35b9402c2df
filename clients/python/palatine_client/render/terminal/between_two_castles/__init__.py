"""Between Two Castles for the terminal: castles floor by floor, the score sheet, the final ranking."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain
from ...games.between_two_castles.theme import DECORATIONS, SKY, SKY_EDGE
from .badges import render_attendant, render_card, render_kind, render_tile
from .castle import build_castle
from .castle_panel import render_castle, render_title
from .final_scores import render_final_scores
from .room import SpaceBox

__all__ = [
    "SpaceBox",
    "build_castle",
    "render_attendant",
    "render_board",
    "render_card",
    "render_castle",
    "render_final_scores",
    "render_heading",
    "render_kind",
    "render_legend",
    "render_moment",
    "render_tile",
    "render_title",
]


def render_board(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """Render the whole board: phase, castles, and at the end of the game the ranking."""
    names = CastleNames(catalog, lang, seats, players=len(board["seniority"]))
    castles = [render_castle(board, number, names) for number in range(len(board["castles"]))]
    parts = [render_heading(board, names), *castles, render_legend(names)]
    return Group(*parts, *render_final_scores(board, names))


# The heading


def render_heading(board: Plain, names: CastleNames) -> RenderableType:
    """Render round, turn and phase, and the open rooms that players have not placed yet."""
    return Group(render_moment(board, names), *render_open_tiles(board, names), Text())


def render_moment(board: Plain, names: CastleNames) -> Text:
    """Render round, turn and phase."""
    meta = names.meta
    where = (
        names.label("round", board["round"], meta["rounds"]),
        names.label("turn", board["turn"], meta["turns_per_round"]),
        names.label(board["phase"]),
    )
    return Text(" · ".join(where[2:] if board["phase"] == "over" else where), "bold")


def render_open_tiles(board: Plain, names: CastleNames) -> Iterator[Text]:
    for seat, tiles in enumerate(board["tiles"]):
        if tiles:
            label = names.label("to place", names.name_player(seat))
            yield Text.assemble(f"{label}: ", Text(" ").join(render_tile(name, names) for name in tiles))


def render_legend(names: CastleNames) -> RenderableType:
    """Render the meanings of the colours and signs."""
    types = Columns([render_kind(name, names) for name in names.types], padding=(0, 1))
    signs = [Text(f"{DECORATIONS[name]} {names.name_entry(entry)}") for name, entry in names.decorations.items()]
    sky = Text.assemble((SKY_EDGE * 3, SKY), f" {names.label('open sky')}")
    return Group(Rule(style="dim"), types, Text("   ").join([*signs, sky]), Text())
