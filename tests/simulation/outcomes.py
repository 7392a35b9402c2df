"""What processes tell each other of rehearsals."""

from __future__ import annotations

from contextlib import nullcontext
from time import process_time

from msgspec import Struct

from .mutants import MUTANTS
from .scenario import Report, rehearse

WITHIN = 50  # seeds in which a mutant must be found


class Outcome(Struct, frozen=True):
    """What one process has to say of one seed."""

    seed: int
    finding: str
    entries: int
    seconds: float
    reached: dict[str, int]
    trace: list[str]


def rehearsed(seed: int, mutant: str = "") -> Report:
    """One rehearsal, with a bug planted if one is named."""
    with MUTANTS[mutant].planted() if mutant else nullcontext():
        return rehearse(seed)


def outcome(seed: int, mutant: str = "") -> Outcome:
    """One rehearsal in short, and its trace if something was found."""
    begun = process_time()
    report = rehearsed(seed, mutant)
    finding = str(report.finding or "")
    trace = list(report.trace.lines()) if finding else []
    return Outcome(seed, finding, report.entries, process_time() - begun, report.reached, trace)


def first_seed_that_finds(mutant: str) -> tuple[int | None, str]:
    """Where a mutant is found by one of its laws, and how; whatever else goes wrong does not count."""
    outcomes = (outcome(seed, mutant) for seed in range(WITHIN))
    found = next((one for one in outcomes if one.finding), None)
    if found and found.finding.partition(":")[0] in MUTANTS[mutant].laws:
        return found.seed, found.finding
    return None, found.finding if found else ""
