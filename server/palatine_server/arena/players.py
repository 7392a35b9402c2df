"""Players: how a contender decides on one seat of a game in this process.

A player that does not decide raises BotFailure: it is late, has crashed, or answers nonsense. Then a house bot plays
this move. The time of a policy or of a bot class is measured in this process; a bot class is also interrupted.
"""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from random import Random
from time import perf_counter
from types import FrameType
from typing import Any, Protocol, TypeVar

from palatine_client.bots import Bot, BotTurn, GameEnd, GameStart
from palatine_client.bots.bot_process import MOST_LATE, BotFailure, BotProcess
from palatine_client.bots.line_protocol import BotAsked, BotOver, BotStart
from palatine_client.offer import Action as PlainAction

from ..games.kit import Action, Refused, Seat
from .arena_table import ArenaTable

T = TypeVar("T")
CLOSE_WITHIN = 1.0  # seconds for an interrupted bot class to end its tasks
AGAIN = 1.0  # seconds until a bot class that ignores an interruption is interrupted again
MOST_INTERRUPTIONS = 5


class Player(Protocol):
    """Decides for one seat of one game."""

    def decide(self, table: ArenaTable) -> Action:
        """Return the action; raise BotFailure."""

    def finish(self, table: ArenaTable) -> None:
        """Note the end of the game."""


class PolicyPlayer:
    """Lets a policy of the game decide."""

    def __init__(self, policy: str, seat: Seat, seed: str, seconds: float) -> None:
        self._policy, self._seat, self._seconds = policy, seat, seconds
        self._below: Callable[[int], int] = Random(seed).randrange  # noqa: S311 (reproducible)

    def decide(self, table: ArenaTable) -> Action:
        """Return the action that the policy chooses."""
        began = perf_counter()
        try:
            action = table.play.game.policies[self._policy](table.play, self._seat, self._below)
        except Exception as error:
            raise BotFailure("crashed", f"{type(error).__name__}: {error}") from error
        if perf_counter() - began > self._seconds:
            raise BotFailure("late", "the policy took too long")
        return action

    def finish(self, table: ArenaTable) -> None:
        """Do nothing: a policy keeps nothing."""


class TimeUp(BaseException):
    """Interrupts a bot class; no `except Exception` of its author catches it."""


class ClassPlayer:
    """Lets a bot of the kit decide in this process."""

    def __init__(self, bot: Bot, start: GameStart, seed: str, seconds: float) -> None:
        self._bot, self._start, self._seconds = bot, start, seconds
        self._rng = Random(seed)  # noqa: S311 (reproducible)
        self._has_begun = False
        self._late = 0  # moves in a row
        self._runner = asyncio.Runner()

    def decide(self, table: ArenaTable) -> Action:
        """Return the action that the bot chooses."""
        seat = self._start.seat
        if self._late >= MOST_LATE:
            raise BotFailure("late", "the bot was late too often, and forfeits the rest of the game")
        board, hand = table.view(seat)
        turn = BotTurn(
            game=self._start.game,
            players=self._start.players,
            seat=seat,
            version=table.version,
            board=board,
            hand=hand,
            choices=table.offer(seat).choices,
            news=table.take_news(seat),
            rng=self._rng,
        )
        return read_action(table, self._run(lambda: self._play(turn)))

    async def _play(self, turn: BotTurn) -> PlainAction:
        if not self._has_begun:
            self._has_begun = True
            await self._bot.begin_game(self._start)
        return await self._bot.play_turn(turn)

    def finish(self, table: ArenaTable) -> None:
        """Tell the bot the result; a bot that fails now forfeits nothing."""
        end = GameEnd(standings=table.standings, news=table.take_news(self._start.seat))
        with suppress(BotFailure):
            self._run(lambda: self._bot.end_game(end))
        self._runner.close()

    def _run(self, make: Callable[[], Coroutine[Any, Any, T]]) -> T:
        try:
            with interrupt_after(self._seconds):
                result = self._runner.run(make())
            self._late = 0
            return result
        except TimeUp:
            self._late += 1
            self._renew_runner()
            raise BotFailure("late", "the bot took too long") from None
        except Exception as error:
            raise BotFailure("crashed", f"{type(error).__name__}: {error}") from error

    def _renew_runner(self) -> None:
        """Replace the event loop: the interruption may have come in the middle of it."""
        with suppress(Exception, TimeUp), interrupt_after(CLOSE_WITHIN):
            self._runner.close()
        self._runner = asyncio.Runner()


@contextmanager
def interrupt_after(seconds: float) -> Iterator[None]:
    """Raise TimeUp in this block after some time; without effect outside the main thread, which no signal reaches.

    A block that catches it is interrupted again; one that never gives up ends this process.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _Interruption())
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:  # also if the signal came in the line above
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


class _Interruption:
    """The handler of the signal."""

    def __init__(self) -> None:
        self._times = 0

    def __call__(self, number: int, frame: FrameType | None) -> None:
        self._times += 1
        if self._times > MOST_INTERRUPTIONS:
            os.write(2, b"A bot class does not let itself be interrupted. Run it as a process.\n")
            os._exit(70)
        raise TimeUp


class ProcessPlayer:
    """Lets a bot process decide. After a crash, it forfeits the rest of the game."""

    def __init__(self, process: BotProcess, start: BotStart, seconds: float) -> None:
        self._process, self._start, self._seconds = process, start, seconds
        self._has_begun = False

    def decide(self, table: ArenaTable) -> Action:
        """Return the action that the process chooses."""
        if not self._has_begun:
            self._has_begun = True
            self._process.start(self._start)
        seat = self._start.seat
        answer = self._process.ask(build_question(table, seat), self._seconds)
        return read_action(table, answer.action)

    def finish(self, table: ArenaTable) -> None:
        """Tell the process the result."""
        if self._process.is_running and self._has_begun:
            with suppress(BotFailure):
                self._process.finish(BotOver(standings=table.standings, news=table.take_news(self._start.seat)))


def build_question(table: ArenaTable, seat: Seat) -> BotAsked:
    """Return everything that a seat is told when it must decide."""
    board, hand = table.view(seat)
    return BotAsked(version=table.version, board=board, hand=hand, offer=table.offer(seat), news=table.take_news(seat))


class AbsentPlayer:
    """Stands for a process that did not start: it forfeits every move."""

    def __init__(self, failure: BotFailure) -> None:
        self._failure = failure

    def decide(self, table: ArenaTable) -> Action:
        """Forfeit the move."""
        raise self._failure

    def finish(self, table: ArenaTable) -> None:
        """Do nothing."""


def read_action(table: ArenaTable, plain: Any) -> Action:
    """Return the action of a bot from plain data; raise BotFailure if the game has no such action."""
    try:
        return table.play.game.read_action(plain)
    except Refused as refused:
        raise BotFailure("nonsense", refused.sentence) from None
