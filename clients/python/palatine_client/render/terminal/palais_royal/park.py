"""The park: nobles as tiles on a lawn, the ornaments between them, and the four rows of the border."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from ...games.palais_royal import derived_values, theme
from ...games.palais_royal.names import PalaisRoyalNames, Plain
from . import badges

NARROWEST, WIDEST = 9, 14  # columns of a space
NUMBERED = 12  # columns of a space with a number; the name needs all of them
ROOMY = 80  # columns of a terminal
MARGIN = 1  # columns for the number of the row
HEIGHT = 3  # lines of a space
ON_LAWN = f"on {theme.LAWN}"
PALE = f"{theme.GRASS} on {theme.LAWN}"


def measure_park(space: int, names: PalaisRoyalNames) -> int:
    """Return the width of a park with spaces of this width."""
    count = int(names.park["cols"])
    return MARGIN + count * space + count - 1


@dataclass(frozen=True)
class Park:
    """The park; with `numbers`, only the nobles that the player may choose are bright."""

    board: Plain
    names: PalaisRoyalNames
    numbers: Mapping[str, int] = field(default_factory=dict)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for part in self.split_columns(options.max_width):
            yield from self.render_lines(self.choose_width(options.max_width), part)

    def split_columns(self, available: int) -> list[list[str]]:
        """Split the columns into as many parts as the width needs."""
        columns = [*derived_values.list_columns(self.names)]
        most = max((available - MARGIN + 1) // (NARROWEST + 1), 1)
        size = ceil(len(columns) / ceil(len(columns) / most))
        return [columns[at : at + size] for at in range(0, len(columns), size)]

    def choose_width(self, available: int) -> int:
        """Choose the width of a space."""
        count = int(self.names.park["cols"])
        return max(NARROWEST, min(WIDEST, (available - MARGIN - count + 1) // count))

    def render_lines(self, width: int, columns: Sequence[str] = ()) -> Iterator[Text]:
        """Render the park, or these columns of it."""
        shown, rows = columns or [*derived_values.list_columns(self.names)], range(1, self.names.park["rows"] + 1)
        yield self.render_letters(width, shown)
        for row in rows:
            yield from self.render_row(row, width, shown)
            if row != rows[-1]:
                yield self.render_gap_below(row, width, shown)

    def render_letters(self, width: int, columns: Sequence[str]) -> Text:
        named = " ".join(column.center(width) for column in columns)
        return Text(" " * MARGIN + named, f"bold {PALE}", no_wrap=True)

    def render_row(self, row: int, width: int, columns: Sequence[str]) -> Iterator[Text]:
        """Render the lines of one row of spaces, with ornaments between those that are side by side."""
        spaces = [f"{column}{row}" for column in columns]
        drawn = [list(self.render_space(space, width)) for space in spaces]
        for line in range(HEIGHT):
            label = str(row) if line == HEIGHT // 2 else ""
            text = Text(f"{label:<{MARGIN}}", f"bold {PALE}", no_wrap=True)
            for at, space in enumerate(spaces):
                text.append_text(self.render_gap(spaces[at - 1], space, line) if at else Text())
                text.append_text(drawn[at][line])
            yield text.append_text(self.render_right_edge(spaces[-1], line))

    def render_right_edge(self, space: str, line: int) -> Text:
        """Render the gap between the last space of a part and the first space of the next part."""
        after = f"{chr(ord(space[0]) + 1)}{space[1:]}"
        return self.render_gap(space, after, line) if self.find_ornament(space, after) else Text()

    def render_gap(self, left: str, right: str, line: int) -> Text:
        """Render the gap between two spaces in one line: lawn, or an ornament of the same height."""
        sign = self.find_ornament(left, right)
        return Text((sign if line == HEIGHT // 2 else "┃") if sign else " ", f"bold {theme.STONE} {ON_LAWN}")

    def render_gap_below(self, row: int, width: int, columns: Sequence[str]) -> Text:
        """Render the line below a row: lawn, and ornaments as wide as the spaces that they separate."""
        signs = [self.find_ornament(f"{column}{row}", f"{column}{row + 1}") for column in columns]
        parts = (f" {sign} ".center(width, "━") if sign else " " * width for sign in signs)
        return Text(" " * MARGIN + " ".join(parts), f"bold {theme.STONE} {ON_LAWN}", no_wrap=True)

    def find_ornament(self, one: str, other: str) -> str:
        kind = self.names.ornaments.get(frozenset((one, other)))
        return theme.ORNAMENTS[kind] if kind else ""

    # One space: three lines

    def render_space(self, space: str, width: int) -> Iterator[Text]:
        """Render a space with its noble or servant, or empty."""
        if space in self.board["park"]:
            return self.render_noble(space, width)
        seat = self.board["border"].get(space)
        return self.render_free_space(space, width) if seat is None else self.render_servant(space, seat, width)

    def render_noble(self, space: str, width: int) -> Iterator[Text]:
        """Render a tile: the name, the cost, the benefit and the points."""
        noble, number = self.names.pieces[self.board["park"][space]], self.numbers.get(space)
        is_away = bool(self.numbers) and number is None
        ink, paper = (theme.AWAY_INK, theme.TILE_AWAY) if is_away else (theme.TILE_INK, theme.TILE)
        inner = width if number or width < NARROWEST + 2 else width - 2
        for line in (
            self.render_title(noble, number, width),
            self.render_cost(space, noble),
            self.render_worth(space, noble, inner, is_away),
        ):
            yield fill_line(dim_line(line) if is_away else line, inner, width, f"{ink} on {paper}")

    def render_title(self, noble: Plain, number: int | None, width: int) -> Text:
        name = Text(self.names.name_entry(noble), "bold")
        gap = " " if width > NUMBERED else ""
        return name if number is None else Text.assemble((f"{number:>2} ", theme.NUMBER), gap, name)

    def render_cost(self, space: str, noble: Plain) -> Text:
        """Render the current price; the gold is marked if free spaces have lowered it."""
        gold = derived_values.find_price(self.board, space, self.names)
        is_reduced = gold < noble["gold"]
        coins = Text(f"{'↓' if is_reduced else ' '}{gold} ", f"bold {theme.REDUCED if is_reduced else theme.GOLD}")
        return Text.assemble(coins, badges.render_seals(noble["turquoise"], noble["violet"]))

    def render_worth(self, space: str, noble: Plain, inner: int, is_away: bool) -> Text:
        """Render the benefit at the left, the points at the right."""
        double = "×2" if space in derived_values.list_double_spaces(self.names) else ""
        points = (f"{noble['points']:^3}", theme.POINTS_AWAY if is_away else theme.POINTS)
        return Text.assemble(pad_line(badges.render_benefit(noble), 3), f"{double:<{inner - 6}}", points)

    def render_servant(self, space: str, seat: int, width: int) -> Iterator[Text]:
        """Render a border servant with the name of its player."""
        look = theme.find_livery(self.board, seat)
        yield Text(" " * width, ON_LAWN)
        yield Text(format_servant(look.sign, self.names.name_player(seat), width), look.style)
        yield self.render_ground(space, width)

    def render_free_space(self, space: str, width: int) -> Iterator[Text]:
        yield Text(" " * width, ON_LAWN)
        yield Text("·".center(width), PALE)
        yield self.render_ground(space, width)

    def render_ground(self, space: str, width: int) -> Text:
        double = "×2" if space in derived_values.list_double_spaces(self.names) else ""
        return Text(double.center(width), PALE)


def format_servant(sign: str, name: str, width: int) -> str:
    apart = " " if len(name) + 2 <= width else ""
    return f"{sign}{apart}{name}"[:width].center(width)


def pad_line(text: Text, width: int) -> Text:
    return Text.assemble(text, " " * (width - text.cell_len))


def fill_line(text: Text, inner: int, width: int, style: str) -> Text:
    """Render a line of a tile."""
    left = (width - inner) // 2
    return Text.assemble(" " * left, pad_line(text, width - left), style=style)


def dim_line(text: Text) -> Text:
    """Dim a line of a noble that the player cannot choose; only the points keep their background."""
    spans = [span for span in text.spans if " on " in str(span.style)]
    return Text(text.plain, spans=spans)


# The border


def render_border(board: Plain, names: PalaisRoyalNames) -> RenderableType:
    """Render the strength of each player in the four rows of the border."""
    rows = names.park["border_rows"]
    return Group(Text(names.label("row points", rows[0]["first"], rows[0]["second"]), "dim"), BorderRows(board, names))


@dataclass(frozen=True)
class BorderRows:
    """The rows of the border, two side by side if the terminal is wide enough."""

    board: Plain
    names: PalaisRoyalNames

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows, across = self.names.park["border_rows"], 2 if options.max_width >= ROOMY else 1
        table = Table.grid(padding=(0, 2))
        for at in range(0, len(rows), across):
            table.add_row(
                *(cell for row in rows[at : at + across] for cell in render_border_row(self.board, row, self.names))
            )
        yield table


def render_border_row(board: Plain, row: Plain, names: PalaisRoyalNames) -> tuple[Text, Text]:
    """Render the side of a border row, and the players in it, the strongest first."""
    there = [(strength, seat) for seat, strength in enumerate(derived_values.count_strengths(board, row)) if strength]
    ordered = sorted(there, key=lambda each: (-each[0], each[1]))
    chips = Text(" ").join(badges.render_chip(board, seat, strength) for strength, seat in ordered)
    return Text.assemble((f"{theme.SIDES[row['side']]} ", "bold"), names.name_entry(row)), chips or Text("–", "dim")
