"""The archive: signed records of finished games, compressed, kept for longer than their tables.

A node that sees a game end archives it a few seconds later, when chat and rematches have settled. If the node dies
before, a sweep of all nodes finds the table within the hour. A table that gets entries after its archiving is archived
again. Building a record takes tens of milliseconds, so it runs in a thread, one at a time.
"""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Sequence
from hmac import compare_digest
from typing import Any

import anyio
import msgspec
from anyio import CapacityLimiter, to_thread
from msgspec import Struct
from msgspec.structs import replace

from ..games.kit import Refused
from ..store import ArchivedGame, Store, Unavailable
from ..tables.model import LogEntry, TableSnapshot
from ..tables.state import TableState
from ..tables.storage import persistence
from .export import is_imported
from .file_format import decode_record, encode_record, sign_record
from .personal_texts import UserTexts, erase_user_texts, find_user_texts
from .record import build_record
from .signatures import Signer
from .signing_keys import SigningKeys

log = logging.getLogger("palatine.records")
SETTLE = 5.0  # seconds after the last entry of a finished game
LATER = 60.0  # seconds until the next attempt to remove a table that people watch
SWEEP = 3600.0  # seconds between two searches for games that no node has archived
FIRST_SWEEP = 60.0  # seconds after the start of a node
MOST_WAITING = 10_000  # tables that wait to be archived; a sweep finds the others
SOME = 100  # tables that one search returns
DAY = 86_400_000  # milliseconds


class ArchiveRow(Struct, kw_only=True):
    """What the archive knows of a game besides its record."""

    game: str
    ended: int  # milliseconds since 1970
    version: int  # of the last entry in the record
    visibility: str
    invitation: str = ""
    host: str = ""
    users: list[str | None]  # by seat
    names: list[str | None]  # by seat
    scores: list[int | None] = []  # by seat
    texts: dict[str, UserTexts] = {}  # by user

    def admits(self, user: str, invitation: str) -> bool:
        """Return whether a user may see a game: it was public, they took part, or they hold its invitation."""
        is_member = bool(user) and user in {self.host, *self.users}
        is_invited = bool(self.invitation) and compare_digest(invitation.encode(), self.invitation.encode())
        return self.visibility == "public" or is_member or is_invited


_encode = msgspec.msgpack.Encoder().encode
_rows = msgspec.msgpack.Decoder(ArchiveRow)


def decode_row(row: bytes) -> ArchiveRow:
    return _rows.decode(row)


class Archive:
    """Archives the finished games of a store, and finds them again."""

    def __init__(
        self,
        store: Store,
        keys: SigningKeys,
        clock: Callable[[], int],
        days: float,
        close_unwatched: Callable[[str], bool] = lambda table: True,
    ) -> None:
        self._store, self._keys, self._clock, self._keep = store, keys, clock, int(days * DAY)
        self._close_unwatched = close_unwatched  # closes a table, and returns whether nobody watches it
        self._waiting: dict[str, float] = {}  # tables, and when they may be archived
        self._one = CapacityLimiter(1)

    # When

    def note_end(self, table: str, state: TableState) -> None:
        """Note that a table whose game is over was opened or has changed; archive it soon."""
        if self._keep and len(self._waiting) < MOST_WAITING:
            self._waiting.pop(table, None)
            self._waiting[table] = anyio.current_time() + SETTLE

    async def run(self) -> None:
        """Archive what waits, and search for what was missed, for as long as the server runs."""
        if not self._keep:
            return
        sweep_at = anyio.current_time() + FIRST_SWEEP
        while True:
            await anyio.sleep(1)
            try:
                await self._archive_waiting()
                if anyio.current_time() >= sweep_at:
                    sweep_at = anyio.current_time() + SWEEP
                    await self._sweep()
            except Unavailable:
                log.warning("finished games are not archived now: the store does not answer; it is tried again")
            except Exception:  # one table must not stop the archive
                log.exception("a finished game was not archived; it is tried again; please report this")

    async def _archive_waiting(self) -> None:
        now = anyio.current_time()
        for table in [table for table, at in self._waiting.items() if at <= now]:
            del self._waiting[table]
            await self.archive_table(table)

    async def _sweep(self) -> None:
        """Archive finished games that no node has archived; one node at a time searches."""
        if not await self._store.claim_key("archive sweep", int(SWEEP * 500)):
            return
        for table in await self._store.find_unarchived(SOME):
            await self.archive_table(table)

    # What

    async def archive_table(self, table: str) -> ArchivedGame | None:
        """Archive a table whose game is over and return the game; None if the table cannot be read."""
        try:
            snapshot, _ = await persistence.load(table, self._store)
            entries = await persistence.read_entries(table, 0, snapshot.version, self._store)
        except Refused:  # gone, or unreadable, which the node has reported
            return None
        signer = await self._keys.load_signer()
        game = await to_thread.run_sync(build_game, table, snapshot, entries, signer, limiter=self._one)
        await self._put(game)
        if snapshot.hidden.get("erased"):
            await self._remove_unwatched(table)
        return game

    async def _remove_unwatched(self, table: str) -> None:
        """Remove a table whose log names an erased user; while people still look at it, try again later."""
        if self._close_unwatched(table):
            await self._store.remove(table)
        else:
            self._waiting[table] = anyio.current_time() + LATER

    async def _put(self, game: ArchivedGame) -> None:
        await self._store.archive(game, max(1, game.ended + self._keep - self._clock()))

    async def find(self, table: str) -> tuple[ArchiveRow, bytes] | None:
        """Return the row and the record file of an archived game."""
        game = await self._store.find_archived(table)
        if game is None:
            return None
        return decode_row(game.row), await to_thread.run_sync(unpack, game.record)

    async def list_games(self, user: str, limit: int = SOME) -> list[tuple[str, ArchiveRow]]:
        """Return the finished games of a user, the last one first."""
        return [(table, decode_row(row)) for table, row in await self._store.list_archived(user, limit)]

    async def erase_user(self, user: str) -> int:
        """Erase the names and chat of a user from their archived games; return how many games there were."""
        done: set[str] = set()  # a game whose record is gone stays in the list until it expires
        while tables := {table for table, _ in await self._store.list_archived(user, SOME)} - done:
            for table in tables:
                game = await self._store.find_archived(table)
                if game is not None:
                    await self._put(await to_thread.run_sync(erase_from_game, game, user, limiter=self._one))
            done |= tables
        return len(done)


