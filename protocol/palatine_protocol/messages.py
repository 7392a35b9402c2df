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
Seconds = Annotated[int, Meta(ge=0, le=60 * 86_400)]
Entropy = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)", description="16 random bytes")]
Code = Annotated[str, Meta(max_length=32)]
Delay = Annotated[int, Meta(ge=0, le=256, description="how many entries spectators are behind")]
Fork = Annotated[str, Meta(max_length=32, description="opaque; names the history of a table up to a version")]
Language = Literal["en", "de"]
Channel = Literal["table", "spectators"]
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
    forks: Annotated[dict[TableId, Fork], Meta(max_length=32)] = {}  # of these versions, as far as I was told them
    invitations: Annotated[dict[TableId, Code], Meta(max_length=32)] = {}  # to private ones among them
    client: Annotated[str, Meta(max_length=64)] = ""


class Ping(Request):
    """Are you there?"""


class ListTables(Request):
    """Which public tables are not over, and which are my own?

    Who follows the list is told its changes, until asking again without following.
    """

    game: Word | None = None
    status: Status | None = None
    free: bool = False  # only where a seat is free
    follow: bool = False


class Clock(Struct, kw_only=True, omit_defaults=True):
    """How long a seat may hold the table up, in seconds.

    Each decision has its own time; when it is used up the seat's bank runs, which grows by the increment with each
    decision. A seat whose player is not connected is waited for as long as the grace says, if it says anything.
    When time is up the rules decide, or a house bot of this policy takes the seat until its player sits down again.
    """

    move: Seconds = 0
    bank: Seconds = 0
    increment: Seconds = 0
    grace: Seconds | None = None
    overdue: Word = "rules"


class Create(Request):
    """Open a table. The seed is for tests and refused unless the server allows it."""

    game: Word
    seats: SeatNumber
    options: dict[str, Plain] = {}
    visibility: Visibility = "public"
    clock: Clock | None = None
    ready_check: bool = False  # the game starts only when all have said that they are ready
    delay: Delay = 0
    reserved: Annotated[list[Word | None], Meta(max_length=16)] = []  # users for whom seats are kept, by seat
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")] | None = None


class AtTable(Request):
    """A request about one table."""

    table: TableId


class Sit(AtTable):
    """Take a seat: the one named, or the first that is free. A private table asks strangers for its invitation."""

    seat: SeatNumber | None = None
    invitation: Code = ""


class Ready(AtTable):
    """I am ready to start, or not any more."""

    ready: bool = True


class Contribute(AtTable):
    """Add my own chance to the seed of the game, before it starts."""

    entropy: Entropy


class Invite(AtTable):
    """What is the invitation to this table? The host may make a new one; the old one is void then."""

    renew: bool = False


class Kick(AtTable):
    """Send somebody away before the game starts, as the host."""

    seat: SeatNumber


class Reserve(AtTable):
    """Keep a seat for a user, or for nobody any more, as the host."""

    seat: SeatNumber
    user: Word | None = None


class Change(AtTable):
    """Change what the host may decide about the table, before the game starts. What is absent stays as it is."""

    options: dict[str, Plain] | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    ready_check: bool | UnsetType = UNSET
    delay: Delay | UnsetType = UNSET


class HandOver(AtTable):
    """Make whoever sits there the host."""

    seat: SeatNumber


class Pause(AtTable):
    """Stop the game and its clocks for a while, or go on, as the host."""

    paused: bool = True


class Rematch(AtTable):
    """Once more with the same people, each one seat further; the reply names the new table."""


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
    """Follow a table from the version I have, or from its present state.

    A spectator may look over the shoulder of a seat that allows it. With a pace, a game that is over is told again, as
    any seat saw it and from any version: so many entries per second, or with 0 as fast as you read.
    """

    since: Version | None = field(name="from", default=None)
    fork: Fork = ""  # of that version, as I was told it
    seat: SeatNumber | None = field(name="as", default=None)
    open: bool = False  # everything, as only a game that is over can be seen
    pace: Annotated[int, Meta(ge=0, le=50)] | None = None
    invitation: Code = ""


