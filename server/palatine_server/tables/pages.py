"""Pages: a table as the store keeps it, in bytes, and what the list of tables shows of it."""

from __future__ import annotations

import secrets
from string import ascii_letters, digits
from typing import Any, NamedTuple, Protocol

import msgspec
from anyio import sleep

from palatine_protocol.errors import Code
from palatine_protocol.messages import Info

from ..games.kit import Game, plain, refuse
from ..store import Head, HistoryChanged, Span, Stored, Summary
from .book import Book
from .log import LogEntry, Page, turned

encode = msgspec.msgpack.Encoder().encode
as_entry = msgspec.msgpack.Decoder(LogEntry).decode
APPLIED_AT_ONCE = 16  # entries; then others have their turn
_pages = msgspec.msgpack.Decoder(Page)


class Readable(Protocol):
    """A store, or an archive."""

    async def load(self, table: str) -> Stored | None: ...

    async def read(self, table: str, after: int, upto: int) -> Span: ...


class Loaded(NamedTuple):
    """The newest page of a table, and the log after its snapshot, decoded and as it is stored."""

    page: Page
    entries: list[LogEntry]
    log: Span


async def load(table: str, store: Readable) -> tuple[Page, list[LogEntry]]:
    """The newest page of a table, and the entries that were read after its snapshot."""
    page, entries, _ = await load_with_log(table, store)
    return page, entries


async def load_with_log(table: str, store: Readable) -> Loaded:
    """The same, with the heads of the log."""
    stored = await store.load(table)
    if stored is None:
        raise refuse(Code.NO_SUCH_TABLE)
    page, entries = _pages.decode(stored.snapshot), [as_entry(entry) for entry in stored.entries]
    for entry in entries:
        page = turned(page, entry)
    return Loaded(page, entries, stored.log)


async def read(table: str, after: int, upto: int, store: Readable) -> list[LogEntry]:
    """The entries after + 1 … upto, as far as they exist."""
    return [as_entry(entry) for entry in (await store.read(table, after, upto)).entries]


async def read_after(table: str, head: Head, most: int, store: Readable) -> Span:
    """The entries that follow a head, so many at most; HistoryChanged if the log has no such head any more."""
    log = await store.read(table, head.version, head.version + most)
    if log.start != head:
        raise HistoryChanged(f"table {table}: the log is not the one whose entry {head.version} was read")
    return log


async def read_before(table: str, after: int, head: Head, store: Readable) -> Span:
    """The entries after a version that lead to a head; HistoryChanged if they do not any more."""
    log = await store.read(table, after, head.version)
    if log.end != head:
        raise HistoryChanged(f"table {table}: the log does not lead to the entry {head.version} that was read")
    return log


async def page_at(table: str, version: int, game: Game, newest: Page, head: Head, store: Readable) -> Page:
    """A table as it was at an earlier version of the history that leads to its newest page."""
    page, _ = await page_and_rest(table, version, game, newest, head, store)
    return page


async def page_and_rest(
    table: str, version: int, game: Game, newest: Page, head: Head, store: Readable
) -> tuple[Page, list[bytes]]:
    """The same, and the entries that lead from there to the newest page."""
    page = copied(Book.first(game, newest).page())
    entries = (await read_before(table, 0, head, store)).entries
    for number, entry in enumerate(entries[:version]):
        page = turned(page, as_entry(entry))
        if number % APPLIED_AT_ONCE == 0:
            await sleep(0)
    return page, entries[version:]


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
