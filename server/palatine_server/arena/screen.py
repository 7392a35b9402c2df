"""The arena on the screen: the table of contenders, who finishes before whom, and why moves were forfeited."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palatine_client.render.translations import Lang

from .ratings import Interval
from .report import ArenaReport, ContenderReport, ContenderTimes, StopReport
from .texts import describe_seats, say

MOST_COMPARED = 8  # contenders in the table of who finishes before whom; with more it is too wide


def print_report(out: Console, title: str, report: ArenaReport, times: Sequence[ContenderTimes], lang: Lang) -> None:
    """Print all figures of a run."""
    order = sorted(range(len(report.contenders)), key=lambda at: -report.contenders[at].share.value)
    out.print(Text(f"\n{title}\n", "bold"), build_table(report, times, order, lang), sep="\n")
    if 1 < len(order) <= MOST_COMPARED:
        out.print(Text(f"\n{say('ahead', lang)}\n", "bold"), build_comparison(report, order), sep="\n")
    out.print()
    for each in report.contenders:
        if each.forfeits:
            print_forfeits(out, each, lang)
    if report.stop:
        print_stop(out, report.stop, lang)
    _print_line(out, f"{say_seats(report, lang)} {say_played(report, lang)}")


def build_table(report: ArenaReport, times: Sequence[ContenderTimes], order: Sequence[int], lang: Lang) -> Table:
    """Build the table of all contenders, the best first."""
    table = _create_table(say("contender", lang))
    for key in ("share", "rating", "score", "games", "time", "slowest", "forfeits"):
        table.add_column(say(key, lang), justify="right", vertical="bottom", no_wrap=True)
    for at in order:
        each, time = report.contenders[at], times[at]
        table.add_row(
            Text(each.name, "bold"),
            format_share(each.share),
            format_rating(each.rating),
            f"{each.score:.1f}",
            f"{each.games:,}",
            f"{1000 * time.mean:.1f}" if time.mean else "–",
            f"{1000 * time.slowest:,.0f}" if time.slowest else "–",
            format_forfeits(each),
        )
    return table


def format_share(share: Interval) -> str:
    """Return a share of wins with its interval."""
    if share.low is None or share.high is None:
        return f"{share.value:.2f}"
    return f"{share.value:.2f} ({share.low:.2f}–{share.high:.2f})"


def format_rating(rating: Interval) -> str:
    """Return a rating with half of its interval."""
    return f"{rating.value:.1f}" + ("" if rating.high is None else f" ± {rating.high - rating.value:.1f}")


def format_forfeits(each: ContenderReport) -> Text:
    """Return the number of forfeited moves."""
    count = sum(each.forfeits.values())
    return Text(f"{count:,}", "red" if count else "dim")


def build_comparison(report: ArenaReport, order: Sequence[int]) -> Table:
    """Build the table that says how often each contender finishes before each other one."""
    table = _create_table("")
    for column in order:
        table.add_column(report.contenders[column].name, justify="right")
    for row in order:
        parts = (report.ahead[row][column] for column in order)
        table.add_row(report.contenders[row].name, *("" if part is None else f"{part:.0%}" for part in parts))
    return table


def print_forfeits(out: Console, each: ContenderReport, lang: Lang) -> None:
    """Print why moves were forfeited."""
    count = f"{sum(each.forfeits.values()):,}"
    kinds = ", ".join(f"{number:,} {say(kind, lang)}" for kind, number in sorted(each.forfeits.items()))
    _print_line(out, say("forfeit why", lang, name=each.name, count=count, kinds=kinds, why=each.why), "red")


def print_stop(out: Console, stop: StopReport, lang: Lang) -> None:
    """Print what the stop rule found."""
    bounds = {"upper": f"{stop.upper:.2f}", "lower": f"{stop.lower:.2f}", "ratio": f"{stop.ratio:.2f}"}
    words = say(stop.verdict, lang, name=stop.contender, low=f"{stop.low:g}", high=f"{stop.high:g}", **bounds)
    _print_line(out, words, "green" if stop.verdict == "H1" else "yellow")


def say_seats(report: ArenaReport, lang: Lang) -> str:
    """Return how the seats are filled in one sentence."""
    return describe_seats([each.name for each in report.contenders], report.arguments, report.players, lang)


def say_played(report: ArenaReport, lang: Lang) -> str:
    """Return what was played in one sentence."""
    return say(
        "played",
        lang,
        games=f"{report.games:,}",
        deals=f"{report.deals:,}",
        players=report.players,
        seed=report.seed,
        seconds=f"{report.seconds:g}",
    )


def _print_line(out: Console, line: str, style: str = "") -> None:
    out.print(line, style=style, markup=False, soft_wrap=True)


def _create_table(heading: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0))
    table.add_column(heading, vertical="bottom", no_wrap=True)
    return table
