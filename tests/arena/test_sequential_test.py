"""The stop rule: it is wrong at most about as often as it promises, and it stops early."""

from __future__ import annotations

from random import Random

import pytest

from palatine_server.arena.sequential_test import LEAST_DEALS, LOWER, UPPER, SequentialTest

TEST = SequentialTest(low=1.0, high=1.3)
RUNS, MOST = 300, 2_000


def run(share: float, rng: Random) -> tuple[str, int]:
    """Play deals of four games until the rule decides; by chance, each game is won with a probability of a quarter."""
    shares: list[float] = []
    while len(shares) < MOST:
        shares.append(sum(rng.random() < share / 4 for _ in range(4)))
        verdict = TEST.decide(shares)
        if verdict != "open":
            return verdict, len(shares)
    return "open", MOST


@pytest.mark.parametrize(("share", "right"), [(1.0, "H0"), (1.3, "H1")])
def test_the_rule_is_wrong_in_about_one_of_twenty_runs(share: float, right: str) -> None:
    rng = Random(7)
    verdicts = [run(share, rng) for _ in range(RUNS)]
    wrong = sum(verdict != right for verdict, _ in verdicts)
    assert wrong <= 0.08 * RUNS
    assert sum(deals for _, deals in verdicts) / RUNS < 200


def test_the_bounds_are_those_of_wald() -> None:
    assert (round(UPPER, 3), round(LOWER, 3)) == (2.944, -2.944)


def test_a_few_deals_decide_nothing() -> None:
    assert TEST.decide([4.0] * (LEAST_DEALS - 1)) == "open"
    assert TEST.decide([4.0] * LEAST_DEALS) == "H1"
    assert TEST.decide([]) == "open"
