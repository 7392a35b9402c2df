"""What processes tell each other of simulations."""

from __future__ import annotations

from contextlib import nullcontext
from time import process_time

from msgspec import Struct

from .mutants import MUTANTS
from .scenario import SimulationReport, simulate

WITHIN = 50  # seeds in which a mutant must be found


class SeedResult(Struct, frozen=True):
    """What one process has to say of one seed."""

    seed: int
    finding: str
    entries: int
    seconds: float
    reached: dict[str, int]
    trace: list[str]


def simulate_mutant(seed: int, mutant: str = "") -> SimulationReport:
    """One simulation, with a bug planted if one is named."""
    with MUTANTS[mutant].plant() if mutant else nullcontext():
        return simulate(seed)


def run_seed(seed: int, mutant: str = "") -> SeedResult:
    """One simulation in short, and its trace if something was found."""
    begun = process_time()
    report = simulate_mutant(seed, mutant)
    finding = str(report.finding or "")
    trace = list(report.trace.lines()) if finding else []
    return SeedResult(seed, finding, report.entries, process_time() - begun, report.reached, trace)


def first_seed_that_finds(mutant: str) -> tuple[int | None, str]:
    """Where a mutant is found by one of its invariants, and how; whatever else goes wrong does not count."""
    results = (run_seed(seed, mutant) for seed in range(WITHIN))
    found = next((one for one in results if one.finding), None)
    if found and found.finding.partition(":")[0] in MUTANTS[mutant].invariants:
        return found.seed, found.finding
    return None, found.finding if found else ""
