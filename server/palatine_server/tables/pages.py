"""Pages: a table as the store keeps it, in bytes, and what the list of tables shows of it."""

from __future__ import annotations

from typing import Protocol

import msgspec

from palatine_protocol.errors import Code

from ..store import Stored, Summary
from .book import Book, LogEntry, Page, refuse, turned

encode = msgspec.msgpack.Encoder().encode
_entries = msgspec.msgpack.Decoder(LogEntry)
_pages = msgspec.msgpack.Decoder(Page)


class Readable(Protocol):
    """A store, or an archive."""

    async def load(self, table: str) -> Stored | None: ...

    async def read(self, table: str, after: int, upto: int) -> list[bytes]: ...


async def load(table: str, store: Readable) -> tuple[Page, list[LogEntry]]:
    """The newest page of a table, and the entries that were read after its snapshot."""
    stored = await store.load(table)
    if stored is None:
        raise refuse(Code.NO_SUCH_TABLE)
    page, entries = _pages.decode(stored.snapshot), [_entries.decode(entry) for entry in stored.entries]
    for entry in entries:
        page = turned(page, entry)
    return page, entries


async def read(table: str, after: int, upto: int, store: Readable) -> list[LogEntry]:
    """The entries after + 1 … upto, as far as they exist."""
    return [_entries.decode(entry) for entry in await store.read(table, after, upto)]


def copied(page: Page) -> Page:
    """The same page once more; patches change what they are applied to."""
    return _pages.decode(encode(page))


def summary_of(book: Book) -> Summary:
    """What the list of tables shows."""
    info, secrets = book.info, book.secrets
    return Summary(
        game=info.game,
        status=info.status,
        visibility=info.visibility,
        host=secrets.host,
        host_name=info.host,
        created=secrets.created,
        users=secrets.users,
        names=[None if sitting is None else sitting.name for sitting in info.seats],
        deadline=0 if book.bots_to_move() else book.deadline(),
    )
