"""What a load run found, for people and for programs."""

from __future__ import annotations

from msgspec import Struct
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from .plan import Plan
from .server_processes import ServerProcesses
from .tally import Tally

TOO_BUSY = 0.9  # of a core: a process of ours that takes more may be slower than the server


class ServerReport(Struct, kw_only=True):
    """What the run did to the server."""

    cpu: float  # share of a core
    memory: int  # bytes
    memory_before: int

    @classmethod
    def of(cls, server: ServerProcesses) -> ServerReport:
        return cls(cpu=round(server.cpu(), 3), memory=server.memory(), memory_before=server.memory_before)


class Report(Struct, kw_only=True):
    """All figures of a run."""

    plan: Plan
    seconds: float
    connections: int
    actions: int
    actions_per_second: float
    delay_ms: dict[str, float]  # from sending an action until all its viewers have it: p50, p95, p99
    bytes_per_action_and_viewer: float
    errors: dict[str, int]
    generator_cpu: float  # share of a core, of the busiest process
    generator_was_the_bottleneck: bool
    server: ServerReport | None

    @classmethod
    def of(cls, plan: Plan, tally: Tally, server: ServerReport | None) -> Report:
        return cls(
            plan=plan,
            seconds=round(tally.seconds, 3),
            connections=tally.connections,
            actions=tally.actions,
            actions_per_second=round(tally.rate, 1),
            delay_ms={f"p{share}": round(tally.delay(share / 100), 3) for share in (50, 95, 99)},
            bytes_per_action_and_viewer=round(tally.bytes_each, 1),
            errors=tally.errors,
            generator_cpu=round(tally.busy, 3),
            generator_was_the_bottleneck=tally.busy >= TOO_BUSY,
            server=server,
        )


def shown(report: Report) -> RenderableType:
    """The report as a table."""
    plan, delay = report.plan, report.delay_ms
    table = Table(show_header=False, title=_title(plan), title_justify="left")
    if plan.tables:
        table.add_row("actions", f"{report.actions_per_second:,.0f} per second, {report.actions:,} in all")
        table.add_row("to all viewers", f"p50 {delay['p50']:.2f} ms, p95 {delay['p95']:.2f}, p99 {delay['p99']:.2f}")
        table.add_row("bytes", f"{report.bytes_per_action_and_viewer:,.0f} per action and viewer")
    table.add_row("connections", f"{report.connections:,}")
    table.add_row("refused or lost", ", ".join(f"{code}: {n:,}" for code, n in report.errors.items()) or "nothing")
    if report.server:
        table.add_row("server", _of_server(report.server, 0 if plan.tables else report.connections))
    table.add_row("this tool", _of_generator(report))
    return table


def _title(plan: Plan) -> str:
    pace = "as fast as it goes" if plan.think is None else f"{plan.think[0]:g} to {plan.think[1]:g} s of thought"
    tables = f"{plan.tables:,} tables of {plan.game}, {plan.players} players, {plan.spectators} spectators, {pace}"
    return tables if plan.tables else f"{plan.idle:,} idle connections"


def _of_server(server: ServerReport, connections: int) -> str:
    grown = server.memory - server.memory_before
    each = f", {grown / 1024 / connections:.1f} KiB per connection" if connections else ""
    return f"{100 * server.cpu:.1f} % of a core, {server.memory / 2**20:,.1f} MiB ({grown / 2**20:+,.1f}{each})"


def _of_generator(report: Report) -> Text | str:
    busy = f"{100 * report.generator_cpu:.0f} % of a core in its busiest process"
    if report.generator_was_the_bottleneck:
        return Text(f"{busy}: it was the bottleneck; use more --processes", "yellow")
    return busy
