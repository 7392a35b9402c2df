"""The terminal rendering of a game without a presentation, made from the outline of its documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...description.outline import CellMap, Fact, Outline, Part, RecordTable, SeatTable, Section
from ...description.untrusted import Plain
from ...description.values import ValueNames
from ...palette import GOLD, SEATS
from ...translations import narrate
from .cell_map import CellMapPicture

__all__ = ["CellMapPicture", "render_board", "render_parts", "render_pieces"]


def render_board(
    board: Plain,
    catalog: Plain,
    lang: str = "en",
    seats: list[str] | None = None,
    description: Plain | None = None,
    waiting: Sequence[int] = (),
) -> RenderableType:
    """Render the whole board of any game, with its pieces."""
    names = ValueNames(description or {}, catalog, lang, seats or [], board)
    parts = render_parts(Outline(names).build(board, "board"), waiting)
    return Group(*parts, *render_pieces(names, board, "board"))


def render_parts(parts: Iterable[Part], waiting: Sequence[int] = ()) -> Iterator[RenderableType]:
    """Yield parts of an outline, facts side by side in lines of their own."""
    facts: list[Fact] = []
    for part in parts:
        if isinstance(part, Fact):
            facts.append(part)
            continue
        yield from render_facts(facts)
        facts = []
        yield from render_part(part, waiting)
    yield from render_facts(facts)


def render_facts(facts: list[Fact]) -> Iterator[RenderableType]:
    """Yield a table of facts, if there are any."""
    table = Table.grid(padding=(0, 2))
    for fact in facts:
        table.add_row(Text(fact.title, "dim"), Text(fact.value))
    if facts:
        yield Padding(table, (0, 0, 1, 0))


def render_part(part: Part, waiting: Sequence[int]) -> Iterator[RenderableType]:
    match part:
        case SeatTable():
            yield from render_title(part.title)
            yield Padding(render_seat_table(part, waiting), (0, 0, 1, 0))
        case RecordTable():
            yield from render_title(part.title)
            yield Padding(render_record_table(part), (0, 0, 1, 0))
        case CellMap():
            yield from render_title(part.title)
            yield Padding(CellMapPicture(part), (0, 0, 1, 0))
        case Section():
            yield from render_title(part.title)
            yield Padding(Group(*render_parts(part.parts, waiting)), (0, 0, 0, 2))


def render_title(title: str) -> list[RenderableType]:
    return [Text(title, GOLD)] if title else []


# Tables


def render_seat_table(part: SeatTable, waiting: Sequence[int]) -> Table:
    """Render values by seat, with the players in columns; a mark stands before those that the table waits for."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    table.add_column("", style="dim", ratio=None, overflow="fold")
    for at, column in enumerate(part.columns):
        is_awaited = part.index == "seat" and at in waiting
        style = SEATS[at % len(SEATS)] if part.index == "seat" else GOLD
        table.add_column(Text(f"▶ {column}" if is_awaited else column, style), overflow="fold")
    for title, cells in part.rows:
        table.add_row(Text(title), *(Text(cell or "–", "" if cell else "dim") for cell in cells))
    return table


def render_record_table(part: RecordTable) -> Table:
    """Render records in lines."""
    has_names = any(part.columns)
    table = Table(box=box.SIMPLE_HEAD if has_names else box.SQUARE, show_header=has_names, show_lines=not has_names)
    for column in part.columns:
        table.add_column(Text(column, "dim"), overflow="fold")
    for row in part.rows:
        table.add_row(*map(Text, row))
    return table


# Pieces


def render_pieces(names: ValueNames, document: object, zone: str) -> Iterator[RenderableType]:
    """Yield a list of the pieces in a document that have figures or texts, each of them once."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="bold", overflow="fold")
    table.add_column(overflow="fold")
    for piece in names.describe_pieces(document, zone):
        table.add_row(
            Text(piece.name), Text.assemble(piece.figures, "  " if piece.figures else "", (piece.text, "dim"))
        )
    if table.row_count:
        yield from render_title(narrate(names.lang, "pieces"))
        yield Padding(table, (0, 0, 1, 2))
