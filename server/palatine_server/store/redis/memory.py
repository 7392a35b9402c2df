"""What a node remembers of the tables it has to do with, so that it need not ask again; it may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..contract import Summary
from ..hash_chain import Head

NONE = -1  # no version
IDLE = 120.0  # seconds after which a table nobody asks for is forgotten


class Known:
    """What is remembered of one table; from `mine` on, only if nobody else has added anything since."""

    def __init__(self, head: Head, asked: float) -> None:
        self.head = head
        self.asked = asked  # when it was last asked for
        self.key, self.call, self.channel = "", b"", b""  # what is the same in all commands that append to it
        self.mine = NONE  # the version of the head, if it was added here
        self.summary: Summary | None = None  # the one that was stored here
        self.keep = 0  # for how long it is kept from an entry on, unless a clock runs; milliseconds
        self.until = 0  # until when it is kept, in milliseconds since 1970
        self.has_replies = False  # all of it is kept as long: also what was replied


class Memory:
    """Tables by their ids; somebody is told of each that comes or goes."""

    def __init__(self, clock: Callable[[], float], met: Callable[[str], Any], lost: Callable[[str], Any]) -> None:
        self._clock, self._met, self._lost = clock, met, lost
        self.known: dict[str, Known] = {}

    def is_ahead_of(self, table: str, head: Head) -> bool:
        """Whether a table had this version or a later one before, with another hash: then its log went back."""
        known = self.known.get(table)
        return known is not None and known.head.version >= head.version and known.head.hash != head.hash

    def remember(self, table: str, head: Head) -> Known:
        """Somebody has asked for a table, and this is its head now."""
        known = self.known.get(table)
        if known is None:
            known = self.known[table] = Known(head, self._clock())
            self._met(table)
        if head.hash != known.head.hash:
            known.mine = NONE
        known.head, known.asked = head, self._clock()
        return known

    def look(self, table: str, head: Head) -> None:
        """This was the head of a table when somebody looked; what was added here meanwhile is newer."""
        known = self.known.get(table)
        if known is None or known.head.version <= head.version:
            self.remember(table, head)
        else:
            known.asked = self._clock()

    def forget(self, table: str) -> None:
        """The table is gone."""
        if self.known.pop(table, None):
            self._lost(table)

    def forget_idle(self) -> None:
        """Nobody has asked for these tables for a long time."""
        now = self._clock()
        for table in [table for table, known in self.known.items() if now - known.asked > IDLE]:
            self.forget(table)
