"""Nodes of a later version beside nodes of this version.

A later version keeps one more list in the secrets of a table, `remarks`, and puts the version of each of its entries
there. It may have a higher format number; then nodes of this version must leave its tables alone. What a node is stands
in the context of its process, so that both versions run in one program.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any
from unittest.mock import patch

from palatine_server.tables.model import LogEntry, TableSnapshot
from palatine_server.tables.state import PlainState, TableState
from palatine_server.tables.storage import compatibility, persistence

THIS, LATER, NEXT_FORMAT = 0, 1, 2  # versions of a node
FORMATS = {THIS: compatibility.FORMAT, LATER: compatibility.FORMAT, NEXT_FORMAT: compatibility.FORMAT + 1}
VERSION: ContextVar[int] = ContextVar("version", default=THIS)


def remarks_of(page: TableSnapshot) -> list[int]:
    """Return the versions of the entries that nodes of a later version have written."""
    return list(page.hidden.get("remarks", []))


@contextmanager
def mixed_versions() -> Iterator[None]:
    """Let each node read and write the format of its version."""
    with (
        patch.object(TableState, "entry", _writing(TableState.entry)),
        patch.object(TableState, "take_snapshot", _stamping(TableState.take_snapshot)),
        patch.object(persistence, "require_known_format", _require_known_format),
    ):
        yield


def _writing(write: Any) -> Any:
    def entry(book: TableState, *given: Any) -> LogEntry:
        made: LogEntry = write(book, *given)
        made.format = FORMATS[VERSION.get()]
        if VERSION.get() != THIS:
            _remark(book._kept, made)
        return made

    return entry


def _remark(kept: PlainState, entry: LogEntry) -> None:
    before = kept.secrets.get("remarks")
    op = [["remarks"], [entry.version]] if before is None else [["remarks"], len(before), 0, entry.version]
    entry.hidden = [*entry.hidden, op]
    kept.secrets = {**kept.secrets, "remarks": [*(before or []), entry.version]}


def _stamping(page: Any) -> Any:
    def stamped(book: TableState) -> TableSnapshot:
        made: TableSnapshot = page(book)
        made.format = FORMATS[VERSION.get()]
        return made

    return stamped


def _require_known_format(number: int, what: str) -> None:
    if number > FORMATS[VERSION.get()]:
        raise compatibility.NewerTable(f"{what} has format {number}")
