"""The verdict of a run, as a table for people and as JSON for programs."""

from __future__ import annotations

from chaos.checker import ALL, CheckResult
from msgspec import Struct
from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

OK, VIOLATED, VOID = 0, 1, 2  # exit codes
WORDS = {OK: "[bold green]held[/]", VIOLATED: "[bold red]violated[/]", VOID: "[bold yellow]void[/]"}
MOST_SAID = 10


class LatencyStats(Struct, frozen=True):
    """Seconds until requests were acknowledged, and the longest time without any acknowledgement."""

    median: float
    p99: float
    worst: float
    silence: float


class FaultStats(Struct, frozen=True):
    """How often a fault came, and the longest time until a request was acknowledged again."""

    times: int
    back: float


class Verdict(Struct, kw_only=True):
    """The result of a run."""

    store: str
    nodes: int
    seed: int
    seconds: float
    load: float  # load average per core
    faults: dict[str, FaultStats]
    clients: int
    refused: int
    judgement: CheckResult
    equal_after: float | None  # seconds after the last fault; None: never
    within: float
    reached: dict[str, int]
    unmade: list[str]  # ways to lose a primary that this machine does not allow
    stuck: bool  # no request was acknowledged any more
    broken: int  # tables that an error of the server ended
    said: list[str]  # lines that the nodes wrote to standard error
    times: LatencyStats

    @property
    def is_violated(self) -> bool:
        late = self.equal_after is None or self.equal_after > self.within
        return any(self.judgement.violations.values()) or late or self.stuck or self.broken > 0

    @property
    def missing(self) -> list[str]:
        """Return sentences about everything that a run must reach and this one did not."""
        unreached = ", ".join(name for name, count in self.reached.items() if not count)
        sentences = {
            f"never happened: {unreached}; use a longer run": unreached,
            "no fault was injected; use a longer run": not self.faults,
            "no request was acknowledged": not self.judgement.acks,
            f"without network namespaces, which need root, no primary could be {self._ways()}": self.unmade,
        }
        return [sentence for sentence, is_so in sentences.items() if is_so]

    def _ways(self) -> str:
        return " or ".join(sorted({*self.unmade}))

    @property
    def is_void(self) -> bool:
        return bool(self.missing)

    @property
    def code(self) -> int:
        if self.is_violated:
            return VIOLATED
        return VOID if self.is_void else OK


def print_table(out: Console, verdict: Verdict) -> None:
    """Print the table, then examples of violations and what is missing."""
    out.print(render_verdict(verdict))
    for example in verdict.judgement.examples:
        out.print(f"  [red]✗[/] {escape(example[:300])}", soft_wrap=True, highlight=False)
    for sentence in verdict.missing:
        out.print(f"  [yellow]![/] {escape(sentence)}", soft_wrap=True, highlight=False)


def render_verdict(verdict: Verdict) -> Table:
    judgement, times = verdict.judgement, verdict.times
    title = f"{verdict.store}, {verdict.nodes} node{'s' * (verdict.nodes > 1)}, seed {verdict.seed}"
    table = Table(title=title, box=box.SIMPLE_HEAD, show_header=False, title_justify="left", title_style="bold")
    table.add_column(no_wrap=True)
    table.add_column(justify="right")
    table.add_column(style="dim")
    for kind, stats in verdict.faults.items():
        table.add_row(kind, f"{stats.times:,}", f"recovered within {stats.back:.1f} s")
    table.add_row("acknowledged", f"{judgement.acks:,}", f"{judgement.acks / verdict.seconds:,.0f} per second")
    table.add_row("tables", f"{judgement.tables:,}", f"{verdict.clients:,} clients at once")
    table.add_section()
    if judgement.lost:
        table.add_row("lost by the rollback", f"{judgement.lost:,}", "acknowledged, then rolled back")
    for kind in ALL:
        table.add_row(kind, render_count(judgement.violations.get(kind, 0)), "must be 0")
    table.add_row("tables broken on a node", render_count(verdict.broken), "must be 0")
    table.add_row("players without progress", "[red]all[/]" if verdict.stuck else "[green]0[/]", "must be 0")
    table.add_row(
        "all clients agree after", render_recovery(verdict), f"{verdict.within:.0f} s after the last fault allowed"
    )
    table.add_section()
    for name, count in verdict.reached.items():
        table.add_row(name, f"{count:,}" if count else "[yellow]0[/]", "must happen")
    table.add_section()
    waits = f"{1000 * times.median:,.0f} ms, {1000 * times.p99:,.0f} ms, {times.worst:.2f} s"
    table.add_row("latency: median, p99, worst", waits, "of acknowledgements")
    table.add_row("longest gap", f"{times.silence:.2f} s", "without acknowledgements")
    table.add_row("refused by the rules", f"{verdict.refused:,}", "another player was faster")
    table.add_section()
    note = f"{verdict.seconds:,.0f} s; load {verdict.load:.1f} per core"
    table.add_row("[bold]verdict[/]", WORDS[verdict.code], note)
    return table


def render_count(count: int) -> str:
    return f"[red]{count:,}[/]" if count else "[green]0[/]"


def render_recovery(verdict: Verdict) -> str:
    if verdict.equal_after is None:
        return "[red]never[/]"
    colour = "green" if verdict.equal_after <= verdict.within else "red"
    return f"[{colour}]{verdict.equal_after:.2f} s[/]"
