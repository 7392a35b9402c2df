"""Mutants of nodes of different versions that share a store."""

from __future__ import annotations

from typing import Any

from palatine_server.games.kit import Refused
from palatine_server.tables.state import TableState
from palatine_server.tables.storage import persistence
from palatine_server.tables.table import Table

from .injection import Change, mutant


@mutant("A node drops stored fields that its types do not know.", "snapshot", "forgotten", "unfit", "lost")
def drops_unknown_fields() -> list[Change]:
    def wrapper(keep: Any) -> Any:
        def forgetful(book: TableState, page: Any, secrets: dict[str, Any], box: Any) -> None:
            known = {name: value for name, value in secrets.items() if name in book._kept.secrets}
            keep(book, page, known, box)

        return forgetful

    return [(TableState, "_keep_as_stored", wrapper)]


@mutant("An old node checks the format of entries only, and reads newer pages.", "older", "unfit")
def reads_newer_pages() -> list[Change]:
    return [(persistence, "decode_snapshot", lambda read: persistence._snapshots.decode)]


@mutant("An old node checks the format of pages only, and reads newer entries.", "older", "unfit")
def reads_newer_entries() -> list[Change]:
    return [(persistence, "read_entry", lambda read: persistence.as_entry)]


@mutant("An old node does not tell viewers that it can no longer read their table.", "untold", "behind")
def loses_nobody() -> list[Change]:
    def wrapper(lose: Any) -> Any:
        def silent(self: Table, why: Refused | None = None) -> None:
            if why is None:
                lose(self)
            else:
                self._close()

        return silent

    return [(Table, "lose", wrapper)]
