"""Between Two Castles drawn for the terminal: castles floor by floor, the score sheet, the final ranking."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain, castle_name, kind_of
from ...games.between_two_castles.theme import DECORATIONS, GOLD, SKY, SKY_EDGE
from .badges import attendant, card, kind, tile
from .castle import Cell, castle_of
from .castle_panel import picture, title
from .final_scores import ending
from .room import Space

__all__ = [
    "DECORATIONS",
    "GOLD",
    "CastleNames",
    "Cell",
    "Space",
    "attendant",
    "card",
    "castle_name",
    "castle_of",
    "drawn",
    "ending",
    "heading",
    "kind",
    "kind_of",
    "legend",
    "moment",
    "picture",
    "tile",
    "title",
]


def drawn(board: Plain, catalog: Plain, lang: str = "en", seats: list[str] | None = None) -> RenderableType:
    """The whole board: what is going on, every castle, and at the end of the game who has won."""
    names = CastleNames(catalog, lang, seats, players=len(board["seniority"]))
    castles = [picture(board, number, names) for number in range(len(board["castles"]))]
    parts = [heading(board, names), *castles, legend(names)]
    return Group(*parts, *ending(board, names))


# What is going on


def heading(board: Plain, names: CastleNames) -> RenderableType:
    """Round, turn and phase, and the rooms that lie open and are not placed yet."""
    return Group(moment(board, names), *open_tiles(board, names), Text())


def moment(board: Plain, names: CastleNames) -> Text:
    """Round, turn and phase."""
    meta = names.meta
    where = (
        names.label("round", board["round"], meta["rounds"]),
        names.label("turn", board["turn"], meta["turns_per_round"]),
        names.label(board["phase"]),
    )
    return Text(" · ".join(where[2:] if board["phase"] == "over" else where), "bold")


def open_tiles(board: Plain, names: CastleNames) -> Iterator[Text]:
    for seat, tiles in enumerate(board["tiles"]):
        if tiles:
            label = names.label("to place", names.seat(seat))
            yield Text.assemble(f"{label}: ", Text(" ").join(tile(name, names) for name in tiles))


def legend(names: CastleNames) -> RenderableType:
    """What the colours and signs mean."""
    types = Columns([kind(name, names) for name in names.types], padding=(0, 1))
    signs = [Text(f"{DECORATIONS[name]} {names.of(entry)}") for name, entry in names.decorations.items()]
    sky = Text.assemble((SKY_EDGE * 3, SKY), f" {names.label('open sky')}")
    return Group(Rule(style="dim"), types, Text("   ").join([*signs, sky]), Text())
