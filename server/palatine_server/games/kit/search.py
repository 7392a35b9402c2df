"""A search for bots: it compares actions by playing on from each of them in games that are possible for the seat.

The hidden zones of every such game are drawn anew (`resample`). All actions are tried in the same games with the same
random numbers. An action that does clearly worse is tried no further, and one that seems better than the first must be
so clearly. The work is bounded by a number of simulated actions, not by time: the same random numbers lead to the same
decision on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, sqrt
from typing import TYPE_CHECKING, Any, Final

from .decisions import Action
from .document import Seat
from .engine import Play
from .hidden_zones.resample import Resampler

if TYPE_CHECKING:
    from .game import Game, Policy

Below = Callable[[int], int]
Until = Callable[[Play[Any, Any, Any]], bool]
FIRST_GAMES: Final = 4  # after so many games the actions are compared
MOST_GAMES: Final = 64
CLEARLY_WORSE: Final = 2.0  # standard errors
CLEARLY_BETTER: Final = 2.0
LONGEST: Final = 2_000  # actions of one simulated game


def until_over(play: Play[Any, Any, Any]) -> Until:
    """Return the condition that a game is played to its end."""
    return lambda world: world.is_over


@dataclass(frozen=True, kw_only=True)
class Search:
    """How a bot of some game searches."""

    candidates: Callable[[Any, Seat, Below], Sequence[Action]]  # the actions to compare, the best by estimate first
    ours: Policy  # plays on for the seat
    theirs: Policy  # plays for all others
    worth: Callable[[Any, Seat], float]  # of the position in which a simulated game ends, from 0 to 1
    budget: int  # simulated actions of one decision
    until: Callable[[Any], Until] = until_over
    length: Callable[[Any], float] = lambda play: 0.0  # about how many actions a simulated game takes

    def decide(self, play: Play[Any, Any, Any], seat: Seat, below: Below) -> Action:
        """Return the best action, as far as the budget tells."""
        options = self.candidates(play, seat, below)
        if len(options) == 1 or len(options) * FIRST_GAMES * self.length(play) > self.budget:
            return options[0]
        return options[Comparison(self, play, seat, options).run(below)]


class Comparison:
    """Some actions in one position, and what simulated games say about them."""

    def __init__(self, search: Search, play: Play[Any, Any, Any], seat: Seat, options: Sequence[Action]) -> None:
        self._search, self._seat, self._options = search, seat, options
        self._game: Game = play.game
        self._resampler, self._until = Resampler(play, seat), search.until(play)
        self._left = search.budget
        self._values: dict[int, list[float]] = {number: [] for number in range(len(options))}  # of those still tried

    def run(self, below: Below) -> int:
        """Return the number of the best action."""
        games = 0
        while self._left > 0 and games < MOST_GAMES and len(self._values) > 1:
            self._try_all(below)
            games += 1
            if games % FIRST_GAMES == 0:
                self._drop_worse()
        return self._choose()

    def _try_all(self, below: Below) -> None:
        """Play on from each action in the same possible game."""
        world, lots = self._game.pack(self._resampler.draw(below)), below(1 << 32)
        for number, values in self._values.items():
            values.append(self._play_on(self._game.unpack(world), self._options[number], Lots(lots).below))

    def _play_on(self, world: Play[Any, Any, Any], action: Action, below: Below) -> float:
        search, seat = self._search, self._seat
        world.act(seat, action)
        for _ in range(LONGEST):
            self._left -= 1
            if self._until(world):
                break
            mover = world.waiting_for()[0]
            world.act(mover, (search.ours if mover == seat else search.theirs)(world, mover, below))
            world.told.clear()
        worth = search.worth(world, seat)
        world.release()
        return worth

    def _drop_worse(self) -> None:
        """Drop the actions that do clearly worse than the best one."""
        best = self._values[max(self._values, key=self._mean)]
        kept = {number: values for number, values in self._values.items() if lead(best, values) < CLEARLY_WORSE}
        self._values = kept

    def _mean(self, number: int) -> float:
        return sum(self._values[number])

    def _choose(self) -> int:
        """Return the best action; the first one, unless another is clearly better."""
        best = max(self._values, key=self._mean)
        first = self._values.get(0)
        if len(self._values[best]) < FIRST_GAMES:
            return 0
        return best if first is None or lead(self._values[best], first) > CLEARLY_BETTER else 0


def lead(one: Sequence[float], other: Sequence[float]) -> float:
    """Return by how many standard errors the first values are higher than the second ones, game by game."""
    count = len(one)
    ahead = [mine - theirs for mine, theirs in zip(one, other, strict=True)]
    mean = sum(ahead) / count
    variance = sum((each - mean) ** 2 for each in ahead) / max(1, count - 1)
    return mean / sqrt(variance / count) if variance else (0.0 if not mean else mean * float("inf"))


def squash(margin: float, scale: float) -> float:
    """Return a number from 0 to 1 for a lead in points: one half for none, and hardly more for twice a large one."""
    return 1 / (1 + exp(-max(-500.0, min(500.0, margin / scale))))


class Lots:
    """Random numbers for a simulated game, by the generator splitmix64: quick, and the same on every machine."""

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        mixed = ((self._state ^ (self._state >> 30)) * 0xBF58476D1CE4E5B9) & _WORD
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & _WORD
        return (mixed ^ (mixed >> 31)) % n


_WORD: Final = (1 << 64) - 1
