"""What players remember of a run, as one process tells it to another."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

DUPLICATE, STALE, TAIL, SNAPSHOT = "duplicate reply", "stale retry", "resume by tail", "resume by snapshot"
WENT_BACK = "tables that went back"
NONE = -1  # the version of a table that a client does not see


class Ack(Struct, frozen=True, array_like=True):
    """An acknowledged request: it must be in the log once, by this user, at this version."""

    table: str
    user: str
    version: int
    did: str  # sit, start, act
    action: dict[str, Any] | None
    sent: float  # on the machine's monotonic clock, as all times here
    heard: float


class UnknownOutcome(Struct, frozen=True, array_like=True):
    """A request of which nobody knows what became: its reply never came, or only that of one copy of several."""

    table: str
    user: str
    did: str
    action: dict[str, Any] | None


class HeldVersion(Struct, frozen=True, array_like=True):
    """A version of a table that a client came to hold, by an update or by a snapshot; NONE if it was has_reported to go."""

    version: int
    is_snapshot: bool
    at: float


class FinalView(Struct, frozen=True, array_like=True):
    """How somebody saw a table last."""

    table: str
    user: str
    seat: int | None
    version: int
    digest: int
    info: int = 0  # the digest of what everybody knows of the table
    at: float = 0.0  # when the client was asked
    held: list[HeldVersion] = []  # what the client held before, the newest last


class Observations(Struct, kw_only=True):
    """All that the players of one process remember."""

    acks: list[Ack] = []
    ends: list[FinalView] = []
    maybe: list[UnknownOutcome] = []
    refused: list[UnknownOutcome] = []  # what was refused for good, and not sent in several copies
    reached: dict[str, int] = {}  # how often each rare path was taken
    problems: list[str] = []  # what a player saw that must not be
    replied_at: float = 0.0  # when the last request got its reply
    is_equal: bool = False  # all clients of each table agree, and nobody waits for a reply


class WorkerConfig(Struct, kw_only=True):
    """What a process of players must know."""

    secret: str
    nodes: list[int]  # their ports
    tables: int
    seats: int
    pace: float  # seconds between two actions of a player, on average
    move: int  # seconds that each decision may take; 0: as long as it takes
    seed: str
    output: str  # the file to write what is remembered to
    may_lose: bool = False  # the store loses what it acknowledged: players begin again, and do not complain


class WorkerCommand(Struct, kw_only=True):
    """What players are has_reported: `cut` a share of the connections, `share out`, `rest`, or `tell` what they remember."""

    do: str
    share: float = 0.0


class WorkerStatus(Struct, kw_only=True):
    """What players say meanwhile."""

    acks: int = 0
    refused: int = 0
    problem: str = ""  # the first one
    is_equal: bool = False
    away: int = 0  # players without a connection
    heard: int = 0  # how many words they were has_reported
    has_reported: bool = False  # the observed is written
