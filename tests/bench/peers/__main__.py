"""`make peers`: alternating rounds of all contenders, and how they compare.

Every contender has one core: its server, and with Palatine also the Valkey that syncs each action to disk. Palatine is
compiled as it is deployed, and runs on the quickest interpreter here. The load generator has the other core: tables of
four, the seats act in turn, the next one when all have seen the last action. Rounds alternate, so that whatever else
the machine does concerns all of them; the medians are compared. Because a busy machine takes time away from whoever is
measured, the time that an action costs on the core is compared as well. Beside them runs the least that a server in
Python can do with a store on disk: what it leaves below a bar is what all of Palatine's own work would have to fit in.
"""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from palatine_client.load.plan import Plan
from palatine_client.load.report import Report

from .contenders import GENERATOR, SERVERS, Contender, compiled, installed, interpreter, least, palatine, rival

BARS = {"boardgame.io": 5.0, "Colyseus": 1.0}
Rounds = dict[str, list[Report]]
console = Console(width=130)


def peers(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 3,
    seconds: Annotated[float, typer.Option(min=0.5, help="How long.")] = 5.0,
    tables: Annotated[int, typer.Option(min=1, help="Of four players each.")] = 64,
    store_elsewhere: Annotated[bool, typer.Option(help="Put Palatine's Valkey on the load generator's core.")] = False,
    scratch: Annotated[
        Path | None, typer.Option(help="Where npm installs; a new folder each time if not given.")
    ] = None,
) -> None:
    """Measure Palatine, boardgame.io and Colyseus with the same trivial game."""
    plan = Plan(url="", game="counter", tables=tables, players=4, at_once=1, warmup=3.0, seconds=seconds)
    with ExitStack() as stack:
        own = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palatine-peers-")))
        folder = scratch or own
        installed(folder)
        console.print(f"Palatine runs on {interpreter()}")
        contenders = [
            stack.enter_context(palatine(own, GENERATOR if store_elsewhere else SERVERS, compiled(folder))),
            stack.enter_context(least(own)),
            stack.enter_context(rival(folder, "boardgame.io", "boardgame.io", "boardgame_io.cjs")),
            stack.enter_context(rival(folder, "Colyseus", "colyseus", "colyseus.mjs")),
            stack.enter_context(rival(folder, "Colyseus with views", "colyseus", "colyseus.mjs", "views")),
        ]
        show(measured(contenders, plan, rounds))


def measured(contenders: list[Contender], plan: Plan, rounds: int) -> Rounds:
    """All rounds of all contenders, one after the other."""
    found: Rounds = {contender.name: [] for contender in contenders}
    for number in range(rounds):
        for contender in contenders:
            report = contender.play(plan)
            found[contender.name].append(report)
            console.print(f"round {number + 1}, {contender.name}: {report.actions_per_second:,.0f} actions/s")
    return found


# What comes of it


def rate(reports: list[Report]) -> float:
    return median(report.actions_per_second for report in reports)


def cost(reports: list[Report]) -> float:
    """Microseconds of the servers' core for one action."""
    return 1e6 * median(report.server.cpu / report.actions_per_second for report in reports if report.server)


def show(found: Rounds) -> None:
    own, *others = found.values()
    table = Table(
        "", "actions/s", "core, µs each", "p50, p99 ms", "bytes to a viewer", "generator", "Palatine by rate, by cost"
    )
    for name, reports in found.items():
        delays = ", ".join(f"{median(report.delay_ms[p] for report in reports):.1f}" for p in ("p50", "p99"))
        size = f"{median(report.bytes_per_action_and_viewer for report in reports):.0f}"
        busy = f"{100 * median(report.generator_cpu for report in reports):.0f} %"
        ratios = f"{rate(own) / rate(reports):.2f}, {cost(reports) / cost(own):.2f} ×"
        table.add_row(name, f"{rate(reports):,.0f}", f"{cost(reports):.0f}", delays, size, busy, ratios)
    console.print(table)
    for name, bar in BARS.items():
        ratio = rate(own) / rate(found[name])
        verdict = "[green]reached[/]" if ratio >= bar else "[red]not reached[/]"
        console.print(f"at least {bar:g} × {name}: {ratio:.2f} ×, {verdict}")


if __name__ == "__main__":
    typer.run(peers)
