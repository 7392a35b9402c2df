"""All messages, as types.

A client sends requests, each with an id. The server answers each with exactly one reply that quotes the id, and pushes
snapshots and updates of the tables that the client watches. Unknown keys are ignored, so that new optional fields may
appear; a field that is absent has its default.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType, field

from .offers import Choice
from .patch import LARGEST, Patch

# In Python `$` also matches before a last line break; elsewhere the look-ahead changes nothing.
RequestId = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[!-~]+$(?!\n)")]
TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern=r"^[A-Za-z0-9_-]+$(?!\n)")]
SeatNumber = Annotated[int, Meta(ge=0, le=15)]
Version = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Word = Annotated[str, Meta(min_length=1, max_length=64)]
Visibility = Literal["public", "private"]
Status = Literal["open", "playing", "over"]

# What a client may put into an action or an option: no floats, no bytes, nothing beyond doubles, not deep, not broad.
Scalar = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | str | bool | None
FEW = Meta(max_length=256)
Flat = Scalar | Annotated[list[Scalar], FEW] | Annotated[dict[str, Scalar], FEW]
Nested = Scalar | Annotated[list[Flat], FEW] | Annotated[dict[str, Flat], FEW]
Plain = Scalar | Annotated[list[Nested], FEW] | Annotated[dict[str, Nested], FEW]


def tag(name: str) -> str:
    """The type of a message on the wire: its name in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# Requests


class Request(Struct, kw_only=True, tag_field="type", tag=tag):
    """What a client says. The id is its own choice; the same id again means the same request, not another one."""

    id: RequestId


class Hello(Request):
    """The first message: who I am, and the tables I was watching, each with the last version I have."""

    token: Annotated[str, Meta(max_length=1024)]
    resume: Annotated[dict[TableId, Version], Meta(max_length=32)] = {}
    client: Annotated[str, Meta(max_length=64)] = ""


class Ping(Request):
    """Are you there?"""


class ListTables(Request):
    """Which tables are open to me?"""

    game: Word | None = None
    status: Status | None = None


class Create(Request):
    """Open a table. The seed is for tests and refused unless the server allows it."""

    game: Word
    seats: SeatNumber
    options: dict[str, Plain] = {}
    visibility: Visibility = "public"
    move_limit: Annotated[int, Meta(ge=1, le=30 * 86_400, description="seconds per decision")] | None = None
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")] | None = None


class AtTable(Request):
    """A request about one table."""

    table: TableId


class Sit(AtTable):
    """Take a seat: the one named, or the first that is free."""

    seat: SeatNumber | None = None


class Leave(AtTable):
    """Give the seat up before the game starts; during the game a house bot plays on."""


class AddBot(AtTable):
    """Put a house bot on a seat: the one named, or the first that is free."""

    policy: Word = "greedy"
    seat: SeatNumber | None = None


class RemoveBot(AtTable):
    """Send a house bot away before the game starts."""

    seat: SeatNumber


class Start(AtTable):
    """Begin the game; all seats must be taken."""


class Watch(AtTable):
    """Follow a table from the version I have, or from its present state."""

    since: Version | None = field(name="from", default=None)


class Unwatch(AtTable):
    """Follow a table no longer."""


class Act(AtTable):
    """Answer the offer with this number."""

    offer: Version
    action: dict[str, Plain]


class Undo(AtTable):
    """Take my last action back."""


# Replies


class Reply(Struct, kw_only=True, tag_field="type", tag=tag):
    """The one answer to a request, whose id it quotes."""

    re: str


class Welcome(Reply):
    """You are known. Send something at least every `heartbeat` seconds; frames may have `largest_frame` bytes."""

    user: str
    name: str
    server: str
    heartbeat: int
    largest_frame: int
    token_expires: int  # seconds since 1970


class Pong(Reply):
    """I am here."""


class TableSummary(Struct, kw_only=True):
    """A table as a list of tables shows it."""

    table: str
    game: str
    status: Status
    visibility: Visibility
    seats: list[str | None]  # the names of those who sit there
    host: str
    created: int  # milliseconds since 1970
    yours: bool = False  # you sit there or are its host


class Tables(Reply):
    """The tables that are open to you, newest first."""

    tables: list[TableSummary]


class Created(Reply):
    """The table is open."""

    table: str


class Done(Reply):
    """It is done, durably, and is entry `version` of the table."""

    table: str
    version: int
    seat: int | None = None  # the seat you took or filled


class Watching(Reply):
    """You follow the table; what you miss arrives next, as updates or as a snapshot."""

    table: str
    version: int
    seat: int | None = None  # your seat, if you sit there


class Refused(Reply):
    """It was not done and nothing changed."""

    code: str
    sentence: str
    rule: str = ""  # the paragraph of the game's RULES.md
    path: str = ""  # where in the message the mistake is
    retry_after: int | None = None  # milliseconds


# Pushed by the server


class Seated(Struct, kw_only=True, omit_defaults=True):
    """Who sits on a seat."""

    name: str
    bot: bool = False
    policy: str = ""  # how the house bot plays
    substitute: bool = False  # a house bot plays for somebody who left


class Info(Struct, kw_only=True):
    """What everybody knows of a table besides the board."""

    game: str
    status: Status
    visibility: Visibility
    host: str
    seats: list[Seated | None]
    options: dict[str, Any]
    move_limit: int | None = None
    standings: list[dict[str, int]] = []  # seat, score and rank, when the game is over


class Offer(Struct, kw_only=True):
    """All you may do now. The id is the number of answers you have given; `act` quotes it."""

    id: int
    choices: list[Choice]


class Waiting(Struct, kw_only=True, omit_defaults=True):
    """A seat that holds the table up, and until when it may."""

    seat: int
    until: int | None = None  # milliseconds since 1970


class Push(Struct, kw_only=True, tag_field="type", tag=tag):
    """What the server says of its own accord."""


class Snapshot(Push):
    """A table as you may see it."""

    table: str
    version: int
    seat: int | None
    info: Info
    board: Any
    hand: Any
    offer: Offer | None
    waiting: list[Waiting]
    can_undo: bool
    digest: int


class Update(Push, kw_only=True):
    """One entry of a table as you may see it. What is absent did not change."""

    table: str
    version: int
    info: Patch | UnsetType = UNSET
    board: Patch | UnsetType = UNSET
    hand: Patch | UnsetType = UNSET
    offer: Offer | UnsetType | None = UNSET
    waiting: list[Waiting] | UnsetType = UNSET
    can_undo: bool | UnsetType = UNSET
    news: list[dict[str, Any]] | UnsetType = UNSET
    digest: int


class Lost(Push):
    """A table that `hello.resume` named is not followed, for this reason; what is said of it is as in `refused`."""

    table: str
    code: str
    sentence: str


class Bye(Push):
    """The connection ends; the close code follows. Connect again after so many milliseconds, if at all, and there."""

    code: int
    reason: str
    reconnect_in: int | None = None
    reconnect_to: str | None = None  # the address of another server, to be tried once; otherwise the same again


AnyRequest = (
    Hello | Ping | ListTables | Create | Sit | Leave | AddBot | RemoveBot | Start | Watch | Unwatch | Act | Undo
)
AnyReply = Welcome | Pong | Tables | Created | Done | Watching | Refused
AnyPush = Snapshot | Update | Lost | Bye
AnyFromServer = AnyReply | AnyPush
