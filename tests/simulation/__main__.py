"""The command `python -m tests.simulation`: simulate many seeds, one seed with its trace, or all mutants."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from .mutants import MUTANTS
from .outcomes import SeedResult, first_seed_that_finds, run_seed, simulate_mutant

MOST_SHOWN = 3  # findings; more are only counted
LAST_LINES = 40
console = Console(highlight=False, soft_wrap=True)
app = typer.Typer(add_completion=False)


@app.command()
def main(
    seeds: Annotated[int, typer.Option(help="Number of seeds to simulate.")] = 1000,
    first: Annotated[int, typer.Option(help="The first seed.")] = 0,
    processes: Annotated[int, typer.Option(help="Number of processes.")] = os.cpu_count() or 1,
    seed: Annotated[int | None, typer.Option(help="Simulate only this seed, and print its whole trace.")] = None,
    mutant: Annotated[str, typer.Option(help="Plant this mutant (a bug) in the code.")] = "",
    mutants: Annotated[
        bool, typer.Option(help="Plant each mutant in turn, and print the first seed that finds it.")
    ] = False,
) -> None:
    """Simulate nodes, a store and players with injected faults, in one process on a virtual clock.

    The exit code is 1 if an invariant was violated, or with --mutants if a mutant was not found.
    """
    if mutant and mutant not in MUTANTS:
        raise typer.BadParameter(f"There is no mutant {mutant!r}. Choose from: {', '.join(MUTANTS)}.")
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        if mutants:
            failures = _run_mutants(pool)
        elif seed is not None:
            failures = _run_one(seed, mutant)
        else:
            failures = _run_many(pool, range(first, first + seeds), mutant)
    raise typer.Exit(1 if failures else 0)


def _run_one(seed: int, mutant: str) -> int:
    report = simulate_mutant(seed, mutant)
    console.print(report.plan)
    for line in report.trace.lines():
        console.print(line, markup=False)
    console.print(f"[bold]{report.finding or 'no invariant was violated'}[/]  trace {report.trace.digest()[:16]}")
    return int(report.finding is not None)


def _run_many(pool: ProcessPoolExecutor, seeds: range, mutant: str) -> int:
    results = pool.map(run_seed, seeds, [mutant] * len(seeds), chunksize=8)
    done = list(_show_findings(track(results, "simulating", len(seeds), console=console), mutant))
    found, seconds = [one for one in done if one.finding], sum(one.seconds for one in done)
    reached: Counter[str] = sum((Counter(one.reached) for one in done), Counter())
    for path, number in sorted(reached.items()):
        console.print(f"  {path:<32}{number:>9}")
    entries = sum(one.entries for one in done)
    pace = f"{seconds:.0f} s of CPU: {60 * len(done) / seconds:.0f} seeds per minute and core"
    console.print(f"{len(done)} seeds, {entries} entries, {pace}; [bold]{len(found)} violations[/]")
    return len(found)


def _show_findings(results: Iterable[SeedResult], mutant: str) -> Iterator[SeedResult]:
    """Yield all results, and print the first findings as they come."""
    for one in results:
        yield one
        if one.finding:
            _show(one, mutant)


_shown = iter(range(MOST_SHOWN))


def _show(one: SeedResult, mutant: str) -> None:
    for _ in islice(_shown, 1):
        for line in one.trace[-LAST_LINES:]:
            console.print(line, markup=False)
        planted = f" --mutant {mutant}" if mutant else ""
        console.print(f"[bold red]seed {one.seed}[/]: {one.finding}")
        console.print(f"repeat it with its whole trace: python -m tests.simulation --seed {one.seed}{planted}\n")


def _run_mutants(pool: ProcessPoolExecutor) -> int:
    found = dict(zip(MUTANTS, pool.map(first_seed_that_finds, MUTANTS), strict=True))
    for name, (seed, how) in found.items():
        where = f"seed {seed:>2}" if seed is not None else "[bold red]not found[/]"
        console.print(f"{where}  {name}: {MUTANTS[name].sentence}\n         {how[:120]}")
    return sum(seed is None for seed, _ in found.values())


if __name__ == "__main__":
    app()
