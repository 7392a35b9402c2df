"""`make bench`: what an action of the real games costs, in interleaved rounds beside the commit that bars refer to.

In process means the path of an action without sockets and store (see in_process.py). Over the wire means a server on
one core with its Valkey, saturated by `palatine load` from the other core. Both builds are compiled as they are
deployed. Ratios of one run are compared, because machines are shared.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from statistics import median
from typing import Annotated

import msgspec
import typer
from bench.builds import REFERENCE, NoReferenceError, build_both, find_interpreter, python_path
from bench.games.cases import CASES, WIRE_ALLOWANCE, Case
from bench.peers.contenders import ENVIRONMENT, SERVERS, Contender, pin, start_palatine
from bench.progress import Steps
from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text

from palatine_client.load.plan import Plan
from palatine_client.load.report import Report

IN_PROCESS = Path(__file__).with_name("in_process.py")
IN_PROCESS_TABLES = 64
NAMES = ("current", "reference")
SWEEP = (10, 100, 1_000, 5_000)  # tables


class Figure(Struct, kw_only=True):
    """A case, measured in one way: the medians of both builds, and what is compared with the bar."""

    case: str
    way: str
    current_us: float
    reference_us: float
    ratio: float
    bar: float | None
    is_met: bool | None
    delay_ms: dict[str, float] = {}  # of the current build, over the wire
    memory_mib: float = 0.0


def bench(
    rounds: Annotated[int, typer.Option(min=1, help="How often each is measured.")] = 5,
    actions: Annotated[int, typer.Option(min=100, help="In process, in each round.")] = 3_000,
    seconds: Annotated[float, typer.Option(min=0.5, help="Over the wire, in each round.")] = 5.0,
    tables: Annotated[int, typer.Option(min=1, help="Over the wire.")] = 64,
    wire: Annotated[bool, typer.Option(help="Measure over the wire too.")] = True,
    sweep: Annotated[bool, typer.Option("--sweep", help="Measure 10 to 5,000 tables of players who think.")] = False,
    scratch: Annotated[Path | None, typer.Option(help="Keep here what is compiled, for the next run.")] = None,
    reuse: Annotated[bool, typer.Option("--reuse", help="Measure what the last run compiled in --scratch.")] = False,
    json: Annotated[bool, typer.Option("--json", help="For programs: all figures as JSON.")] = False,
) -> None:
    """Measure what an action of the real games costs."""
    with ExitStack() as stack:
        folder = scratch or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="palatine-bench-")))
        folder.mkdir(parents=True, exist_ok=True)
        builds = prepare(folder.resolve(), reuse)
        figures = measure_in_process(builds, rounds, actions)
        if wire:
            figures += measure_over_the_wire(builds, rounds, seconds, tables)
        show(figures, rounds, json)
        if sweep:
            run_sweep(builds[0])


def prepare(scratch: Path, is_reused: bool) -> tuple[Path, Path]:
    with Steps(1) as steps:
        steps.next("compiling this checkout and the reference, which takes some minutes")
        try:
            return build_both(scratch, is_reused)
        except NoReferenceError as why:
            raise SystemExit(str(why)) from None


# In process


def measure_in_process(builds: tuple[Path, Path], rounds: int, actions: int) -> list[Figure]:
    python, found = find_interpreter(), defaultdict[tuple[Case, str], list[float]](list)
    with Steps(2 * rounds * len(CASES)) as steps:
        for case, name, code in interleave(builds, rounds):
            steps.next(f"in process: {case.name}, {name}")
            words = [python, str(IN_PROCESS), str(IN_PROCESS_TABLES), str(actions), case.game, str(case.players)]
            environment = {**ENVIRONMENT, "PYTHONPATH": python_path(code)}
            done = subprocess.run(pin(SERVERS, *words), env=environment, stdout=subprocess.PIPE, check=True)
            found[case, name].append(float(done.stdout))
    return [compare(case, "in process", case.bar, partial(get_costs, found, case)) for case in CASES]


def get_costs(found: dict[tuple[Case, str], list[float]], case: Case, name: str) -> list[float]:
    return found[case, name]


def interleave(builds: tuple[Path, Path], rounds: int) -> Iterator[tuple[Case, str, Path]]:
    """Yield every case with both builds, one right after the other, in changing order."""
    pair = [*zip(NAMES, builds, strict=True)]
    for number in range(rounds):
        for case in CASES:
            for name, code in pair if number % 2 == 0 else pair[::-1]:
                yield case, name, code


def compare(case: Case, way: str, bar: float | None, costs: Callable[[str], list[float]]) -> Figure:
    current, reference = (median(costs(name)) for name in NAMES)
    ratio = current / reference
    return Figure(
        case=case.name,
        way=way,
        current_us=round(current, 1),
        reference_us=round(reference, 1),
        ratio=round(ratio, 3),
        bar=bar,
        is_met=None if bar is None else ratio <= bar,
    )


# Over the wire


def measure_over_the_wire(builds: tuple[Path, Path], rounds: int, seconds: float, tables: int) -> list[Figure]:
    python, found = find_interpreter(), defaultdict[tuple[Case, str], list[Report]](list)
    with Steps(2 * rounds * len(CASES)) as steps:
        for case, name, code in interleave(builds, rounds):
            steps.next(f"over the wire: {case.name}, {name}")
            server = Contender(name, "same core", partial(start_palatine, python, code, "same core"))
            plan = Plan(url="", game=case.game, players=case.players, tables=tables, seconds=seconds)
            found[case, name].append(server.play(plan))
    return [describe_wire(case, found) for case in CASES]


def describe_wire(case: Case, found: dict[tuple[Case, str], list[Report]]) -> Figure:
    def costs(name: str) -> list[float]:
        return [report.server.cpu_us_per_action for report in found[case, name] if report.server]

    figure = compare(case, "over the wire", None if case.bar is None else case.bar + WIRE_ALLOWANCE, costs)
    current = found[case, "current"]
    figure.delay_ms = {p: median(report.delay_ms[p] for report in current) for p in ("p50", "p95", "p99")}
    figure.memory_mib = median(report.server.memory for report in current if report.server) / 2**20
    return figure


def run_sweep(code: Path) -> None:
    """Print what `palatine load` says of more and more tables of two whose players think for 8 to 16 seconds."""
    sizes = [word for size in SWEEP for word in ("--tables", str(size))]
    palatine = str(Path(sys.executable).with_name("palatine"))
    with start_palatine(find_interpreter(), code, "elsewhere") as server:
        url = server.generator(Plan(url="", game="", tables=0, players=0))[3]
        pids = [word for pid in server.pids for word in ("--pid", str(pid))]
        pace = ["--players", "2", "--think", "8", "16", "--warmup", "16", "--seconds", "30"]
        subprocess.run([palatine, "load", "--server", url, *sizes, *pace, *pids], check=True)


# What comes of it


def show(figures: list[Figure], rounds: int, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(msgspec.json.encode(figures).decode() + "\n")
        return
    title = f"µs of one core per action; medians of {rounds} interleaved rounds"
    table = Table("game and players", "", "now", REFERENCE, "ratio", "bar", title=title, title_justify="left")
    for name in ("p50, p95, p99 ms", "memory"):
        table.add_column(name)
    for figure in figures:
        delays = ", ".join(f"{delay:.1f}" for delay in figure.delay_ms.values())
        memory = f"{figure.memory_mib:.0f} MiB" if figure.memory_mib else ""
        costs = f"{figure.current_us:.0f}", f"{figure.reference_us:.0f}", f"{figure.ratio:.2f}"
        table.add_row(figure.case, figure.way, *costs, verdict(figure), delays, memory)
    Console(width=None if sys.stdout.isatty() else 130).print(table)


def verdict(figure: Figure) -> Text:
    if figure.bar is None:
        return Text("")
    return Text(f"≤ {figure.bar:.2f} ") + (Text("met", "green") if figure.is_met else Text("not met", "red"))


if __name__ == "__main__":
    typer.run(bench)
