"""Turns: the interface through which a table requests the decision of a server bot."""

from __future__ import annotations

from asyncio import get_running_loop
from collections.abc import Callable
from typing import Protocol

import msgspec

from ..games.kit import Action
from .jobs import Job, Task, choose_action, decide_task, encode_task


class HouseBotTurn:
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
        self.prepare = prepare  # returns the current job; None if the table no longer needs a decision
        self.conclude = conclude  # takes the decision; None if the policy could not decide


class BotScheduler(Protocol):
    """The scheduler of server bots, as tables see it."""

    def request(self, turn: HouseBotTurn) -> bool:
        """Let a bot decide as soon as possible; return False if too many tables wait already."""

    def withdraw(self, turn: HouseBotTurn) -> None:
        """Cancel a requested turn."""


class InlineBots:
    """Decides on the event loop, for tests and simulations with cheap policies."""

    def request(self, turn: HouseBotTurn) -> bool:
        get_running_loop().call_soon(self.decide, turn)
        return True

    def withdraw(self, turn: HouseBotTurn) -> None:
        """Do nothing: a closed table prepares no job."""

    @staticmethod
    def decide(turn: HouseBotTurn) -> None:
        """Decide now, from the same view that a worker process gets."""
        job = turn.prepare()
        if job is not None:
            turn.conclude(decide_inline(job))


def decide_inline(job: Job) -> Action:
    """Return the decision; only a cheap policy gets the table's own play."""
    if job.is_cheap:
        return choose_action(job.game, job.play, job.seat, job.policy, job.lots)
    return decide_task(msgspec.msgpack.decode(encode_task(job), type=Task), job.game)
