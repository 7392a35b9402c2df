"""Jobs: one decision of a server bot, as a table requests it and as a worker process reads it.

A task holds the board, the agenda and the hand of the bot's own seat. The other hands, the box and the game's seed
stay in the server, so that no policy can read them.
"""

from __future__ import annotations

from random import Random
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from ..games.kit import Action, Game, Play, Seat, encode_view, plain, read_view

CHEAP = frozenset({"random"})  # policies that decide within a fraction of a millisecond, on the event loop

_encode = msgspec.msgpack.Encoder().encode


class Job(NamedTuple):
    """A decision that a table requests. The play is the table's own and must not be changed."""

    game: Game
    play: Play[Any, Any, Any]
    seat: Seat
    policy: str
    lots: str  # the seed of the policy's random numbers

    @property
    def is_cheap(self) -> bool:
        return self.policy in CHEAP


class Task(Struct, array_like=True, frozen=True):
    """A job as it is sent to a worker process."""

    game: str
    policy: str
    seat: Seat
    seats: int
    lots: str
    sight: msgspec.Raw


class Answer(Struct, array_like=True, frozen=True):
    """The decision of a worker process; without an action, the policy failed with this kind of error."""

    action: Any = None
    error: str = ""


def encode_task(job: Job) -> bytes:
    """Return the encoded task, with only the parts of the play that the bot's seat may see."""
    sight = msgspec.Raw(encode_view(job.play, job.seat))
    return _encode(Task(job.game.name, job.policy, job.seat, len(job.play.seats), job.lots, sight))


def decide_task(task: Task, game: Game) -> Action:
    """Return the action that the policy chooses from the view of its seat."""
    play = read_view(game, task.seat, task.seats, task.sight)
    return choose_action(game, play, task.seat, task.policy, task.lots)


def choose_action(game: Game, play: Play[Any, Any, Any], seat: Seat, policy: str, lots: str) -> Action:
    """Return the action that a policy chooses; the same position and the same seed give the same action."""
    return game.policies[policy](play, seat, Random(lots).randrange)  # noqa: S311 (reproducible)


def answer_task(task: Task, game: Game) -> Answer:
    """Return the decision as plain data; of an error, only the class, because its message may quote a hand."""
    try:
        return Answer(plain(decide_task(task, game)))
    except Exception as error:
        return Answer(error=type(error).__name__)
