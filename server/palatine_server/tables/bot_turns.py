"""The turns of a table's bots: the table asks for one decision at a time, and serves requests meanwhile.

A decision fits as long as its seat has not answered since and the action is still on offer. Chat and the actions of
other seats do not outdate it. The table drops a decision that no longer fits, and asks the bot again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random
from typing import NamedTuple

from ..bots.jobs import CHEAP, Job
from ..bots.turns import BotScheduler, HouseBotTurn
from ..games.kit import Action, Seat, at_random
from ..metrics import Metrics
from .state import TableState

ASK_AGAIN = 1.0  # seconds until a table that found the queue of bots full asks again


class BotMove(NamedTuple):
    """A move that a bot decided on and that still fits."""

    seat: Seat
    action: Action


class Decision(NamedTuple):
    """An answer of the scheduler, with the question that it answers."""

    asked: BotQuestion
    action: Action | None


class BotQuestion(NamedTuple):
    """The moment at which a bot was asked."""

    seat: Seat
    answer: int  # the number of the answer that its seat will give
    version: int


class BotTurns:
    """The decision that one table has requested, and the scheduler's answer."""

    __slots__ = (
        "_asked",
        "_decision",
        "_is_full",
        "_metrics",
        "_read_state",
        "_scheduler",
        "_table",
        "_turn",
        "_wake",
    )

    def __init__(
        self,
        table: str,
        scheduler: BotScheduler,
        metrics: Metrics,
        read_state: Callable[[], TableState],
        wake: Callable[[], None],
    ) -> None:
        self._table, self._scheduler, self._metrics = table, scheduler, metrics
        self._read_state, self._wake = read_state, wake
        self._turn: HouseBotTurn | None = None  # the request that the scheduler has not answered yet
        self._decision: Decision | None = None
        self._asked: BotQuestion | None = None
        self._is_full = False  # whether the queue was full when we last asked

    def request(self) -> None:
        """Ask for the decision of the first bot that must move, unless a bot is thinking or has decided."""
        if self.are_asked:
            return
        state = self._read_state()
        bots = state.bots_to_move()
        if bots:
            self._turn = self._make_turn(state, bots[0])
            self._is_full = not self._scheduler.request(self._turn)
            self._turn = None if self._is_full else self._turn

    def close(self) -> None:
        """Withdraw the request, and drop the references to the table."""
        if self._turn is not None:
            self._scheduler.withdraw(self._turn)
            self._turn = None
        self._wake, self._read_state = _do_nothing, _read_nothing

    @property
    def are_asked(self) -> bool:
        """Whether a bot is thinking, or has decided."""
        return self._turn is not None or self._decision is not None

    def limit_wait(self, seconds: float) -> float:
        """Return for how many seconds the table may wait: at most `seconds`, less if the queue of bots was full."""
        return min(seconds, ASK_AGAIN) if self._is_full else seconds

    def take_move(self) -> BotMove | None:
        """Return the move that the bot decided on, if it still fits."""
        decision, self._decision = self._decision, None
        if decision is None:
            return None
        move = self._find_move(decision)
        is_as_decided = move is not None and move.action is decision.action
        self._metrics.count_bot_turn("decided" if is_as_decided else "at_random" if move else "outdated")
        return move

    # Asking

    def _make_turn(self, state: TableState, seat: Seat) -> HouseBotTurn:
        policy = state.require_seated(seat).policy
        turn = HouseBotTurn(state.secrets.host, self._table, policy in CHEAP, lambda: None, lambda action: None)
        turn.prepare, turn.conclude = partial(self._prepare, turn, seat), partial(self._conclude, turn)
        return turn

    def _prepare(self, turn: HouseBotTurn, seat: Seat) -> Job | None:
        """Build the job from the present state; the scheduler calls this when it is the table's turn."""
        if turn is not self._turn:
            return None
        state = self._read_state()
        policy = state.require_seated(seat).policy
        if state.recorder is None or seat not in state.bots_to_move() or (policy in CHEAP) != turn.is_cheap:
            self._turn = None
            self._wake()
            return None
        self._asked = BotQuestion(seat, state.secrets.answers[seat], state.version)
        return Job(state.game, state.recorder.play, seat, policy, _derive_bot_seed(state, seat))

    def _conclude(self, turn: HouseBotTurn, action: Action | None) -> None:
        if turn is self._turn and self._asked is not None:
            self._turn, self._decision = None, Decision(self._asked, action)
            self._wake()

    # What came back

    def _find_move(self, decision: Decision) -> BotMove | None:
        """Return the action if it fits; if the bot gave none, or one that the rules refuse, return a random one."""
        (seat, answer, version), action = decision.asked, decision.action
        state = self._read_state()
        if state.recorder is None or seat not in state.bots_to_move() or state.secrets.answers[seat] != answer:
            return None
        if action is not None and state.recorder.play.refusal(seat, action) is None:
            return BotMove(seat, action)
        if action is not None and state.version != version:
            return None
        return BotMove(seat, at_random(state.recorder.play, seat, Random(_derive_bot_seed(state, seat)).randrange))  # noqa: S311


def _do_nothing() -> None:
    pass


def _read_nothing() -> TableState:
    raise RuntimeError("the table is closed")


def _derive_bot_seed(state: TableState, seat: Seat) -> str:
    """Return the seed of a bot's random choices: for the same state and seat, the bot decides the same again."""
    return f"{state.secrets.seed} {state.version} {seat}"
