"""The figures of all rounds as two comparisons, and the bars that Palatine must meet."""

from __future__ import annotations

from statistics import median

from bench.builds import REFERENCE
from bench.peers.contenders import PLACES, Place
from msgspec import Struct
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from palatine_client.load.report import Report

Rounds = dict[tuple[str, Place], list[Report]]
PALATINE, OLD, BARE = "Palatine", f"Palatine at {REFERENCE}", "bare Python server"
ENOUGH_OF_A_CORE = 0.8
COMPETITORS = ("boardgame.io", "Colyseus", "Colyseus with views")


class Figures(Struct, kw_only=True):
    """The medians of one contender."""

    name: str
    store: Place
    cpu_us_per_action: float  # of the servers' core: the server, and the store if it is there
    actions_per_second: float
    p50_ms: float
    p99_ms: float
    bytes_per_viewer: float
    generator_cpu: float
    core_share: float  # of the servers' core that it had; on a quiet machine nearly all of it
    rounds_us: list[float]  # the cost of each round

    @classmethod
    def of(cls, name: str, store: Place, reports: list[Report]) -> Figures:
        costs = [1e6 * report.server.cpu / report.actions_per_second for report in reports if report.server]
        return cls(
            name=name,
            store=store,
            cpu_us_per_action=median(costs),
            actions_per_second=median(report.actions_per_second for report in reports),
            p50_ms=median(report.delay_ms["p50"] for report in reports),
            p99_ms=median(report.delay_ms["p99"] for report in reports),
            bytes_per_viewer=median(report.bytes_per_action_and_viewer for report in reports),
            generator_cpu=median(report.generator_cpu for report in reports),
            core_share=median(report.server.cpu for report in reports if report.server),
            rounds_us=[round(cost, 1) for cost in costs],
        )


class Bar(Struct, kw_only=True):
    """A bar, and whether Palatine meets it."""

    words: str
    ratio: float
    is_met: bool


class Comparison(Struct, kw_only=True):
    """Everything that `make peers` found."""

    rounds: int
    figures: list[Figures]
    bars: list[Bar]

    @classmethod
    def of(cls, rounds: int, found: Rounds) -> Comparison:
        figures = [Figures.of(name, store, reports) for (name, store), reports in found.items()]
        comparison = cls(rounds=rounds, figures=figures, bars=[])
        comparison.bars = [*comparison.find_bars()] if comparison.find(PALATINE, "same core") else []
        return comparison

    def find(self, name: str, store: Place) -> Figures | None:
        return next((each for each in self.figures if (each.name, each.store) == (name, store)), None)

    def cost(self, name: str, store: Place) -> float:
        figures = self.find(name, store)
        assert figures is not None, (name, store)
        return figures.cpu_us_per_action

    def find_bars(self) -> list[Bar]:
        """Return the bars; all compare the core's time for an action, with the store on the server's core."""
        own = self.cost(PALATINE, "same core")
        old = own / self.cost(OLD, "same core")
        in_memory = self.cost("boardgame.io", "none") / own
        same_promise = self.cost("Colyseus with views", "same core") / own
        return [
            Bar(words=f"counter game at most 0.52 × of {REFERENCE}", ratio=old, is_met=old <= 0.52),
            Bar(words="at least 3.8 × boardgame.io in memory", ratio=in_memory, is_met=in_memory >= 3.8),
            Bar(
                words="at least 1 × Colyseus with views and the same promise",
                ratio=same_promise,
                is_met=same_promise >= 1.0,
            ),
        ]


def render_comparison(comparison: Comparison, is_same_promise: bool) -> RenderableType:
    """Return one of the two comparisons as a table."""
    title = (
        "Same promise: one awaited XADD, synced to disk, before each broadcast"
        if is_same_promise
        else "As shipped: boardgame.io and Colyseus keep everything in memory, Palatine syncs each action to disk"
    )
    table = Table("", title=title, title_justify="left")
    for place in PLACES:
        if comparison.find(PALATINE, place):
            heading = f"store on {'the same core' if place == 'same core' else 'another core'}"
            table.add_column(f"{heading}\ncore, µs", justify="right")
            for name in ("×\u2009Palatine", "actions/s", "p50, p99 ms"):
                table.add_column(f"\n{name}", justify="right")
    table.add_column("bytes to\na viewer", justify="right")
    for name in (PALATINE, OLD, BARE, *COMPETITORS):
        table.add_row(name, *_cells(comparison, name, is_same_promise))
    return table


def _cells(comparison: Comparison, name: str, is_same_promise: bool) -> list[str]:
    cells, size = [], 0.0
    for place in PLACES:
        own = comparison.find(PALATINE, place)
        is_in_memory = name in COMPETITORS and not is_same_promise
        figures = comparison.find(name, "none" if is_in_memory else place)
        if own and figures:
            ratio = figures.cpu_us_per_action / own.cpu_us_per_action
            delays = f"{figures.p50_ms:.1f}, {figures.p99_ms:.1f}"
            cells += [f"{figures.cpu_us_per_action:.0f}", f"{ratio:.2f}", f"{figures.actions_per_second:,.0f}", delays]
            size = figures.bytes_per_viewer
    return [*cells, f"{size:.0f}"]


def render_warning(comparison: Comparison) -> RenderableType:
    """Return a warning if other work took the core from the servers: then batches are small, and costs high."""
    least = min(figures.core_share for figures in comparison.figures)
    if least >= ENOUGH_OF_A_CORE:
        return ""
    words = f"The machine was busy: a server had only {100 * least:.0f} % of its core. Repeat this on a quiet machine."
    return Text(words, "yellow")


def render_bars(bars: list[Bar]) -> RenderableType:
    text = Text()
    for bar in bars:
        verdict, style = ("met", "green") if bar.is_met else ("not met", "red")
        text.append(f"{bar.words}: {bar.ratio:.2f} ×, ").append(verdict, style).append("\n")
    return text
