"""Inspection of a store: whether every table can be read, its entries apply, and the installed rules can go on.

The inspection changes nothing and prints nothing. Its findings hold no secrets of a table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal

import msgspec
from msgspec import Struct

from palatine_protocol.digest import canonical

from .games.kit import Game
from .store import Damaged, StoredTable
from .store.readonly import ReadonlyStore
from .tables.model import TableSnapshot, apply_entry
from .tables.state import TableState
from .tables.storage.compatibility import NewerTable, UnreadableTable
from .tables.storage.persistence import (
    build_opening_snapshot,
    copy_snapshot,
    decode_snapshot,
    fill_defaults,
    read_entry,
)

Reason = Literal[
    "damaged", "unreadable", "does_not_apply", "incomplete", "differs", "newer_format", "no_game", "cannot_go_on"
]
BATCH = 256  # entries in one batch


class TableReport(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The findings about one table."""

    table: str
    game: str = ""
    status: str = ""
    edition: str = ""  # the edition of the rules with which the game began
    is_other_edition: bool = False  # whether that edition differs from the installed one
    version: int = 0
    reason: Reason | None = None  # why the table cannot be served; None if it can
    at: int | None = None  # the version of the wrong entry
    detail: str = ""  # the kind of the error, for developers


class StoreReport(Struct, kw_only=True):
    """The findings about a whole store."""

    kind: Literal["sqlite", "redis"]
    damage: list[str] = []  # damage of the file itself
    tables: int = 0
    entries: int = 0
    games: dict[str, int] = {}  # the number of tables of each game
    other_editions: int = 0  # tables that began with other rules than the installed ones; they are served too
    unreadable: list[TableReport] = []

    @property
    def is_healthy(self) -> bool:
        return not self.damage and not self.unreadable

    def add(self, report: TableReport) -> None:
        """Count one table."""
        self.tables += 1
        self.entries += report.version
        self.other_editions += report.is_other_edition
        if report.game:
            self.games = dict(sorted((Counter(self.games) + Counter([report.game])).items()))
        if report.reason:
            self.unreadable = [*self.unreadable, report]


class Flaw(Exception):  # noqa: N818 (what the inspection looks for)
    """The reason why a table cannot be served."""

    def __init__(self, reason: Reason, at: int | None, detail: str = "") -> None:
        super().__init__(reason)
        self.reason, self.at, self.detail = reason, at, detail


async def inspect_tables(
    archive: ReadonlyStore, games: Mapping[str, Game], tables: list[str]
) -> AsyncIterator[TableReport | None]:
    """Yield a report for each table; None for a table that has expired meanwhile."""
    for table in tables:
        yield await inspect_table(archive, games, table)


async def inspect_table(archive: ReadonlyStore, games: Mapping[str, Game], table: str) -> TableReport | None:
    """Return the report on one table; None if there is no such table."""
    inspection = Inspection(archive, games, table)
    try:
        is_there = await inspection.run()
    except Flaw as flaw:
        return msgspec.structs.replace(inspection.report, reason=flaw.reason, at=flaw.at, detail=flaw.detail)
    return inspection.report if is_there else None


class Inspection:
    """Inspects one table step by step, and raises the first Flaw."""

    def __init__(self, archive: ReadonlyStore, games: Mapping[str, Game], table: str) -> None:
        self._archive, self._games = archive, games
        self.report = TableReport(table=table)

    async def run(self) -> bool:
        """Take all steps; return whether the table exists."""
        stored = await self._load()
        if stored is None:
            return False
        snapshot = read_newest_page(stored)
        self._describe(snapshot)
        game = self._games.get(self.report.game)
        if game is None:
            raise Flaw("no_game", None)
        with raise_flaw("cannot_go_on", snapshot.version):
            check_playable(game, copy_snapshot(snapshot))
        await self._follow_log(snapshot)
        return True

    async def _load(self) -> StoredTable | None:
        with raise_flaw_if_damaged(None):
            return await self._archive.load(self.report.table)

    def _describe(self, snapshot: TableSnapshot) -> None:
        with raise_flaw("unreadable", snapshot.version):
            game, edition = str(snapshot.info["game"]), str(snapshot.hidden.get("edition", ""))
            installed = self._games[game].edition if game in self._games else edition
            self.report = TableReport(
                table=self.report.table,
                game=game,
                status=str(snapshot.info["status"]),
                edition=edition,
                is_other_edition=bool(edition) and edition != installed,
                version=snapshot.version,
            )

    async def _follow_log(self, newest: TableSnapshot) -> None:
        """Fold the whole log from its beginning, and compare the result with the newest page."""
        with raise_flaw("unreadable", 0):
            first = copy_snapshot(build_opening_snapshot(newest))
        try:
            last = await self._fold_log(copy_snapshot(first), newest.version)
        except Flaw as flaw:
            if flaw.reason != "does_not_apply":
                raise
            last = await self._fold_log(add_defaults(first), newest.version)
        if encode_zones(last) != encode_zones(newest):
            raise Flaw("differs", newest.version)

    async def _fold_log(self, snapshot: TableSnapshot, upto: int) -> TableSnapshot:
        while snapshot.version < upto:
            for entry in await self._read(snapshot.version, upto):
                snapshot = apply_stored_entry(snapshot, entry)
        return snapshot

    async def _read(self, after: int, upto: int) -> list[bytes]:
        """Read a batch of entries; if one is damaged, read only the next entry, so that the damaged one is found."""
        try:
            span = await self._archive.read(self.report.table, after, min(after + BATCH, upto))
        except Damaged:
            with raise_flaw_if_damaged(after + 1):
                span = await self._archive.read(self.report.table, after, after + 1)
        if not span.entries:
            raise Flaw("incomplete", after + 1)
        return span.entries