class Unwatch(AtTable):
    """Follow a table no longer."""


class Act(AtTable):
    """Answer the offer with this number."""

    offer: Version
    action: dict[str, Plain]


class Undo(AtTable):
    """Take my last action back."""


class TakeBack(AtTable):
    """Propose to go back to an earlier version of the game; it is done when all players agree."""

    to: Version


class Agree(AtTable):
    """Agree to the proposal to take back, or refuse it."""

    agree: bool = True


class Show(AtTable):
    """Let spectators look over my shoulder, or not any more."""

    shown: bool = True


class Say(AtTable):
    """Say something at the table, or among the spectators."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    to: Channel = "table"


class Mute(AtTable):
    """Silence whoever said this line, as host or administrator, or let him speak again."""

    line: Version
    muted: bool = True


class Report(AtTable):
    """Note a complaint about a line in the log of the table, for those who run the server."""

    line: Version
    why: Annotated[str, Meta(max_length=300)] = ""


class Point(AtTable):
    """Show an action that I might take to those who decide about it with me; nothing is done or stored."""

    action: dict[str, Plain] | None = None  # nothing: point no longer


class Preview(AtTable):
    """What would this action change for me?"""

    action: dict[str, Plain]


class Explain(AtTable):
    """Why? The answer to a question about scores, majorities or prices, or why I may not do this.

    Without either, the questions that can be asked now.
    """

    question: dict[str, Plain] | None = None
    action: dict[str, Plain] | None = None
    lang: Language = "en"


class Describe(AtTable):
    """What do I see, in words?"""

    lang: Language = "en"


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
    time: int  # the server's, in milliseconds since 1970


class Pong(Reply):
    """I am here."""


class TableSummary(Struct, kw_only=True, omit_defaults=True):
    """A table as a list of tables shows it. What is absent has its default."""

    table: str
    game: str
    status: Status
    visibility: Visibility
    seats: list[str | None]  # the names of those who sit there
    host: str
    created: int  # milliseconds since 1970
    yours: bool = False  # you sit there or are its host
    clock: Clock | None = None
    ready_check: bool = False
    delay: int = 0
    reserved: list[int] = []  # seats that are kept for somebody


class Tables(Reply):
    """The public tables that are not over, and your own, newest first."""

    tables: list[TableSummary]


class Created(Reply):
    """The table is open."""

    table: str


class Invitation(Reply):
    """Whoever knows this may come to the table."""

    table: str
    invitation: str


class Noted(Reply):
    """It was passed on; there is nothing to store."""

    table: str


class Previewed(Reply):
    """What the action would change for you."""

    table: str
    board: Patch
    hand: Patch
    scores: list[int | None]  # by how much the score of each seat would change, as far as you can know it


class Reason(Struct, kw_only=True, omit_defaults=True):
    """What is the case, by which rule, with which figures, and because of what. Amounts add up."""

    what: str
    rule: str
    amount: int | None = None
    figures: dict[str, Any] = {}
    because: list[Reason] = []


class Explained(Reply):
    """The reason, or the questions that can be asked; both also in words, a line each."""

    table: str
    reason: Reason | None = None
    text: list[str] = []
    questions: list[Choice] = []


class Described(Reply):
    """What you see, in words."""

    table: str
    version: int
    text: str


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
    fork: str = ""  # of this version; empty: it is not told


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
    host: bool = False
    ready: bool = False
    away: bool = False  # not connected while being waited for
    shown: bool = False  # spectators may look over this shoulder
    bank: int | None = None  # milliseconds left, when nobody waits for this seat
    entropy: str = ""  # what this seat added to the seed


class TakingBack(Struct, kw_only=True):
    """A proposal to go back, and the seats that agree."""

    to: int
    by: int
    agreed: list[int]


class Info(Struct, kw_only=True, omit_defaults=True):
    """What everybody knows of a table besides the board."""

    game: str
    status: Status
    visibility: Visibility
    host: str
    seats: list[Seated | None]
    options: dict[str, Any]
    clock: Clock | None = None
    ready_check: bool = False
    delay: int = 0
    reserved: list[int] = []  # seats that are kept for somebody
    commitment: str = ""  # to the server's part of the seed
    paused: bool = False
    taking_back: TakingBack | None = None
    next: str | None = None  # the table of the rematch
    standings: list[dict[str, Any]] = []  # seat, score and rank of each, when the game is over


class Offer(Struct, kw_only=True):
    """All you may do now. The id is the number of answers you have given; `act` quotes it."""

    id: int
    choices: list[Choice]


class Waiting(Struct, kw_only=True, omit_defaults=True):
    """A seat that holds the table up, and until when it may."""

    seat: int
    since: int | None = None  # milliseconds since 1970, as all times
    until: int | None = None


class Line(Struct, kw_only=True, omit_defaults=True):
    """Something that was said; its number is the version of the entry."""

    line: int
    name: str
    text: str
    to: Channel = "table"
    seat: int | None = None


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
    fork: str = ""  # of this version; empty: it is not told
    talk: list[Line] = []  # what was said last
    hands: list[Any] | UnsetType = UNSET  # all of them, in a replay with everything open


class Update(Push, kw_only=True):
    """One entry of a table as you may see it. What is absent did not change."""

    table: str
    version: int
    info: Patch | UnsetType = UNSET
    board: Patch | UnsetType = UNSET
    hand: Patch | UnsetType = UNSET
    hands: list[Patch] | UnsetType = UNSET
    offer: Offer | UnsetType | None = UNSET
    waiting: list[Waiting] | UnsetType = UNSET
    can_undo: bool | UnsetType = UNSET
    news: list[dict[str, Any]] | UnsetType = UNSET
    digest: int
    fork: str | UnsetType = UNSET  # of this version; absent: it is not told


class Lobby(Push):
    """Tables that are new in your list or have changed, and those that are no longer in it."""

    changed: list[TableSummary] = []
    gone: list[str] = []


class Pointed(Push):
    """A partner shows what he might do; nothing: he does so no longer."""

    table: str
    seat: int
    action: dict[str, Any] | None


class Resumed(Push):
    """A table that `hello.resume` named is followed again; what you miss arrives next, as after `watching`."""

    table: str
    version: int
    seat: int | None = None  # your seat, if you sit there
    fork: str = ""  # of this version; empty: it is not told


class Lost(Push):
    """A table is not followed (any more), for this reason: `hello.resume` named it, or the server cannot read on."""

    table: str
    code: str
    sentence: str


class Bye(Push):
    """The connection ends; the close code follows. Connect again after so many milliseconds, if at all, and there."""

    code: int
    reason: str
    reconnect_in: int | None = None
    reconnect_to: str | None = None  # the address of another server, to be tried once; otherwise the same again


BeforeTheGame = (
    Sit | Leave | AddBot | RemoveBot | Ready | Contribute | Invite | Kick | Reserve | Change | HandOver | Start
)
InTheGame = Act | Undo | TakeBack | Agree | Pause | Show | Rematch
Talking = Say | Mute | Report | Point
Looking = Watch | Unwatch | Preview | Explain | Describe
AnyRequest = Hello | Ping | ListTables | Create | BeforeTheGame | InTheGame | Talking | Looking
Answers = Tables | Created | Invitation | Watching | Previewed | Explained | Described
AnyReply = Welcome | Pong | Done | Noted | Answers | Refused
AnyPush = Snapshot | Update | Lobby | Pointed | Resumed | Lost | Bye
AnyFromServer = AnyReply | AnyPush
