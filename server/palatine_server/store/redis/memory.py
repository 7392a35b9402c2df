"""What a node remembers of the tables it has to do with, so that it need not ask again; it may be wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..contract import Summary
from .chain import Head

IDLE = 120.0  # seconds after which a table nobody asks for is forgotten


@dataclass(eq=False)
class Known:
    """What is remembered of one table."""

    head: Head
    asked: float  # when it was last asked for
    mine: int = 0  # the newest version that was added here
    summary: Summary | None = None  # the one that was stored here, if nobody has added anything since


class Memory:
    """Tables by their ids; somebody is told of each that comes or goes."""

    def __init__(self, clock: Callable[[], float], met: Callable[[str], Any], lost: Callable[[str], Any]) -> None:
        self._clock, self._met, self._lost = clock, met, lost
        self.known: dict[str, Known] = {}

    def head_at(self, table: str, version: int) -> Head | None:
        """The head of a table, if it is remembered at this version."""
        known = self.known.get(table)
        return known.head if known and known.head.version == version else None

    def summary_at(self, table: str, version: int) -> Summary | None:
        """The summary of a table, if this version was added here."""
        known = self.known.get(table)
        return known.summary if known and known.mine == version else None

    def remember(self, table: str, head: Head) -> Known:
        """Somebody has asked for a table, and this is its head now."""
        if table not in self.known:
            self.known[table] = Known(head, self._clock())
            self._met(table)
        known = self.known[table]
        known.head, known.asked = head, self._clock()
        return known

    def forget(self, table: str) -> None:
        """The table is gone."""
        if self.known.pop(table, None):
            self._lost(table)

    def forget_idle(self) -> None:
        """Nobody has asked for these tables for a long time."""
        now = self._clock()
        for table in [table for table, known in self.known.items() if now - known.asked > IDLE]:
            self.forget(table)