# Stored tables


def read_newest_page(stored: StoredTable) -> TableSnapshot:
    """Return the newest page of a stored table; or raise a Flaw."""
    with raise_flaw("unreadable", stored.snapshot_version):
        snapshot = decode_snapshot(stored.snapshot)
    try:
        return apply_entries(copy_snapshot(snapshot), stored.entries)
    except Flaw as flaw:
        if flaw.reason != "does_not_apply":
            raise
        return apply_entries(add_defaults(snapshot), stored.entries)


def add_defaults(snapshot: TableSnapshot) -> TableSnapshot:
    """Return the page with defaults for missing fields, which some entries rely on; see `persistence.fold`."""
    with raise_flaw("unreadable", snapshot.version):
        return copy_snapshot(fill_defaults(snapshot))


def apply_entries(snapshot: TableSnapshot, entries: list[bytes]) -> TableSnapshot:
    """Return the page after these entries; or raise a Flaw."""
    for raw in entries:
        snapshot = apply_stored_entry(snapshot, raw)
    return snapshot


def apply_stored_entry(snapshot: TableSnapshot, raw: bytes) -> TableSnapshot:
    """Return the page after an entry; or raise a Flaw."""
    version = snapshot.version + 1
    with raise_flaw("unreadable", version):
        entry = read_entry(raw)
    if entry.version != version:
        raise Flaw("incomplete", version)
    with raise_flaw("does_not_apply", version):
        return apply_entry(snapshot, entry)


def check_playable(game: Game, snapshot: TableSnapshot) -> None:
    """Check that the rules can go on from this page; raise the error of the rules if they cannot."""
    state = TableState.read(game, snapshot)
    state.waiting()
    if state.recorder:
        state.recorder.play.game.check(state.recorder.play)


def encode_zones(snapshot: TableSnapshot) -> bytes:
    """Return the encoded parts of a page that do not depend on the entries that led to it."""
    return canonical([snapshot.version, snapshot.info, snapshot.board, snapshot.hands, snapshot.hidden.get("game")])


@contextmanager
def raise_flaw(reason: Reason, at: int | None) -> Iterator[None]:
    """Turn every error into a Flaw without its message, which may hold a secret of the table."""
    try:
        yield
    except Flaw:
        raise
    except NewerTable as newer:
        raise Flaw("newer_format", at, newer.reason) from newer
    except UnreadableTable as why:
        raise Flaw(reason, at, why.reason) from why
    except Exception as error:
        raise Flaw(reason, at, type(error).__name__) from error


@contextmanager
def raise_flaw_if_damaged(at: int | None) -> Iterator[None]:
    """Turn damage that the store reports into a Flaw; other errors of the store end the inspection."""
    try:
        yield
    except Damaged as error:
        raise Flaw("damaged", at, str(error)) from error


# Export


async def export_table(archive: ReadonlyStore, table: str) -> AsyncIterator[bytes]:
    """Yield the readable parts of a table as JSON lines: a header, the snapshot, the entries up to the damage, an end.

    The lines hold every secret of the table: hands, draw piles and the seed.
    """
    stored, entries = await _readable_snapshot(archive, table), 0
    yield encode_line({"palatine_export": 1, "table": table, "holds_secrets": True})
    if stored:
        yield encode_line({"snapshot_version": stored.snapshot_version, **decode_content("snapshot", stored.snapshot)})
    async for raw in _readable_entries(archive, table):
        entries += 1
        yield encode_line({"version": entries, **decode_content("entry", raw)})
    yield encode_line({"end": True, "entries": entries, "is_whole": stored is not None and entries == stored.version})


async def _readable_snapshot(archive: ReadonlyStore, table: str) -> StoredTable | None:
    try:
        return await archive.load(table)
    except Damaged:
        return None


async def _readable_entries(archive: ReadonlyStore, table: str) -> AsyncIterator[bytes]:
    """Yield the entries one by one, because one damaged entry makes a whole batch unreadable."""
    version = 0
    while True:
        try:
            entries = (await archive.read(table, version, version + 1)).entries
        except Damaged:
            return
        if not entries:
            return
        version += 1
        yield entries[0]


def decode_content(name: str, raw: bytes) -> dict[str, Any]:
    """Return stored bytes as plain data; as base64 if they cannot be decoded."""
    try:
        decoded = msgspec.msgpack.decode(raw)
        msgspec.json.encode(decoded)
    except (msgspec.MsgspecError, UnicodeDecodeError, TypeError, ValueError, RecursionError):
        return {f"{name}_bytes": raw}
    return {name: decoded}


def encode_line(content: Mapping[str, Any]) -> bytes:
    return msgspec.json.encode(content) + b"\n"
