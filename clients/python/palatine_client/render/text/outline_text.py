"""The outline of a document in plain words, for games without a presentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..description.outline import CellMap, Fact, Outline, Part, RecordTable, SeatTable, Section
from ..description.values import ValueNames
from ..translations import narrate


def narrate_parts(parts: Iterable[Part]) -> Iterator[list[str]]:
    """Yield paragraphs: one for the facts, and one for each other part."""
    parts = [*parts]
    yield [line for part in parts if isinstance(part, Fact) for line in narrate_part(part)]
    for part in parts:
        if not isinstance(part, Fact):
            yield [*narrate_part(part)]


def narrate_part(part: Part, before: str = "") -> Iterator[str]:
    """Yield the lines of a part; the title of the section around it stands before each of them."""
    match part:
        case Fact():
            yield end_line(join_title(before, f"{part.title}: {part.value}" if part.title else part.value))
        case SeatTable():
            yield from narrate_seat_table(part, before)
        case RecordTable():
            yield from narrate_records(part, before)
        case CellMap():
            yield from narrate_map(part, before)
        case Section():
            yield from narrate_section(part, before)


def narrate_section(part: Section, before: str) -> Iterator[str]:
    """Yield the facts of a section in one line, and its other parts in lines of their own."""
    title = join_title(before, part.title.replace(" · ", ", "))
    facts = "; ".join(f"{each.title} {each.value}" for each in part.parts if isinstance(each, Fact))
    if facts:
        yield end_line(f"{title}: {facts}")
    for each in part.parts:
        if not isinstance(each, Fact):
            yield from narrate_part(each, title)


def narrate_seat_table(part: SeatTable, before: str) -> Iterator[str]:
    """Yield a line for each seat; a table with a title gets a line for each row."""
    if part.title:
        yield from (narrate_row(part, title, cells, before) for title, cells in part.rows)
        return
    for at, column in enumerate(part.columns):
        told = "; ".join(f"{title} {cells[at]}" for title, cells in part.rows if at < len(cells) and cells[at])
        if told:
            yield end_line(f"{join_title(before, column)}: {told}")


def narrate_row(part: SeatTable, title: str, cells: tuple[str, ...], before: str) -> str:
    told = ", ".join(f"{column} {cell}" for column, cell in zip(part.columns, cells, strict=False) if cell)
    return end_line(f"{join_title(before, part.title, title)}: {told}")


def narrate_records(part: RecordTable, before: str) -> Iterator[str]:
    title = join_title(before, part.title)
    for row in part.rows:
        cells = zip(part.columns, row, strict=True)
        told = ", ".join(f"{column} {cell}".strip() for column, cell in cells if cell)
        yield end_line(f"{title}: {told}" if title else told)


def narrate_map(part: CellMap, before: str) -> Iterator[str]:
    """Yield a line for each line of the map."""
    lines: dict[int, list[str]] = {}
    line_names, column_names = dict(part.lines), dict(part.columns)
    for cell in part.cells:
        column, line = cell.place
        lines.setdefault(line, []).append(join_cell(column_names[column], ", ".join(cell.things)))
    title = join_title(before, part.title)
    for line, cells in lines.items():
        yield end_line(f"{title}, {line_names[line]}: {'; '.join(cells)}")


def join_cell(column: str, things: str) -> str:
    """Return a column and what lies there; a number after the number of the column needs a colon between them."""
    return f"{column}: {things}" if things[:1].isdigit() else f"{column} {things}".strip()


def narrate_pieces(names: ValueNames, document: object, zone: str) -> list[str]:
    """Return a line for each piece in a document that has figures or a text."""
    pieces = names.describe_pieces(document, zone)
    told = [". ".join(filter(None, (piece.figures, piece.text))) for piece in pieces]
    lines = [end_line(f"{piece.name}: {each}") for piece, each in zip(pieces, told, strict=True)]
    return [f"{narrate(names.lang, 'pieces')}:", *lines] if lines else []


def narrate_hand(names: ValueNames, hand: object) -> Iterator[str]:
    """Yield the lines of a hand: its parts, and its pieces with their figures."""
    for paragraph in narrate_parts(Outline(names).build(hand, "hand")):
        yield from paragraph
    yield from narrate_pieces(names, hand, "hand")


def join_title(*titles: str) -> str:
    return ", ".join(filter(None, titles))


def end_line(line: str) -> str:
    return line if line.endswith((".", "!", "?")) else f"{line}."
