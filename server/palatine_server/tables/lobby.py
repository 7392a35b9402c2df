"""The lobby: the list of public tables, and its changes. One read of the store serves all followers."""

from __future__ import annotations

from typing import Protocol

import msgspec
from msgspec import Struct

from palatine_protocol import messages
from palatine_protocol.messages import ListTables, TableSummary

from ..store import Store, Summary
from .viewers.updates import Wire


class Follower(Protocol):
    """A client that follows the list."""

    @property
    def user(self) -> str: ...

    @property
    def wire(self) -> Wire: ...

    def send(self, frame: bytes) -> None: ...


class Filter(Struct, frozen=True):
    """Which tables a client wants to see."""

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
    """The clients that follow the list of tables, and the list as they were last sent it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._rows: dict[str, Summary] = {}
        self._followers: dict[Follower, Filter] = {}

    async def list_tables(self, user: str | None, wanted: Filter) -> list[TableSummary]:
        """Return the tables open to a user, newest first."""
        rows = await self._tables(user)
        return [build_row(table, summary, user) for table, summary in rows if wanted.fits(summary)]

    async def follow(self, follower: Follower, wanted: Filter) -> list[TableSummary]:
        """Return the list as it is now, and send its changes to the follower from now on."""
        if not self._followers:
            await self._look()
        seen, listed = None, list[TableSummary]()
        while seen is not self._rows:  # otherwise other followers were sent a change that may be missing here
            seen = self._rows
            listed = await self.list_tables(follower.user, wanted)
        self._followers[follower] = wanted
        return listed

    def leave(self, follower: Follower) -> None:
        """Stop sending changes to a client."""
        self._followers.pop(follower, None)

    async def look(self) -> None:
        """Read the list again, and send its changes to the followers."""
        if self._followers:
            before = self._rows
            await self._look()
            for follower, wanted in list(self._followers.items()):
                self._send_changes(follower, wanted, before)

    async def _look(self) -> None:
        self._rows = dict(await self._tables(None))

    async def _tables(self, user: str | None) -> list[tuple[str, Summary]]:
        return [row for row in await self._store.tables(user=user) if can_be_shown(*row)]

    def _send_changes(self, follower: Follower, wanted: Filter, before: dict[str, Summary]) -> None:
        old = {table: row for table, row in before.items() if wanted.fits(row)}
        new = {table: row for table, row in self._rows.items() if wanted.fits(row)}
        changed = [build_row(table, row, follower.user) for table, row in new.items() if old.get(table) != row]
        gone = [table for table in old if table not in new]
        if changed or gone:
            follower.send(follower.wire.encode(messages.Lobby(changed=changed, gone=gone)))


def can_be_shown(table: str, summary: Summary) -> bool:
    """Return whether this version can read the summary: a newer server may have written it."""
    try:
        build_row(table, summary, None)
    except msgspec.ValidationError:
        return False
    return True


def build_row(table: str, summary: Summary, user: str | None) -> TableSummary:
    """Build the row of a table in the list of a user."""
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
