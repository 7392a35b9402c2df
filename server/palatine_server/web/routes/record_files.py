"""Record files: built in a worker thread, one at a time, cached, and sent in chunks.

Building the record of a long game takes tens of milliseconds. In a thread it delays other requests only by one switch
interval of the interpreter (server.SWITCH_INTERVAL).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from hashlib import blake2b

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from palatine_protocol.errors import Code

from ...games.kit import refuse
from ...records import Signer
from ...records.export import export_record
from ...store import Store
from ...tables.model import TableSnapshot
from ...tables.queries.fair_turns import FairTurns
from ...tables.storage.persistence import read_before, read_entry
from ...tables.table import Table
from .static_answers import is_known

MOST_BYTES = 16 * 2**20  # bytes of cached files; above this, the least recently used file is dropped
CHUNK = 64 * 1024  # bytes
Key = tuple[str, int, bytes, str]  # the table, the version and hash of its head, the signing key


class RecordFiles:
    """A cache of the record files of finished games."""

    def __init__(self, store: Store, most_bytes: int = MOST_BYTES) -> None:
        self._store, self._most_bytes, self._turns = store, most_bytes, FairTurns()
        self._files: dict[Key, bytes] = {}  # the most recently used file is last

    async def get_file(self, table: Table, asker: str, signer: Signer | None = None) -> bytes:
        """Return the record of a table whose game is over; users and addresses (`asker`) take turns at building."""
        snapshot, head = table.state.take_snapshot(), table.history.head
        if snapshot.info["status"] != "over":
            raise refuse(Code.NOT_OVER)
        key = table.id, head.version, head.hash, signer.public if signer else ""
        async with self._turns.of(asker):
            if key not in self._files:
                entries = (await read_before(table.id, 0, head, self._store)).entries
                self._remember(key, await to_thread.run_sync(build_file, table.id, snapshot, entries, signer))
            self._files[key] = file = self._files.pop(key)
            return file

    def _remember(self, key: Key, file: bytes) -> None:
        self._files[key] = file
        while len(self._files) > 1 and sum(map(len, self._files.values())) > self._most_bytes:
            del self._files[next(iter(self._files))]


def build_file(table: str, snapshot: TableSnapshot, entries: list[bytes], signer: Signer | None = None) -> bytes:
    """Build the file from the stored entries; runs in a worker thread."""
    return export_record(table, snapshot, map(read_entry, entries), signer)


def respond_with_file(request: Request, file: bytes, name: str) -> Response:
    """Return a response that sends a file in chunks, so that other requests run in between; or 304 if it is known."""
    tag = f'"{blake2b(file, digest_size=16).hexdigest()}"'
    headers = {"cache-control": "private, no-cache", "etag": tag}  # erasing a user changes a record
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    headers |= {"content-disposition": f'attachment; filename="{name}"', "content-length": str(len(file))}
    return StreamingResponse(split_file(file), media_type="application/jsonl", headers=headers)


async def split_file(file: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(file), CHUNK):
        yield file[at : at + CHUNK]
        await anyio.sleep(0)
