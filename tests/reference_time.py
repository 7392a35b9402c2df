"""Processor time of some work beside that of a fixed reference in the same run, so that a slow machine fails no test.

A bar in seconds means the machine on which the reference takes `REFERENCE_SECONDS`, idle. A machine that is three times
slower, or busy, slows the reference down as well, so the scaled times stay what they are. Slow code does not.

`PYTHONPATH=tests python -m reference_time` prints what the reference takes here.
"""

from __future__ import annotations

import gc
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any, NamedTuple, TypeVar

REFERENCE_SECONDS = 0.000_700  # what the command above printed on the machine on which the bars were stated


T = TypeVar("T")


class Piece(NamedTuple):
    """Something small, as documents and drawings consist of."""

    name: str
    x: int
    points: float


def run_reference() -> str:
    """Do what our Python does most: make small objects, look them up, compare, sort, and write text."""
    pieces = [Piece(f"piece {number % 97}", number * 7 % 31, number / 3) for number in range(300)]
    totals: dict[str, float] = {}
    for piece in pieces:
        totals[piece.name] = totals.get(piece.name, 0.0) + max(piece.points, piece.x)
    ordered = sorted(pieces, key=lambda piece: (piece.x, -piece.points))
    lines = [f'<text x="{piece.x:g}" y="{round(piece.points, 2)}">{piece.name}</text>' for piece in ordered]
    return "".join(lines).replace("&", "&amp;") + "".join(f"{name}={total:.1f}" for name, total in totals.items())


class ScaledTimes:
    """The processor times of some work, each measured right after a run of the reference."""

    def __init__(self) -> None:
        self._work: list[float] = []
        self._reference: list[float] = []

    def measure(self, work: Callable[[], T]) -> T:
        """Do some work once, and return what it returns."""
        self._reference.append(take_time(run_reference)[0])
        seconds, result = take_time(work)
        self._work.append(seconds)
        return result

    @property
    def best(self) -> float:
        """The seconds of the quickest try."""
        return min(self._work) * REFERENCE_SECONDS / min(self._reference)

    @property
    def each(self) -> list[float]:
        """The seconds of every try."""
        scale = REFERENCE_SECONDS / median(self._reference)
        return [seconds * scale for seconds in self._work]


def take_time(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the seconds of processor time that some work takes, without the collection of garbage, and its result."""
    gc.disable()
    try:
        began = process_time()
        result = work()
        return process_time() - began, result
    finally:
        gc.enable()


def time_best(work: Callable[[], Any], tries: int) -> float:
    """Return the scaled seconds of the quickest of some tries."""
    times = ScaledTimes()
    for _ in range(tries):
        times.measure(work)
    return times.best


if __name__ == "__main__":
    print(f"{1e6 * min(take_time(run_reference)[0] for _ in range(5_000)):.0f} µs")  # noqa: T201
