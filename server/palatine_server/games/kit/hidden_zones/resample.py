"""Resampling: a possible game that agrees with all that a seat sees, and has everything else drawn anew.

A game says which pieces may lie where (`Game.redraw`). It gets only what the seat sees, so that nothing else can have
an influence: in two worlds that differ only in what the seat may not know, the same random numbers give the same game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from ..chance import Chance
from ..document import Document, Seat
from ..engine import Play
from ..game_error import GameError
from .seat_view import encode_view, read_view

if TYPE_CHECKING:
    from ..game import Game

T = TypeVar("T")
SEED_BYTES = 32


class Pool(Generic[T]):
    """The pieces of one kind that the seat does not see, in random order; every one of them must be dealt."""

    def __init__(self, pieces: Iterable[T], below: Callable[[int], int]) -> None:
        self._pieces = list(pieces)
        for last in range(len(self._pieces) - 1, 0, -1):
            other = below(last + 1)
            self._pieces[last], self._pieces[other] = self._pieces[other], self._pieces[last]

    def __len__(self) -> int:
        return len(self._pieces)

    def take(self, count: int) -> list[T]:
        """Take so many pieces."""
        if not 0 <= count <= len(self._pieces):
            raise GameError(f"redraw takes {count} pieces of {len(self._pieces)}; count those that the seat sees")
        at = len(self._pieces) - count
        taken = self._pieces[at:]
        del self._pieces[at:]
        return taken

    def take_fitting(self, count: int, fits: Callable[[T], bool]) -> list[T]:
        """Take so many of the pieces that fit."""
        taken = [piece for piece in self._pieces if fits(piece)][:count]
        if len(taken) < count:
            raise GameError(f"redraw takes {count} pieces that fit, and there are {len(taken)}")
        for piece in taken:
            self._pieces.remove(piece)
        return taken

    def take_all(self) -> list[T]:
        """Take all pieces that are left."""
        return self.take(len(self))


class Redeal:
    """Deals what a seat does not see."""

    def __init__(self, below: Callable[[int], int]) -> None:
        self.below = below  # a random number from 0 to n - 1
        self._pools: list[Pool[Any]] = []

    def pool(self, pieces: Iterable[T]) -> Pool[T]:
        """Return these pieces in random order."""
        pool = Pool(pieces, self.below)
        self._pools.append(pool)
        return pool

    def require_all_dealt(self) -> None:
        """Raise GameError if a piece lies nowhere."""
        for pool in self._pools:
            if left := pool.take_all():
                raise GameError(f"redraw leaves {len(left)} pieces over, for example {left[0]!r}; put them into a pile")


# Gets a play with what the seat sees, and no other hands and no box. Returns all hands, and the box.
Redraw = Callable[[Any, Seat, Redeal], tuple[list[Any], Any]]


class Resampler:
    """Draws possible games for one seat; what the seat sees is read once, when it is made."""

    def __init__(self, play: Play[Any, Any, Any], seat: Seat) -> None:
        if play.game.redraw is None:
            raise GameError(f"the game {play.game.name!r} has no redraw; say there which pieces may lie where")
        self._game: Game = play.game
        self._seat, self._seats, self._redraw = seat, len(play.seats), play.game.redraw
        self._view = encode_view(play, seat)

    def draw(self, below: Callable[[int], int]) -> Play[Any, Any, Any]:
        """Return another possible game; the same random numbers give the same one."""
        seen, deal = read_view(self._game, self._seat, self._seats, self._view), Redeal(below)
        hands, box = self._redraw(seen, self._seat, deal)
        deal.require_all_dealt()
        known = seen.document
        return Play(self._game, Document(known.board, hands, box, Chance(_draw_seed(below)), known.agenda))


def resample(play: Play[Any, Any, Any], seat: Seat, below: Callable[[int], int]) -> Play[Any, Any, Any]:
    """Return a possible game that agrees with everything this seat sees, and has everything else drawn anew."""
    return Resampler(play, seat).draw(below)


def _draw_seed(below: Callable[[int], int]) -> str:
    return bytes(below(256) for _ in range(SEED_BYTES)).hex()
