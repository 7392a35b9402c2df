"""The schedule of an arena: every deal is played in all seat rotations of its lineup, so that luck cancels out.

How the seats are filled:

    as many contenders as seats    each of them takes one seat
    more contenders than seats     every group of contenders of that size plays equally often, in an order that follows
                                   from the seed
    fewer contenders than seats    all contenders are seated as often as they fit; the seats that are left go to the
                                   contenders in turn, from deal to deal
    a contender named twice        counts as two arguments, and takes two seats

The order of a lineup changes from deal to deal, because in some games neighbours matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from itertools import combinations
from math import comb
from random import Random
from typing import Any

from msgspec import Struct

from ..simulation import derive_seed
from ..tables.fairness import derive_game_seed

MOST_GROUPS = 5_000  # groups of contenders that are listed; with more, each deal draws its group


class ArenaGame(Struct, frozen=True, kw_only=True):
    """One game to play, with everything that determines it."""

    deal: int  # the number of the deal, from 0
    rotation: int
    lineup: list[int]  # the index of the contender on each seat
    seed: str  # the arena's part of the seed, as a server's; all rotations of a deal have the same

    @property
    def game_seed(self) -> str:
        """The seed of the game, by the derivation of every table whose players add nothing to it."""
        return derive_game_seed(self.seed, [""] * len(self.lineup))

    @property
    def name(self) -> str:
        return f"deal-{self.deal + 1:04}-{self.rotation + 1}"

    def derive(self, purpose: str) -> str:
        """Return the seed of random numbers that do not belong to the game's own chance."""
        return sha256(f"{self.seed}/{self.rotation}/{purpose}".encode()).hexdigest()


def plan_games(arguments: Sequence[int], players: int, games: int, seed: int) -> list[ArenaGame]:
    """Return the games of a run: whole deals, at least as many games as are wanted."""
    lineups = draw_lineups(arguments, players, Random(f"{seed}/lineups"))  # noqa: S311 (reproducible)
    deals = -(-games // players)
    return [
        ArenaGame(deal=deal, rotation=turn, lineup=rotate(lineup, turn), seed=derive_seed(seed, deal))
        for deal, lineup in zip(range(deals), lineups, strict=False)
        for turn in range(players)
    ]


def rotate(lineup: list[int], by: int) -> list[int]:
    return lineup[by:] + lineup[:by]


def draw_lineups(arguments: Sequence[int], players: int, rng: Random) -> Iterator[list[int]]:
    """Yield the lineup of one deal after the other, in a random order of seats."""
    source = _fill_groups(arguments, players) if len(arguments) < players else _draw_groups(arguments, players, rng)
    for group in source:
        yield rng.sample(group, players)


def _fill_groups(arguments: Sequence[int], players: int) -> Iterator[list[int]]:
    """Yield groups that hold every argument as often as it fits; the seats that are left go round."""
    often, left = divmod(players, len(arguments))
    start = 0
    while True:
        yield [*arguments] * often + [arguments[(start + extra) % len(arguments)] for extra in range(left)]
        start += left


def _draw_groups(arguments: Sequence[int], players: int, rng: Random) -> Iterator[list[int]]:
    """Yield all groups of this size in random order, again and again."""
    if comb(len(arguments), players) > MOST_GROUPS:
        while True:
            yield rng.sample([*arguments], players)
    groups: list[Any] = [*combinations(arguments, players)]
    while True:
        yield from map(list, rng.sample(groups, len(groups)))
