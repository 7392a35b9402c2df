"""The report of a load run, as data and as text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .counters import Counters
from .plan import Plan
from .server_processes import ServerProcesses

TOO_BUSY = 0.9  # share of a core; a worker that uses more may be slower than the server
OWN_SHARE = 0.3  # share of a delay; if the tool itself causes more of it, the delay says little about the server
OWN_LEAST = 2.0  # milliseconds that the tool may always add, because the timers of an event loop are no more precise
STARVED = 0.1  # share of the time; a server that waits longer for a core is slow because the machine is busy
AGREES_WITHIN = 2.0  # the tool's delay may be this many times that of the probe, plus OWN_LEAST
FEWEST_ACTIONS = {"p50": 20, "p95": 100}  # of tool and probe each; with fewer, a percentile means nothing


class ServerReport(Struct, kw_only=True):
    """The resources that the server used during the run."""

    cpu: float  # share of a core
    cpu_us_per_action: float  # microseconds of CPU time per action
    starved: float  # share of the time in which the server was ready to run, but other processes had the core
    memory: int  # bytes
    memory_before: int

    @classmethod
    def of(cls, server: ServerProcesses, rate: float = 0.0) -> ServerReport:
        cpu = server.cpu()
        each = round(1e6 * cpu / rate, 1) if rate else 0.0
        return cls(
            cpu=round(cpu, 3),
            cpu_us_per_action=each,
            starved=round(server.starved(), 3),
            memory=server.memory(),
            memory_before=server.memory_before,
        )


class ProbeReport(Struct, kw_only=True):
    """The figures of the probe, from one table and a connection that pings, in milliseconds."""

    actions: int
    delay_ms: dict[str, float]  # from sending an action until all its viewers have it
    ping_ms: dict[str, float]
    wait_ms: dict[str, float]  # the delay that the probe itself adds

    @classmethod
    def of(cls, counters: Counters) -> ProbeReport:
        return cls(
            actions=counters.actions,
            delay_ms=counters.delays.percentiles(),
            ping_ms=counters.pings.percentiles(),
            wait_ms=counters.waits.percentiles(),
        )


class Report(Struct, kw_only=True):
    """All figures of a run."""

    plan: Plan
    seconds: float
    connections: int
    actions: int
    actions_per_second: float
    delay_ms: dict[str, float]  # from sending an action until all its viewers have it: p50, p95, p99, max
    bytes_per_action_and_viewer: float
    errors: dict[str, int]
    generator_cpu: float  # share of a core, of the busiest process
    generator_wait_ms: dict[str, float]  # how long a message that arrives at a random moment waits for this tool
    generator_gc_ms: dict[str, float]  # pauses of the tool's garbage collector, which are part of that wait
    generator_was_the_bottleneck: bool
    doubts: list[str]  # reasons why the figures say little about the server; if empty, they can be trusted
    server: ServerReport | None
    probe: ProbeReport | None = None

    @classmethod
    def of(
        cls, plan: Plan, counters: Counters, server: ServerReport | None, probe: ProbeReport | None = None
    ) -> Report:
        delay, wait = counters.delays.percentiles(), counters.waits.percentiles()
        own = [*_own_doubts(counters.busy, delay, wait)]
        others = [*_lost_doubts(plan, counters), *_machine_doubts(server)]
        return cls(
            plan=plan,
            seconds=round(counters.seconds, 3),
            connections=counters.connections,
            actions=counters.actions,
            actions_per_second=round(counters.rate, 1),
            delay_ms=delay,
            bytes_per_action_and_viewer=round(counters.bytes_each, 1),
            errors=counters.errors,
            generator_cpu=round(counters.busy, 3),
            generator_wait_ms=wait,
            generator_gc_ms=counters.collections.percentiles(),
            generator_was_the_bottleneck=bool(own),
            doubts=[*own, *others, *_probe_doubts(counters.actions, delay, probe)],
            server=server,
            probe=probe,
        )


# Whether the figures can be trusted


def _own_doubts(busy: float, delay: dict[str, float], wait: dict[str, float]) -> Iterable[str]:
    """Yield the reasons for doubt that this tool itself causes."""
    if busy >= TOO_BUSY:
        yield f"a process of this tool took {100 * busy:.0f} % of a core: use more --processes"
    for p in ("p50", "p95", "p99"):
        if delay[p] and wait[p] > max(OWN_LEAST, OWN_SHARE * delay[p]):
            yield f"of the {p} of {delay[p]:.1f} ms, up to {wait[p]:.1f} are pauses of this tool or its machine"


def _lost_doubts(plan: Plan, counters: Counters) -> Iterable[str]:
    if counters.seconds and counters.connections < plan.connections:
        yield f"{plan.connections - counters.connections:,} of {plan.connections:,} connections are lost"


def _machine_doubts(server: ServerReport | None) -> Iterable[str]:
    if server and server.starved > STARVED:
        yield f"other work on this machine kept the server waiting for a core {100 * server.starved:.0f} % of the time"


def _probe_doubts(actions: int, delay: dict[str, float], probe: ProbeReport | None) -> Iterable[str]:
    """Yield the figures in which the independent probe differs from the tool."""
    if probe is None:
        return
    for p, fewest in FEWEST_ACTIONS.items():
        is_known = min(actions, probe.actions) >= fewest
        if is_known and delay[p] > AGREES_WITHIN * probe.delay_ms[p] + OWN_LEAST:
            yield f"the probe saw a {p} of {probe.delay_ms[p]:.1f} ms where this tool saw {delay[p]:.1f}"


# The report as text


def render_report(report: Report) -> RenderableType:
    """Return the report as a table."""
    plan = report.plan
    table = Table(show_header=False, title=_title(plan), title_justify="left")
    if plan.tables:
        table.add_row("actions", f"{report.actions_per_second:,.0f} per second, {report.actions:,} in all")
        table.add_row("to all viewers", _times(report.delay_ms))
        table.add_row("bytes", f"{report.bytes_per_action_and_viewer:,.0f} per action and viewer")
    table.add_row("connections", f"{report.connections:,} of {plan.connections:,}")
    table.add_row("refused or lost", ", ".join(f"{code}: {n:,}" for code, n in report.errors.items()) or "nothing")
    if report.server:
        table.add_row("server", _of_server(report.server, plan, report.connections))
    for name, words in _of_probe(report.probe):
        table.add_row(name, words)
    table.add_row("this tool itself", _of_generator(report))
    table.add_row("trustworthy", _verdict(report))
    return table


def render_comparison(reports: Sequence[Report]) -> RenderableType:
    """Return one row for each of several runs, narrow enough for a small terminal."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=0)
    table.add_column("game, players", no_wrap=True)
    for name in ("tables", "acts/s", "p50\nms", "\np95", "\np99", "probe's\np95", "core\nµs", "KiB per\ntable"):
        table.add_column(name, justify="right")
    table.add_column("trust")
    for report in reports:
        plan, delay, probe = report.plan, report.delay_ms, report.probe
        table.add_row(
            f"{plan.game} {plan.players}",
            f"{plan.tables:,}",
            f"{report.actions_per_second:,.0f}",
            *(f"{delay[p]:.1f}" for p in ("p50", "p95", "p99")),
            f"{probe.delay_ms['p95']:.1f}" if probe else "",
            *_server_cells(report),
            Text("no", "yellow") if report.doubts else Text("yes", "green"),
        )
    return table


