"""The score sheet at the end of a game: a column for each player, a line for each reason, ranks and totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from .blocks import Block
from .elements import Markup, Number, group, path, rectangle
from .fonts import BOLD, SANS, TITLE, FontFace
from .paper import Paper
from .shapes import card
from .text_block import draw_block_around, draw_text, fit_text

HEAD, LINE, MARGIN = 62, 25, 14  # units
NARROW = 90  # a column without room for a crown
CROWN = "M2 6l5.500 4.500L12 3l4.500 7.500L22 6l-2 11H4zM4 18.800h16v2.700H4z"


@dataclass(frozen=True)
class Column:
    """The points of one player, line by line."""

    name: str
    rank: int
    points: Sequence[int]
    total: int
    tie_break: str
    fact: str
    draw_mark: Callable[[Number, Number, Number], Markup]  # at x and y, in a size


@dataclass(frozen=True)
class ScoreSheet:
    """The score sheet of a game."""

    title: str
    lines: Mapping[str, str]  # the labels by their ids
    total: str
    tie_break: str
    columns: Sequence[Column]
    paper: Paper

    def draw(self, width: Number) -> Block:
        """Return the sheet in this width."""
        height = HEAD + LINE * (len(self.lines) + 2) + 26
        first = width * (0.3 if len(self.columns) > 3 else 0.36)
        each = (width - first - MARGIN) / len(self.columns)
        parts = [
            card(1, 1, width - 2, height - 2, self.paper.card, self.paper.line, stroke_width=1.5),
            *self.draw_labels(first),
            self.draw_rule(width),
            *(
                group(self.draw_column(column, each), x=first + at * each, fact=column.fact)
                for at, column in enumerate(self.columns)
            ),
        ]
        return Block("".join(parts), width, height)

    def list_rows(self) -> list[float]:
        """List the middles of all lines, from the first reason to the tie break."""
        middles = [HEAD + LINE * (number + 0.5) for number in range(len(self.lines))]
        total = HEAD + LINE * len(self.lines) + 19
        return [*middles, total, total + LINE]

    def draw_labels(self, width: Number) -> list[Markup]:
        room, rows = width - MARGIN - 6, self.list_rows()
        title = draw_block_around(fit_text(self.title, room, TITLE, 24, smallest=14), MARGIN, 34, self.paper.ink)
        lines = [
            group([self.draw_label(text, SANS, 13, room, row)], fact=f"sheets/{line}")
            for (line, text), row in zip(self.lines.items(), rows, strict=False)
        ]
        total = self.draw_label(self.total, BOLD, 15, room, rows[-2])
        return [title, *lines, total, self.draw_label(self.tie_break, SANS, 11.5, room, rows[-1])]

    def draw_label(self, text: str, face: FontFace, size: float, room: Number, middle: Number) -> Markup:
        fill = self.paper.ink if face is BOLD else self.paper.muted
        return draw_block_around(fit_text(text, room, face, size, smallest=8.5), MARGIN, middle, fill)

    def draw_rule(self, width: Number) -> Markup:
        at = HEAD + LINE * len(self.lines) + 4
        return path(f"M{MARGIN} {at}H{width - MARGIN:g}", stroke=self.paper.line, stroke_width=1.5)

    def draw_column(self, column: Column, width: Number) -> list[Markup]:
        """Return mark, rank and name of a player, and the points below."""
        middle, (*rows, total, tie) = width / 2, self.list_rows()
        return [
            *self.draw_winner(column, width),
            column.draw_mark(middle - 13, 22, 24),
            draw_text(f"{column.rank}.", middle + 3, 28, 17, self.paper.ink, BOLD),
            draw_block_around(
                fit_text(column.name, width - 8, BOLD, 13, smallest=8), middle, 49, self.paper.ink, "middle"
            ),
            *(
                self.draw_points(points, middle, row)
                for points, row in zip(column.points, rows, strict=True)
            ),
            draw_text(str(column.total), middle, total + 7, 21, self.paper.ink, BOLD, "middle"),
            draw_text(column.tie_break, middle, tie + 4, 11.5, self.paper.muted, SANS, "middle"),
        ]  # fmt: skip

    def draw_points(self, points: int, x: Number, middle: Number) -> Markup:
        """Return the points of a line; none are a dot."""
        text, fill = (str(points), self.paper.ink) if points else ("·", self.paper.muted)
        return draw_text(text, x, middle + 5, 14, fill, SANS, "middle")

    def draw_winner(self, column: Column, width: Number) -> list[Markup]:
        """Return a frame around the column of a winner, with a crown."""
        if column.rank != 1:
            return []
        height = HEAD + LINE * len(self.lines) + 60
        frame = rectangle(3, 5, width - 6, height - 4, rx=8, fill="none", stroke=self.paper.accent, stroke_width=2.5)
        if width < NARROW:
            return [frame]
        crown = path(CROWN, transform=f"translate({width / 2 + 24:g} 13) scale(.75)", fill=self.paper.accent)
        return [frame, crown]
