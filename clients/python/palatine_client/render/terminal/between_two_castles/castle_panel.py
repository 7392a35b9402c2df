"""The panel of a castle: its title, its picture, and notes beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain, find_kind
from ...games.between_two_castles.theme import GOLD, LOOKS, POSITIONS
from .badges import render_attendant, render_card, render_kind, render_tile
from .castle import LABEL, Cell, build_castle


def render_castle(
    board: Plain, number: int, names: CastleNames, new: Collection[Cell] = (), *, for_builder: bool = False
) -> RenderableType:
    """Render a castle with its notes; with `for_builder` also the rooms that count towards its bonuses."""
    castle = board["castles"][number]
    beside = Table.grid(padding=(0, 2))
    beside.add_column(style="dim", no_wrap=True)
    beside.add_column()
    for label, text in list_notes(castle, names):
        beside.add_row(label, text)
    if for_builder:
        beside.add_row(names.label("progress"), render_progress(castle, names))
    drawing = build_castle(castle, names, new=new)
    return Group(render_title(board, number, names), Text(), drawing, Padding(beside, (1, 0, 1, LABEL)))


# A type that is one room short of a bonus is bright.
def render_progress(castle: Plain, names: CastleNames) -> Text:
    """Render the number of rooms of each type."""
    kinds = [find_kind(names.pieces[name]) for name, _, _ in castle["rooms"]]
    counts = {name: kinds.count(name) for name in names.types}
    short = {threshold - 1 for threshold in names.meta["bonus_thresholds"]}
    return Text("  ").join(
        Text.assemble((f" {LOOKS[name].sign} ", LOOKS[name].style), (f" {count}", GOLD if count in short else ""))
        for name, count in counts.items()
    )


def render_title(board: Plain, number: int, names: CastleNames) -> Rule:
    castle = board["castles"][number]
    text = Text.assemble((f"♜ {names.name_piece(castle['token'])}", GOLD), "  ", format_partners(castle, names))
    if board["sheets"]:
        text.append(f"  {names.label('points', sum(board['sheets'][number].values()))}", "bold")
    return Rule(text, align="left", style="#8a6d1f")


def format_partners(castle: Plain, names: CastleNames) -> str:
    return " + ".join(names.name_player(seat) for seat in castle["partners"])


def list_notes(castle: Plain, names: CastleNames) -> Iterator[tuple[str, RenderableType]]:
    """Return notes on the wishes of the throne room, attendants, bonus cards, and open decisions."""
    yield names.label("throne"), render_throne_wishes(names.pieces[castle["throne"]], names)
    if castle["attendants"]:
        yield names.label("attendants"), Text(", ").join(render_attendant(name, names) for name in castle["attendants"])
    if castle["cards"]:
        yield names.label("cards"), Group(*(render_card(name, names) for name in castle["cards"]))
    if castle["ludwig"]:
        yield names.label("ludwig tile"), render_tile(castle["ludwig"], names)
    if castle["deciding"]:
        yield names.label("deciding"), names.label(f"deciding {castle['deciding']}")


def render_throne_wishes(throne: Plain, names: CastleNames) -> Text:
    types = Text(names.label("or")).join(render_kind(name, names) for name in throne["types"])
    where = "".join(POSITIONS[at] for at in throne["positions"])
    sentence = names.label("likes", points=throne["points"], most=throne["max_points"], where=where, types="\0")
    before, after = sentence.split("\0")
    return Text.assemble(before, types, after)