# In a thread


def build_game(table: str, snapshot: TableSnapshot, entries: Sequence[LogEntry], signer: Signer | None) -> ArchivedGame:
    """Build the archived game of a table."""
    record = build_record(table, snapshot, entries)
    record = record if is_imported(snapshot) else sign_record(record, signer)
    texts = {} if is_imported(snapshot) else find_user_texts(snapshot, entries)
    for user in snapshot.hidden.get("erased", []):
        record = erase_user_texts(record, texts.pop(user, UserTexts()))
    info = snapshot.info
    row = ArchiveRow(
        game=info["game"],
        ended=find_end(entries),
        version=snapshot.version,
        visibility=info["visibility"],
        invitation=snapshot.hidden.get("invitation", ""),
        host=snapshot.hidden["host"],
        users=snapshot.hidden["users"],
        names=[(sitting or {}).get("name") for sitting in info["seats"]],
        scores=find_scores(info),
        texts=texts,
    )
    users = sorted({user for user in (row.host, *row.users, *texts) if user})
    return ArchivedGame(table=table, ended=row.ended, users=users, row=_encode(row), record=pack(encode_record(record)))


def find_end(entries: Sequence[LogEntry]) -> int:
    """Return when the game ended: the time of the last entry that changed it."""
    return next((entry.at for entry in reversed(entries) if entry.board), entries[-1].at if entries else 0)


def find_scores(info: Any) -> list[int | None]:
    """Return the final score of each seat, as far as the table has them."""
    by_seat = {place["seat"]: place["score"] for place in info.get("standings") or []}
    return [by_seat.get(seat) for seat in range(len(info["seats"]))]


def erase_from_game(game: ArchivedGame, user: str) -> ArchivedGame:
    """Return an archived game without the texts and the id of a user."""
    row, record = decode_row(game.row), decode_record(unpack(game.record))
    texts = row.texts.get(user, UserTexts())
    seats = [seat for seat, sitting in enumerate(row.users) if sitting == user]
    erased = replace(
        row,
        host="" if row.host == user else row.host,
        users=[None if sitting == user else sitting for sitting in row.users],
        names=[None if seat in seats else name for seat, name in enumerate(row.names)],
        texts={other: own for other, own in row.texts.items() if other != user},
    )
    content = encode_record(erase_user_texts(record, texts))
    users = [other for other in game.users if other != user]
    return replace(game, users=users, row=_encode(erased), record=pack(content))


def pack(content: bytes) -> bytes:
    """Compress a record file."""
    return zlib.compress(content, 6)


def unpack(packed: bytes) -> bytes:
    """Return a compressed record file."""
    return zlib.decompress(packed)