def _server_cells(report: Report) -> tuple[str, str]:
    server = report.server
    if server is None:
        return "", ""
    grown = (server.memory - server.memory_before) / 1024 / max(report.plan.tables, 1)
    return f"{server.cpu_us_per_action:,.0f}", f"{grown:,.0f}"


def _title(plan: Plan) -> str:
    pace = "as fast as it goes" if plan.think is None else f"{plan.think[0]:g} to {plan.think[1]:g} s of thought"
    tables = f"{plan.tables:,} tables of {plan.game}, {plan.players} players, {plan.spectators} spectators, {pace}"
    return tables if plan.tables else f"{plan.idle:,} idle connections"


def _times(found: dict[str, float]) -> str:
    return f"p50 {found['p50']:.2f} ms, p95 {found['p95']:.2f}, p99 {found['p99']:.2f}, longest {found['max']:.1f}"


def _of_server(server: ServerReport, plan: Plan, connections: int) -> str:
    grown = server.memory - server.memory_before
    many, what = (plan.tables, "table") if plan.tables else (connections, "connection")
    each = f", {grown / 1024 / many:.1f} KiB per {what}" if many else ""
    cost = f" ({server.cpu_us_per_action:,.0f} µs per action)" if server.cpu_us_per_action else ""
    return f"{100 * server.cpu:.1f} % of a core{cost}, {server.memory / 2**20:,.1f} MiB ({grown / 2**20:+,.1f}{each})"


def _of_probe(probe: ProbeReport | None) -> Iterable[tuple[str, str]]:
    if probe is not None:
        if probe.actions:
            yield "probe, to all viewers", _times(probe.delay_ms)
        yield "probe, ping", _times(probe.ping_ms)


def _of_generator(report: Report) -> str:
    busy = f"{100 * report.generator_cpu:.0f} % of a core in its busiest process"
    return f"pauses: {_times(report.generator_wait_ms)}; garbage {report.generator_gc_ms['max']:.1f}; {busy}"


def _verdict(report: Report) -> Text:
    if not report.doubts:
        return Text("yes: the tool's own pauses explain little of these times", "green")
    heading = "no: the tool was the bottleneck" if report.generator_was_the_bottleneck else "doubtful"
    return Text("\n".join([heading, *report.doubts]), "yellow")
