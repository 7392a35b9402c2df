"""Export: the record file of a table, signed if this process holds the key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..tables.model import LogEntry, TableSnapshot
from ..tables.storage import persistence
from .file_format import encode_record, erase_texts, sign_record
from .record import build_record, read_origin
from .signatures import Signer
from .signing_keys import find_documents, read_signer
from .texts import Kind

if TYPE_CHECKING:
    from ..store.readonly import ReadonlyStore  # imports redis-py, which a server with a SQLite file does not need


def export_record(
    table: str,
    snapshot: TableSnapshot,
    entries: Iterable[LogEntry],
    signer: Signer | None,
    without: Sequence[Kind] = (),
) -> bytes:
    """Return the record file of a table whose game is over, without texts of these kinds.

    An imported table keeps its original signature, because this server did not run that game.
    """
    record = build_record(table, snapshot, entries)
    record = record if is_imported(snapshot) else sign_record(record, signer)
    return encode_record(erase_texts(record, without) if without else record)


def is_imported(snapshot: TableSnapshot) -> bool:
    """Return whether a table was imported; tables of older imports have no origin, but they have no host either."""
    return read_origin(snapshot) is not None or not snapshot.hidden["opening"]["secrets"]["host"]


async def open_signer(archive: ReadonlyStore, data: Path, public_url: str) -> Signer | None:
    """Return the key that a store signs with; None if it has none, or if the operator holds it elsewhere."""
    return await read_signer(find_documents(archive, data), public_url)


async def export_stored_table(
    table: str, archive: ReadonlyStore, signer: Signer | None, without: Sequence[Kind]
) -> bytes:
    """Read a table from a store and return its record file."""
    snapshot, _ = await persistence.load(table, archive)
    return export_record(
        table, snapshot, await persistence.read_entries(table, 0, snapshot.version, archive), signer, without
    )
