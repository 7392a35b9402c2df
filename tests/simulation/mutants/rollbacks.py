"""Mutants of the code that handles a store rollback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from palatine_client.events import Event
from palatine_client.session import Session
from palatine_client.view import PlainSnapshot
from palatine_server.store import Head, HistoryChanged, LogSpan
from palatine_server.tables.storage import history, loader
from palatine_server.tables.storage.history import History

from .injection import Change, do_nothing, mutant


@mutant(
    "A node ignores a head in the store that is lower than its own.",
    *("another_history", "equal", "behind", "uncommitted", "untold"),
)
def lower_head_ignored() -> list[Change]:
    def wrapper(may_be: Any) -> Any:
        def ignoring(self: History, asked: Head, found: Head | None) -> Any:
            return (found is not None and found.version < asked.version) or may_be(self, asked, found)

        return ignoring

    def asking(compare: Any) -> Any:
        async def ignoring(self: History) -> None:
            with suppress(HistoryChanged):
                await compare(self)

        return ignoring

    return [(History, "may_be", wrapper), (History, "compare", asking)]


@mutant(
    "A node compares heads by their versions alone.",
    *("unfit", "digest", "forked", "another_history", "equal", "offer", "snapshot", "broke", "refused", "clock"),
)
def hashes_not_compared() -> list[Change]:
    def by_version(equals: Any) -> Any:
        return lambda self, other: isinstance(other, Head) and self.version == other.version

    return [(Head, "__eq__", by_version)]


@mutant(
    "A node does not compare the entries that it reads with the head that it holds.",
    *("unfit", "digest", "forked", "another_history", "uncommitted", "equal", "snapshot", "broke", "refused", "gap"),
    "backwards",
)
def reading_goes_on_from_any_head() -> list[Change]:
    def wrapper(read_after: Any) -> Any:
        async def trusting(table: str, head: Head, most: int, store: Any) -> LogSpan:
            log: LogSpan = await store.read(table, head.version, head.version + most)
            return log

        return trusting

    return [(history, "read_after", wrapper)]


@mutant("A client that reconnects does not send the fork of its history.", "problem", "equal", "behind", "forked")
def client_goes_on_with_another_history() -> list[Change]:
    def wrapper(hello: Any) -> Any:
        def silent(self: Session) -> Any:
            said = hello(self)
            said.forks = {}
            return said

        return silent

    return [(Session, "_build_hello", wrapper)]


@mutant("A server ignores the fork that a client sends.", "forked", "another_history")
def fork_not_looked_at() -> list[Change]:
    def wrapper(missed: Any) -> Any:
        async def careless(self: History, since: int | None, fork: str) -> Any:
            return await missed(self, since, "")

        return careless

    return [(History, "read_missed", wrapper)]


@mutant(
    "A reloaded table is not sent to its viewers.",
    *("gap", "forked", "another_history", "equal", "behind", "untold"),
)
def loaded_again_and_not_shown() -> list[Change]:
    return [(loader, "show_everybody", do_nothing)]


@mutant("A client ignores a snapshot that is older than what it holds.", "behind", "equal", "problem", "went_back")
def older_snapshot_ignored() -> list[Change]:
    def wrapper(shown: Any) -> Any:
        def ignoring(self: Session, message: PlainSnapshot) -> Iterator[Event]:
            view = self.tables.get(message.table)
            if not view or view.version is None or message.version >= view.version:
                yield from shown(self, message)

        return ignoring

    return [(Session, "_handle_snapshot", wrapper)]
