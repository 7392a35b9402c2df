"""Pages: a table as the store keeps it, in bytes, and what the list of tables shows of it."""

from __future__ import annotations

import secrets
from string import ascii_letters, digits
from typing import Any, Protocol

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Info

from ..games.kit import Game, plain, refuse
from ..store import Stored, Summary
from .book import Book
from .log import LogEntry, Page, turned

encode = msgspec.msgpack.Encoder().encode
as_entry = msgspec.msgpack.Decoder(LogEntry).decode
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
    page, entries = _pages.decode(stored.snapshot), [as_entry(entry) for entry in stored.entries]
    for entry in entries:
        page = turned(page, entry)
    return page, entries


async def read(table: str, after: int, upto: int, store: Readable) -> list[LogEntry]:
    """The entries after + 1 … upto, as far as they exist."""
    return [as_entry(entry) for entry in await store.read(table, after, upto)]


async def page_at(table: str, version: int, game: Game, newest: Page, store: Readable) -> Page:
    """A table as it was at an earlier version."""
    page = copied(Book.first(game, newest).page())
    for entry in await read(table, 0, version, store):
        page = turned(page, entry)
    return page


def new_id() -> str:
    """An id that nobody guesses, and that no command line takes for an option."""
    return "".join(secrets.choice(ascii_letters + digits) for _ in range(16))


def copied(page: Page) -> Page:
    """The same page once more; patches change what they are applied to."""
    return _pages.decode(encode(page))


def summary_of(book: Book) -> Summary:
    """What the list of tables shows."""
    info, hidden = book.info, book.secrets
    return Summary(
        game=info.game,
        status=info.status,
        visibility=info.visibility,
        host=hidden.host,
        host_name=info.host,
        created=hidden.created,
        users=list(hidden.users),
        names=[None if sitting is None else sitting.name for sitting in info.seats],
        deadline=when_due(book),
        terms=terms_of(info),
    )


def when_due(book: Book) -> int | None:
    """When somebody must look after the table though nobody watches it: for bots, at once."""
    return 0 if book.bots_to_move() else book.deadline()


def terms_of(info: Info) -> dict[str, Any]:
    """What somebody wants to know before he sits down, as far as it is out of the ordinary."""
    terms = {"clock": info.clock, "ready_check": info.ready_check, "delay": info.delay, "reserved": info.reserved}
    return {name: plain(value) for name, value in terms.items() if value}
