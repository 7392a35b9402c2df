"""Turns: how a table asks for the decision of a house bot, and who answers."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable
from typing import Protocol

import msgspec

from ..games.kit import Action
from .jobs import Job, Task, choose_action, decide_task, encode_task


class BotTurn:
    """A table that waits for one decision."""

    def __init__(
        self,
        user: str,
        table: str,
        is_cheap: bool,
        prepare: Callable[[], Job | None],
        conclude: Callable[[Action | None], None],
    ) -> None:
        self.user, self.table, self.is_cheap = user, table, is_cheap
        self.prepare = prepare  # the job at this moment; None if no decision is needed any more
        self.conclude = conclude  # takes the decision; None if nobody could make it


class BotScheduler(Protocol):
    """Whoever lets house bots decide."""

    def request(self, turn: BotTurn) -> bool:
        """Let a bot decide as soon as possible, and conclude its turn; False if too many tables wait already."""

    def withdraw(self, turn: BotTurn) -> None:
        """Forget a turn that was requested."""


class InlineBots:
    """Decides on the event loop: for tests and simulations, where a decision costs next to nothing."""

    def request(self, turn: BotTurn) -> bool:
        get_running_loop().call_soon(self.decide, turn)
        return True

    def withdraw(self, turn: BotTurn) -> None:
        """Nothing: a table that was closed prepares no job."""

    @staticmethod
    def decide(turn: BotTurn) -> None:
        """Decide now, from what a worker process would see."""
        job = turn.prepare()
        if job is not None:
            turn.conclude(decide_inline(job))


def decide_inline(job: Job) -> Action:
    """Return the decision; only a cheap policy is given the table's own play."""
    if job.is_cheap:
        return choose_action(job.game, job.play, job.seat, job.policy, job.lots)
    return decide_task(msgspec.msgpack.decode(encode_task(job), type=Task), job.game)
