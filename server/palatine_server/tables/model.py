"""Stored types of a table: the entries of its log, its snapshots, and its secrets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from palatine_protocol import patch
from palatine_protocol.messages import Line

from ..games.kit import Drawing, Seat


class ChatMessage(Line, kw_only=True, omit_defaults=True):
    """A line of chat, with its author."""

    user: str = ""
    at: int = 0
    reported: list[str] = []  # by these users


class SeatClock(Struct, kw_only=True, omit_defaults=True):
    """The clock of one seat. Moments are milliseconds since 1970, spans are milliseconds."""

    bank: int = 0
    since: int | None = None  # since when the table waits for the seat
    began: int | None = None  # when the current decision began, moved by the time for which the clock was stopped
    used: int | None = None  # by a decision that may be undone, or whose clock was stopped
    away: int | None = None  # since when the player is not connected
    lapses: int | None = None  # the table waits for the seat until then, also without a clock
    asked: list[str] = []  # keys of the steps for which this clock has run, and which may ask the seat again


class SealedChoice(Struct, frozen=True):
    """A secret choice whose seal was published, and which is not open yet."""

    version: int
    seat: Seat
    action: Any


class Secrets(Struct, kw_only=True):
    """The part of a table that no viewer sees, besides the hidden part of the game."""

    host: str
    users: list[str | None]  # by seat
    seed: str  # the server's part of it
    created: int
    answers: list[int]  # how many offers each seat has answered; the number of its next one
    clocks: list[SeatClock]
    opening: Any = None  # the first info and secrets; with the log, they give the table at any version
    invitation: str = ""
    reserved: list[str | None] = []  # users, by seat
    talk: list[ChatMessage] = []  # the last lines
    muted: list[ChatMessage] = []  # the lines for which their authors were muted
    sealed: list[SealedChoice] = []
    edition: str = ""  # of the rules with which the game began
    closed_for: int = 0  # the total downtime that the clocks account for
    paused_by: str = ""  # the user who paused the game last
    erased: list[str] = []  # users who were erased: earlier entries name them, so the table goes when it is archived


class TableSnapshot(Struct, kw_only=True):
    """The whole state of a table at a version, as the store keeps it."""

    version: int
    info: Any
    board: Any
    hands: list[Any]
    hidden: Any
    format: int = 1  # see storage/STORED_TYPES.md


class StoredNews(Struct, frozen=True):
    """News as the log stores it: the event, and the seats that see it; None is a spectator."""

    news: dict[str, Any]
    to: Sequence[Seat | None] | None = None

    def is_for(self, viewer: Seat | None) -> bool:
        return self.to is None or viewer in self.to


class LogEntry(Struct, kw_only=True, omit_defaults=True):
    """One change of a table, with all its consequences."""

    version: int
    at: int  # milliseconds since 1970
    user: str  # the user who requested it; empty: the server
    did: dict[str, Any]  # the action, or the kind of request
    seat: Seat | None = None
    info: patch.Patch = []
    board: patch.Patch = []
    hands: list[patch.Patch] = []
    hidden: patch.Patch = []
    news: list[StoredNews] = []
    drawings: list[Drawing] = []  # the results of random draws
    digests: list[int]  # by seat; the last one is the spectators'
    format: int = 1  # see storage/STORED_TYPES.md
    request: str = ""  # the id of the request that caused it; empty: none did, or an older version wrote it


def select_game_patch(hidden: patch.Patch) -> patch.Patch:
    """Select the patch of the game's box from a patch of the hidden zone."""
    return [[op[0][1:], *op[1:]] for op in hidden if op[0][:1] == ["game"]]


def find_invitation(entry: LogEntry) -> str:
    """Return the invitation that an entry made."""
    return next(str(operation[1]) for operation in entry.hidden if operation[0] == ["invitation"])


def apply_entry(snapshot: TableSnapshot, entry: LogEntry) -> TableSnapshot:
    """Return the snapshot after an entry, without running a rule."""
    return TableSnapshot(
        version=entry.version,
        info=patch.apply(snapshot.info, entry.info),
        board=patch.apply(snapshot.board, entry.board),
        hands=[patch.apply(hand, ops) for hand, ops in zip(snapshot.hands, entry.hands, strict=True)],
        hidden=patch.apply(snapshot.hidden, entry.hidden),
        format=entry.format,
    )
