"""The results of seeds, in a form that one process can send to another."""

from __future__ import annotations

from contextlib import nullcontext
from time import process_time

from msgspec import Struct

from .mutants import MUTANTS
from .scenario import SimulationReport, simulate

WITHIN = 50  # seeds in which a mutant must be found


class SeedResult(Struct, frozen=True):
    """The result of one seed."""

    seed: int
    finding: str
    entries: int
    seconds: float
    reached: dict[str, int]
    trace: list[str]


def simulate_mutant(seed: int, mutant: str = "") -> SimulationReport:
    """Simulate a seed, with a mutant if one is named."""
    with MUTANTS[mutant].plant() if mutant else nullcontext():
        return simulate(seed)


def run_seed(seed: int, mutant: str = "") -> SeedResult:
    """Simulate a seed and return its result, with the trace if an invariant was violated."""
    begun = process_time()
    report = simulate_mutant(seed, mutant)
    finding = str(report.finding or "")
    trace = list(report.trace.lines()) if finding else []
    return SeedResult(seed, finding, report.entries, process_time() - begun, report.reached, trace)


def first_seed_that_finds(mutant: str) -> tuple[int | None, str]:
    """Return the first seed that violates one of the invariants of a mutant, and the finding."""
    results = (run_seed(seed, mutant) for seed in range(WITHIN))
    found = next((one for one in results if one.finding), None)
    if found and found.finding.partition(":")[0] in MUTANTS[mutant].invariants:
        return found.seed, found.finding
    return None, found.finding if found else ""
