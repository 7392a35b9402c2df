"""Record files: built in a worker thread, one at a time, remembered, and sent in pieces.

Building the record of a long game takes tens of milliseconds. In a thread it delays others by one interval of the
interpreter (serving.SWITCH_INTERVAL), not by all of that.
"""

from __future__ import annotations

from collections.abc import AsyncIterator

import anyio
from anyio import to_thread
from starlette.responses import Response, StreamingResponse

from palatine_protocol.errors import Code

from ...games.kit import refuse
from ...records import Signer
from ...records.export import export_record
from ...store import Store
from ...tables.model import Page
from ...tables.queries.fair_turns import FairTurns
from ...tables.storage.persistence import read_before, read_entry
from ...tables.table import Table

MOST_BYTES = 16 * 2**20  # of files that are remembered; of more, the one unused for longest is forgotten
PIECE = 64 * 1024  # bytes that are sent together
Key = tuple[str, int, bytes, str]  # a table, the version and hash at which its log ends, and the key that signs it


class RecordFiles:
    """The records of finished games, as files."""

    def __init__(self, store: Store, most_bytes: int = MOST_BYTES) -> None:
        self._store, self._most_bytes, self._turns = store, most_bytes, FairTurns()
        self._files: dict[Key, bytes] = {}  # the file used last comes last

    async def file_of(self, table: Table, asker: str, signer: Signer | None = None) -> bytes:
        """The record of a table whose game is over; `asker` is the user or address in whose turn it is built."""
        page, head = table.book.page(), table.history.head
        if page.info["status"] != "over":
            raise refuse(Code.NOT_OVER)
        key = table.id, head.version, head.hash, signer.public if signer else ""
        async with self._turns.of(asker):
            if key not in self._files:
                entries = (await read_before(table.id, 0, head, self._store)).entries
                self._remember(key, await to_thread.run_sync(build_file, table.id, page, entries, signer))
            self._files[key] = file = self._files.pop(key)
            return file

    def _remember(self, key: Key, file: bytes) -> None:
        self._files[key] = file
        while len(self._files) > 1 and sum(map(len, self._files.values())) > self._most_bytes:
            del self._files[next(iter(self._files))]


def build_file(table: str, page: Page, entries: list[bytes], signer: Signer | None = None) -> bytes:
    """The record as a file, from the entries as they are stored; in a worker thread."""
    return export_record(table, page, map(read_entry, entries), signer)


def file_response(file: bytes, name: str) -> Response:
    """A file that is sent in pieces, so that others have their turn in between."""
    headers = {"content-disposition": f'attachment; filename="{name}"', "content-length": str(len(file))}
    return StreamingResponse(pieces_of(file), media_type="application/jsonl", headers=headers)


async def pieces_of(file: bytes) -> AsyncIterator[bytes]:
    for at in range(0, len(file), PIECE):
        yield file[at : at + PIECE]
        await anyio.sleep(0)
