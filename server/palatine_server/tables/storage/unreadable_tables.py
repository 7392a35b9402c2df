"""Tables that this node cannot read: the log reports each of them once, however often a request needs it."""

from __future__ import annotations

import logging

from ...metrics import Metrics
from .compatibility import NewerTable, UnreadableTable

MOST = 10_000  # tables that are remembered; beyond that, the oldest may be reported again
log = logging.getLogger("palatine.tables")


class UnreadableTables:
    """Reports tables that cannot be read, each once until it can be read again."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._reported: dict[str, str] = {}  # the reason, by table

    def report(self, table: str, why: NewerTable | UnreadableTable) -> None:
        """Count the attempt, and log the reason unless it was logged before."""
        self._metrics.count_unreadable("newer" if isinstance(why, NewerTable) else "unreadable")
        if self._reported.get(table) == why.reason:
            return
        self._reported[table] = why.reason
        if len(self._reported) > MOST:
            del self._reported[next(iter(self._reported))]
        if isinstance(why, NewerTable):
            log.warning(
                "a newer version wrote this table, so this node leaves it alone: %s", why, extra={"table": table}
            )
        else:
            log.error("this table cannot be read, palatine doctor says more: %s", why, extra={"table": table})

    def forget(self, table: str) -> None:
        """Forget a table that can be read again."""
        self._reported.pop(table, None)
