"""What the players observed in a run, and the messages between the run and its client processes."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

DUPLICATE, STALE, TAIL, SNAPSHOT = "duplicate reply", "stale retry", "resume by tail", "resume by snapshot"
WENT_BACK = "tables that went back"
NONE = -1  # the version of a table that a client does not hold


class Ack(Struct, frozen=True, array_like=True):
    """An acknowledged request: the log must hold it once, by this user, at this version."""

    table: str
    user: str
    version: int
    did: str  # sit, start or act, as in the log
    action: dict[str, Any] | None
    sent: float  # on the monotonic clock, as all times here
    replied: float


class UnknownOutcome(Struct, frozen=True, array_like=True):
    """A request whose outcome is unknown: no reply came, or a reply to only one of several copies."""

    table: str
    user: str
    did: str
    action: dict[str, Any] | None


class HeldVersion(Struct, frozen=True, array_like=True):
    """A version that a client came to hold, by an update or a snapshot; NONE if it was told that the table is gone."""

    version: int
    is_snapshot: bool
    at: float


class FinalView(Struct, frozen=True, array_like=True):
    """The last view that a client had of a table."""

    table: str
    user: str
    seat: int | None
    version: int
    digest: int
    info: int = 0  # digest of the table's public info
    at: float = 0.0  # when the client was asked
    held: list[HeldVersion] = []  # versions held before, the newest last


class Observations(Struct, kw_only=True):
    """Everything that the players of one process observed."""

    acks: list[Ack] = []
    ends: list[FinalView] = []
    maybe: list[UnknownOutcome] = []
    refused: list[UnknownOutcome] = []  # refused for good, and sent only once
    reached: dict[str, int] = {}  # how often each rare path was taken
    problems: list[str] = []  # violations that a player saw
    replied_at: float = 0.0  # when the last reply came
    is_equal: bool = False  # all clients of each table agree, and no request is open


class WorkerConfig(Struct, kw_only=True):
    """The configuration of a client process."""

    secret: str
    nodes: list[int]  # ports
    tables: int
    seats: int
    pace: float  # average seconds between two actions of a player
    move: int  # seconds for each decision; 0: no limit
    seed: str
    output: str  # file for the observations
    may_lose: bool = False  # the store may lose acknowledged entries; players start over


class WorkerCommand(Struct, kw_only=True):
    """A command to a client process: `cut` a share of the connections, `rebalance`, `stop` or `report`."""

    do: str
    share: float = 0.0


class WorkerStatus(Struct, kw_only=True):
    """The status that a client process prints."""

    acks: int = 0
    refused: int = 0
    problem: str = ""  # the first problem
    is_equal: bool = False
    away: int = 0  # players without a connection
    commands: int = 0  # commands carried out
    has_reported: bool = False  # the observations are written
