"""The probability that a seat wins, given the estimated final values of all castles.

A castle scores for two players, so that a player does not win by good castles alone: those of the neighbours count as
well, and with two players only the castle that a player shares with Ludwig.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from math import sqrt
from statistics import NormalDist

from ...kit import Seat
from ..board import Castles
from ..seats import castles_of
from .evaluation import outlook
from .strong import Foresee

SAMPLES = 128
PRIMES = (2, 3, 5, 7, 11, 13, 17)
# By the number of tiles to come, two by two: what a castle still gains beyond its outlook, and how far that varies.
# Measured in games of greedy bots.
UNFORESEEN = (0.0, 1.9, 6.2, 13.2, 20.7, 31.7, 42.7, 53.4, 65.8)
SPREAD = (0.0, 4.7, 6.0, 5.6, 6.1, 6.1, 6.4, 6.4, 6.6)


class Contest:
    """The castles of a table, as far as their final values can be foreseen, and the seats that they score for."""

    def __init__(self, game: Castles, seat: Seat, foresee: Foresee) -> None:
        self.mine = castles_of(game, seat)
        self.rivals = [castles_of(game, other) for other in game.seats if other != seat]
        futures = [foresee(game, number) for number in range(len(game.board.castles))]
        self.expected = [
            outlook(castle, future) + between(UNFORESEEN, future.to_come)
            for castle, future in zip(game.board.castles, futures, strict=True)
        ]
        self.spread = [between(SPREAD, future.to_come) for future in futures]

    def probability(self, gains: Mapping[int, float]) -> float:
        """Return the probability that the seat wins if these castles gain so many points."""
        values = [value + gains.get(number, 0.0) for number, value in enumerate(self.expected)]
        return sum(self.share(values, luck) for luck in lucky_draws(len(values))) / SAMPLES

    def share(self, values: list[float], luck: tuple[float, ...]) -> float:
        """Return the seat's part of the first place, if every castle has this luck."""
        final = [value + spread * drawn for value, spread, drawn in zip(values, self.spread, luck, strict=True)]
        left, right = self.mine
        mine = (final[left], final[right]) if final[left] < final[right] else (final[right], final[left])
        for one, other in self.rivals:
            if final[one] < mine[0] or final[other] < mine[0]:
                continue
            if mine < ((final[one], final[other]) if final[one] < final[other] else (final[other], final[one])):
                return 0.0
        return 1.0


def between(table: tuple[float, ...], to_come: int) -> float:
    """Return the value of a table at this number of tiles; between two entries, their mean."""
    return (table[to_come // 2] + table[(to_come + 1) // 2]) / 2


@cache
def lucky_draws(castles: int) -> list[tuple[float, ...]]:
    """Return the same evenly spread, normally distributed points every time, with a coordinate for each castle."""
    normal = NormalDist()
    return [
        tuple(normal.inv_cdf(min(max((number * sqrt(prime)) % 1, 0.001), 0.999)) for prime in PRIMES[:castles])
        for number in range(1, SAMPLES + 1)
    ]
