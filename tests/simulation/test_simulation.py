"""Simulations of nodes, store and players on a virtual clock: correct code passes every seed, and every mutant fails.

make simulate                                    thousands of seeds
python -m tests.simulation --seed 7              one, with its whole trace
python -m tests.simulation --mutants             which seed finds which mutant
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from simulation.mutants import MUTANTS
from simulation.outcomes import WITHIN, first_seed_that_finds
from simulation.scenario import simulate

SEEDS, PARTS = 240, 3  # PARTS is prime to ten, so that each part has all themes
HERE = Path(__file__).parents[2]
DIGESTS = """
from tests.simulation.scenario import simulate
print(*(simulate(seed).trace.digest() for seed in range(5)))
"""

# The seeds together must take all of these paths.
RARE = {
    "append: duplicate",
    "append: full disk",
    "append: idreused",
    "append: no answer",
    "append: stale",
    "bye: 1011",
    "bye: 1012",
    "entry: bot",
    "entry: leave",
    "entry: note_away",
    "entry: overdue",
    "entry: take_back",
    "entry: the last one",
    "entry: undo",
    "failover: entries lost",
    "load: damaged",
    "lost: try_again",
    "refused: not_offered",
    "refused: nothing_proposed",
    "refused: not_your_turn",
    "refused: request_id_reused",
    "refused: stale_offer",
    "refused: try_again",
    "reply: repeated",
    "find_request: duplicate",
    "told: older update",
    "told: snapshot",
    "upgrade: 1",
    "upgrade: 2",
}


@pytest.mark.parametrize("part", range(PARTS))
def test_healthy_code_passes_every_seed_and_rare_paths_are_taken(part: int) -> None:
    reached: Counter[str] = Counter()
    for seed in range(part, SEEDS, PARTS):
        report = simulate(seed)
        assert report.finding is None, f"{report.finding}; python -m tests.simulation --seed {seed}"
        reached += report.reached
    assert set(reached) >= RARE


def test_offers_lapse_in_the_seeds_of_that_theme() -> None:
    assert any(simulate(seed).reached["entry: lapse"] for seed in range(9, 50, 10))


@pytest.mark.parametrize("name", MUTANTS)
def test_every_mutant_is_found_by_one_of_its_laws(name: str) -> None:
    seed, finding = first_seed_that_finds(name)
    assert seed is not None, f"{MUTANTS[name].sentence} {WITHIN} seeds found: {finding or 'nothing'}"


def test_there_are_mutants_enough() -> None:
    assert len(MUTANTS) >= 20


def test_the_same_seed_is_the_same_rehearsal_also_in_another_process() -> None:
    here = [simulate(seed).trace.digest() for seed in range(5)]
    for hash_seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        command = [sys.executable, "-c", DIGESTS]
        there = subprocess.run(command, env=environment, cwd=HERE, capture_output=True, text=True)
        assert there.stdout.split() == here, there.stderr


def test_other_seeds_are_other_rehearsals() -> None:
    assert len({simulate(seed).trace.digest() for seed in range(10)}) == 10
