"""The plot of an arena: shares of wins and ratings with their intervals, as SVG on light or dark paper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil, floor, log10

from palatine_client.render.look import Scheme
from palatine_client.render.svg.elements import Markup, circle, clean_name, document, path, rectangle
from palatine_client.render.svg.fonts import BOLD, SANS
from palatine_client.render.svg.paper import Paper, find_paper
from palatine_client.render.svg.text_block import draw_block_around, draw_text, fit_text
from palatine_client.render.translations import Lang

from .ratings import Interval
from .report import ArenaReport, ContenderReport
from .screen import say_played
from .texts import say

WIDTH, MARGIN, NAMES, PANEL_GAP = 960, 28, 170, 60
ROW, TOP, AXIS, FOOT = 42, 112, 34, 56
TICKS = 5  # about as many marks on an axis


class PlotAxis:
    """Maps values to places on one panel."""

    def __init__(self, values: Sequence[float], left: float, width: float) -> None:
        self.step = find_step((max(values) - min(values)) or 1.0)
        self.low = self.step * floor(min(values) / self.step)
        self.high = self.step * max(ceil(max(values) / self.step), self.low / self.step + 1)
        self.left, self.width = left, width

    def place(self, value: float) -> float:
        return self.left + self.width * (value - self.low) / (self.high - self.low)

    def marks(self) -> list[float]:
        return [self.low + self.step * number for number in range(round((self.high - self.low) / self.step) + 1)]


def find_step(span: float) -> float:
    """Return a round distance of marks."""
    rough = span / TICKS
    power = 10.0 ** floor(log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def draw_plot(report: ArenaReport, title: str, lang: Lang, scheme: Scheme) -> str:
    """Return the plot as an SVG document."""
    paper = find_paper(scheme)
    rows = sorted(report.contenders, key=lambda each: -each.share.value)
    height = TOP + AXIS + ROW * len(rows) + FOOT
    content = [
        rectangle(0, 0, WIDTH, height, fill=paper.page),
        draw_text(title, MARGIN, 40, 22, paper.ink, BOLD),
        *draw_names(rows, paper),
        *draw_panels(rows, paper, lang),
        *draw_foot(report, height, paper, lang),
    ]
    return document(WIDTH, height, content, title=f"{title}: {say('plot title', lang)}", lang=lang)


def draw_names(rows: Sequence[ContenderReport], paper: Paper) -> Iterator[Markup]:
    for number, each in enumerate(rows):
        name = fit_text(clean_name(each.name), NAMES - 12, BOLD, 16, smallest=11)
        yield draw_block_around(name, MARGIN, row_middle(number), paper.ink)


def draw_panels(rows: Sequence[ContenderReport], paper: Paper, lang: Lang) -> Iterator[Markup]:
    width = (WIDTH - 2 * MARGIN - NAMES - PANEL_GAP) / 2
    left = MARGIN + NAMES
    share, rating = [each.share for each in rows], [each.rating for each in rows]
    axis = PlotAxis([*ends(share), 0.0, 1.0], left, width)
    yield from draw_scale(len(rows), axis, say("plot title", lang), paper)
    yield draw_rule(axis.place(1.0), len(rows), paper.accent, 2)
    yield draw_text(say("fair", lang), axis.place(1.0), TOP - 13, 12, paper.accent, anchor="middle")
    yield from draw_intervals(share, axis, paper, "{:.2f}")
    right = PlotAxis(ends(rating), left + width + PANEL_GAP, width)
    yield from draw_scale(len(rows), right, say("rating title", lang), paper)
    yield from draw_intervals(rating, right, paper, "{:.1f}")


def ends(intervals: Sequence[Interval]) -> list[float]:
    found = (end for each in intervals for end in (each.low, each.value, each.high))
    return [end for end in found if end is not None]


def draw_scale(rows: int, axis: PlotAxis, heading: str, paper: Paper) -> Iterator[Markup]:
    """Yield the heading and the axis of a panel."""
    yield draw_text(heading, axis.left, TOP - 36, 15, paper.muted)
    for mark in axis.marks():
        yield draw_rule(axis.place(mark), rows, paper.line)
        yield draw_text(f"{mark:.10g}", axis.place(mark), row_middle(rows) + 6, 13, paper.muted, anchor="middle")


def draw_intervals(intervals: Sequence[Interval], axis: PlotAxis, paper: Paper, form: str) -> Iterator[Markup]:
    """Yield a point with its interval for each contender."""
    for number, each in enumerate(intervals):
        yield from draw_interval(each, axis, row_middle(number), paper, form)


def draw_interval(each: Interval, axis: PlotAxis, y: float, paper: Paper, form: str) -> Iterator[Markup]:
    """Yield a point, its interval, and its value in figures above the point."""
    value = axis.place(each.value)
    if each.low is not None and each.high is not None:
        low, high = axis.place(each.low), axis.place(each.high)
        line = f"M{low:.2f} {y:.2f}H{high:.2f}M{low:.2f} {y - 5:.2f}v10M{high:.2f} {y - 5:.2f}v10"
        yield path(line, stroke=paper.ink, stroke_width=2, fill="none")
    yield circle(value, y, 5.5, fill=paper.accent, stroke=paper.page, stroke_width=1.5)
    yield draw_text(form.format(each.value), value, y - 10, 13, paper.ink, BOLD, "middle")


def draw_rule(x: float, rows: int, colour: str, width: int = 1) -> Markup:
    top, bottom = TOP - 8, row_middle(rows) - 10
    return path(f"M{x:.2f} {top}V{bottom}", stroke=colour, stroke_width=width, fill="none")


def draw_foot(report: ArenaReport, height: float, paper: Paper, lang: Lang) -> Iterator[Markup]:
    note = say("plot note", lang, deals=f"{report.deals:,}")
    for number, line in enumerate((note, say_played(report, lang))):
        fitted = fit_text(line, WIDTH - 2 * MARGIN, SANS, 13, smallest=10)
        yield draw_block_around(fitted, MARGIN, height - 40 + 20 * number, paper.muted)


def row_middle(number: int) -> float:
    return TOP + ROW * (number + 0.5)
