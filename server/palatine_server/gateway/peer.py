"""The peer of a connection, as tables know him: he is told frames, and his actions are taken as soon as they are heard.

Everything here happens at once. Whatever has to wait, or happens rarely, is left to the tasks of the connection.
"""

from __future__ import annotations

from typing import Final, Protocol, final

from palatine_protocol.codec import Unreadable
from palatine_protocol.costs import COSTS
from palatine_protocol.errors import Close
from palatine_protocol.messages import Act, Reply

from ..games.kit import Refused
from ..tables.calls import Call
from ..tables.hall import Hall
from ..tables.telling import Wire
from .limits import Budget
from .outbox import Outbox
from .short_way import ShortWay

COST_OF_ACTION: Final = float(COSTS[Act])


class Keeper(Protocol):
    """The connection with its tasks."""

    def post(self, frame: bytes) -> None:
        """Send a frame when those before it are sent."""

    def lose(self, table: str, why: Refused | None = None) -> None:
        """A table broke that the peer watches, perhaps for a reason that can be told."""

    def go_on(self) -> None:
        """The action at hand is answered, and somebody waits for that."""


@final
class Peer:
    """Somebody at the other end."""

    def __init__(
        self,
        keeper: Keeper,
        way: ShortWay | None,
        wire: Wire,
        hall: Hall,
        outbox: Outbox,
        budget: Budget,
        now: float,
    ) -> None:
        self.wire, self.outbox, self.budget = wire, outbox, budget
        self.user = ""  # as long as nobody knows who he is
        self.reason: Close | None = None  # why he leaves
        self.last_words: tuple[Close, int | None] | None = None  # when his request is answered
        self.is_awaited = False  # by the reader, who has nothing else to do
        self.is_busy = False  # his request is not answered yet
        self.has_followers = False  # somebody waits until it is
        self.heard_at = now
        self._keeper, self._way = keeper, way
        self._tables, self._traffic, self._is_text = hall.tables, hall.metrics.traffic, wire.is_text

    # A viewer, to the tables

    def send(self, frame: bytes) -> None:
        if self.outbox.is_idle and self.reason is None and self._way is not None and self._way.write(frame):
            self._traffic.sent(frame, self._is_text)
        else:
            self._keeper.post(frame)

    def lose(self, table: str, why: Refused | None = None) -> None:
        self._keeper.lose(table, why)

    # Actions

    def hear(self, frame: bytes) -> bool:
        """Take an action at once, without waking the reader, if nothing stands in its way; otherwise he is to do it."""
        if not self._is_at_leisure() or (action := self._action(frame)) is None:
            return False
        table = self._tables.get(action.table)
        if table is None or table.is_closed or not table.is_watched_by(self) or self.budget.take(COST_OF_ACTION):
            return False
        self.is_busy, self.heard_at = True, self.budget.at
        self._traffic.heard(action, len(frame))
        return table.put(Call(self.user, "", action, self._answer, self))

    def _is_at_leisure(self) -> bool:
        """Everything that came before is done and sent."""
        is_free = self.is_awaited and not self.is_busy and self.outbox.is_idle
        return is_free and self.reason is None and self.last_words is None and not self.is_flooding()

    def is_flooding(self) -> bool:
        """Whether he sends much more than is taken."""
        return self._way is not None and self._way.is_flooded()

    def _action(self, frame: bytes) -> Act | None:
        try:
            request = self.wire.decode(frame)
        except Unreadable:
            return None
        return request if type(request) is Act else None

    def _answer(self, reply: Reply) -> None:
        self.send(self.wire.encode(reply))
        self.is_busy = False
        if self.has_followers or self.last_words is not None:
            self._keeper.go_on()
