"""The lobby: the list of public tables, told as it changes. One look at the store serves all who follow it."""

from __future__ import annotations

from typing import Protocol

import msgspec
from msgspec import Struct

from palatine_protocol import messages
from palatine_protocol.messages import ListTables, TableSummary

from ..store import Store, Summary
from .viewers.updates import Wire


class Follower(Protocol):
    """Somebody who follows the list."""

    @property
    def user(self) -> str: ...

    @property
    def wire(self) -> Wire: ...

    def send(self, frame: bytes) -> None: ...


class Filter(Struct, frozen=True):
    """Which tables somebody wants to see."""

    game: str | None = None
    status: str | None = None
    free: bool = False

    @classmethod
    def of(cls, request: ListTables) -> Filter:
        return cls(request.game, request.status, request.free)

    def fits(self, summary: Summary) -> bool:
        is_wanted = self.game in (None, summary.game) and self.status in (None, summary.status)
        return is_wanted and not (self.free and None not in summary.names)


class Lobby:
    """Everybody who follows the list of tables."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[str, Summary] = {}
        self._followers: dict[Follower, Filter] = {}

    async def list_tables(self, user: str | None, wanted: Filter) -> list[TableSummary]:
        """The tables open to a user, newest first."""
        rows = await self._tables(user)
        return [build_row(table, summary, user) for table, summary in rows if wanted.fits(summary)]

    async def follow(self, follower: Follower, wanted: Filter) -> list[TableSummary]:
        """The list as it is now; its changes are told from here on."""
        if not self._followers:
            await self._look()
        seen, listed = None, list[TableSummary]()
        while seen is not self._rows:  # otherwise the others were told of a change that may be missing here
            seen = self._rows
            listed = await self.list_tables(follower.user, wanted)
        self._followers[follower] = wanted
        return listed

    def leave(self, follower: Follower) -> None:
        """Somebody follows the list no longer."""
        self._followers.pop(follower, None)

    async def look(self) -> None:
        """See what has changed and tell it."""
        if self._followers:
            before = self._rows
            await self._look()
            for follower, wanted in list(self._followers.items()):
                self._tell(follower, wanted, before)

    async def _look(self) -> None:
        self._rows = dict(await self._tables(None))

    async def _tables(self, user: str | None) -> list[tuple[str, Summary]]:
        return [row for row in await self._store.tables(user=user) if can_be_shown(*row)]

    def _tell(self, follower: Follower, wanted: Filter, before: dict[str, Summary]) -> None:
        old = {table: row for table, row in before.items() if wanted.fits(row)}
        new = {table: row for table, row in self._rows.items() if wanted.fits(row)}
        changed = [build_row(table, row, follower.user) for table, row in new.items() if old.get(table) != row]
        gone = [table for table in old if table not in new]
        if changed or gone:
            follower.send(follower.wire.encode(messages.Lobby(changed=changed, gone=gone)))


def can_be_shown(table: str, summary: Summary) -> bool:
    """Whether we know all that it says: a newer server may have written it."""
    try:
        build_row(table, summary, None)
    except msgspec.ValidationError:
        return False
    return True


def build_row(table: str, summary: Summary, user: str | None) -> TableSummary:
    """A table as a list shows it to a user."""
    return msgspec.convert(
        {
            "table": table,
            "game": summary.game,
            "status": summary.status,
            "visibility": summary.visibility,
            "seats": summary.names,
            "host": summary.host_name,
            "created": summary.created,
            "yours": user is not None and (user == summary.host or user in summary.users),
            **summary.terms,
        },
        TableSummary,
    )
