"""The types of all messages.

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
TABLE_ID = r"^[A-Za-z0-9_-]+$(?!\n)"
TableId = Annotated[str, Meta(min_length=1, max_length=32, pattern=TABLE_ID)]
# The codec checks the characters of these two: every request has them, and a pattern takes four times as long.
RequestId = Annotated[str, Meta(min_length=1, max_length=64, extra_json_schema={"pattern": r"^[!-~]+$(?!\n)"})]
RequestTable = Annotated[str, Meta(min_length=1, max_length=32, extra_json_schema={"pattern": TABLE_ID})]
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

# The values that a client may put into an action or an option. They have no floats and no bytes, integers are exact as
# doubles, and depth and length are limited.
Scalar = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)] | str | bool | None
FEW = Meta(max_length=256)
Flat = Scalar | Annotated[list[Scalar], FEW] | Annotated[dict[str, Scalar], FEW]
Nested = Scalar | Annotated[list[Flat], FEW] | Annotated[dict[str, Flat], FEW]
Plain = Scalar | Annotated[list[Nested], FEW] | Annotated[dict[str, Nested], FEW]


def tag(name: str) -> str:
    """Return the type of a message on the wire: its name in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


# Requests


class Request(Struct, kw_only=True, tag_field="type", tag=tag):
    """A message from the client. The client chooses the id; a message with a known id repeats the earlier request."""

    id: RequestId


class Hello(Request):
    """Log in with a token, and resume the tables that the client watched, each from the last version that it has."""

    token: Annotated[str, Meta(max_length=1024)]
    resume: Annotated[dict[TableId, Version], Meta(max_length=32)] = {}
    forks: Annotated[dict[TableId, Fork], Meta(max_length=32)] = {}  # of these versions, if the client knows them
    invitations: Annotated[dict[TableId, Code], Meta(max_length=32)] = {}  # to private ones among them
    client: Annotated[str, Meta(max_length=64)] = ""


class Ping(Request):
    """Check that the connection is alive."""


class ListTables(Request):
    """Ask for the public tables that are not over, and for the user's own tables.

    With `follow`, the server pushes changes of the list until the client asks again without it.
    """

    game: Word | None = None
    status: Status | None = None
    free: bool = False  # only tables with a free seat
    follow: bool = False


class Clock(Struct, kw_only=True, omit_defaults=True):
    """The time limits of a seat, in seconds.

    A seat has `move` seconds for each decision. After that its `bank` runs, which grows by `increment` with each
    decision. If `grace` is set, the table waits that long for a player who is not connected.
    When the time is up, the rules decide, or a house bot with the policy `overdue` plays until the player sits down
    again.
    """

    move: Seconds = 0
    bank: Seconds = 0
    increment: Seconds = 0
    grace: Seconds | None = None
    overdue: Word = "rules"


class Create(Request):
    """Open a table. The seed is for tests; the server refuses it unless its configuration allows seeds."""

    game: Word
    seats: SeatNumber
    options: dict[str, Plain] = {}
    visibility: Visibility = "public"
    clock: Clock | None = None
    ready_check: bool = False  # the game starts only when all players are ready
    delay: Delay = 0
    reserved: Annotated[list[Word | None], Meta(max_length=16)] = []  # the users for whom seats are reserved, by seat
    seed: Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")] | None = None


class AtTable(Request):
    """A request about one table."""

    table: RequestTable


class Sit(AtTable):
    """Take the named seat, the one reserved for the user, or the first free one.

    A private table requires its invitation, except from its host, its players and users with a reserved seat.
    """

    seat: SeatNumber | None = None
    invitation: Code = ""


class Ready(AtTable):
    """Say that the player is ready to start, or no longer ready."""

    ready: bool = True


class Contribute(AtTable):
    """Add the player's own random bytes to the seed, before the game starts."""

    entropy: Entropy


class Invite(AtTable):
    """Ask for the invitation code of a table. The host may renew it, which makes the old code invalid."""

    renew: bool = False


class Kick(AtTable):
    """Remove a player from a seat before the game starts; only the host may."""

    seat: SeatNumber


class Reserve(AtTable):
    """Reserve a seat for a user, or free it again; only the host may, before the game starts."""

    seat: SeatNumber
    user: Word | None = None


class Change(AtTable):
    """Change the settings of a table before the game starts; only the host may. Absent fields stay unchanged."""

    options: dict[str, Plain] | UnsetType = UNSET
    visibility: Visibility | UnsetType = UNSET
    clock: Clock | UnsetType | None = UNSET
    ready_check: bool | UnsetType = UNSET
    delay: Delay | UnsetType = UNSET


class HandOver(AtTable):
    """Make the player on this seat the host; only the host may."""

    seat: SeatNumber


class Pause(AtTable):
    """Pause the game and its clocks, or resume them; only the host may."""

    paused: bool = True


class Rematch(AtTable):
    """Open a new table for the same players, each one seat further; the reply names the table."""


class Leave(AtTable):
    """Leave the seat. Before the game it becomes free; during the game a house bot plays on."""


class AddBot(AtTable):
    """Put a house bot on the named seat, or on the first free one."""

    policy: Word = "greedy"
    seat: SeatNumber | None = None


class RemoveBot(AtTable):
    """Remove a house bot before the game starts."""

    seat: SeatNumber


class Start(AtTable):
    """Start the game; every seat must be taken."""


class Watch(AtTable):
    """Watch a table from the version that the client has, or from its current state.

    A spectator may share the view of a seat that allows it. With `pace`, the server replays the game from any version:
    one that is over as any seat saw it, a running one as the user has seen it. It sends `pace` entries per second, or
    with 0 as many as the client reads.
    """

    since: Version | None = field(name="from", default=None)
    fork: Fork = ""  # of that version, as the server sent it
    seat: SeatNumber | None = field(name="as", default=None)
    open: bool = False  # show everything; only a replay of a game that is over can
    pace: Annotated[int, Meta(ge=0, le=50)] | None = None
    invitation: Code = ""


class Unwatch(AtTable):
    """Stop watching a table."""


class Act(AtTable):
    """Answer the offer with this number."""

    offer: Version
    action: dict[str, Plain]


class Undo(AtTable):
    """Undo the player's last action."""


class Rollback(AtTable):
    """Propose to go back to an earlier version of the game; the table goes back when all players agree."""

    to: Version


class Agree(AtTable):
    """Accept or refuse the proposal in `info.rollback`."""

    agree: bool = True


class Show(AtTable):
    """Allow spectators to see the player's hand, or forbid it again."""

    shown: bool = True


class Say(AtTable):
    """Send a chat line to the table, or to the spectators."""

    text: Annotated[str, Meta(min_length=1, max_length=300)]
    to: Channel = "table"


class Mute(AtTable):
    """Mute the author of a line and remove their lines, or unmute them; only the host or an administrator may."""

    line: Version
    muted: bool = True


class Report(AtTable):
    """Report a line; the complaint is stored in the log of the table, for the operators of the server."""

    line: Version
    why: Annotated[str, Meta(max_length=300)] = ""


class Point(AtTable):
    """Show an action that the player considers to the partners who decide with them; the server stores nothing."""

    action: dict[str, Plain] | None = None  # null: stop pointing


class Preview(AtTable):
    """Ask what an action would change in the player's view."""

    action: dict[str, Plain]


class Explain(AtTable):
    """Ask for the reasons behind a score, a majority or a price, or why the player may not take an action.

    With neither a question nor an action, the reply lists the questions that the viewer can ask now.
    """

    question: dict[str, Plain] | None = None
    action: dict[str, Plain] | None = None
    lang: Language = "en"


class Describe(AtTable):
    """Ask for a description, in words, of what the viewer sees."""

    lang: Language = "en"


# Replies


class Reply(Struct, kw_only=True, tag_field="type", tag=tag):
    """The one answer to a request; `re` is the id of the request."""

    re: str


class Welcome(Reply):
    """The token is valid. See "Heartbeat" for `heartbeat`, in seconds; a frame may have `largest_frame` bytes."""

    user: str
    name: str
    server: str
    heartbeat: int
    largest_frame: int
    token_expires: int  # seconds since 1970
    time: int  # the server's, in milliseconds since 1970


class Pong(Reply):
    """The connection is alive."""


class TableSummary(Struct, kw_only=True, omit_defaults=True):
    """A table as the list of tables shows it. An absent field has its default."""

    table: str
    game: str
    status: Status
    visibility: Visibility
    seats: list[str | None]  # the names of the players
    host: str
    created: int  # milliseconds since 1970
    yours: bool = False  # you sit there or are its host
    clock: Clock | None = None
    ready_check: bool = False
    delay: int = 0
    reserved: list[int] = []  # the reserved seats


class Tables(Reply):
    """The public tables that are not over, and your own, newest first."""

    tables: list[TableSummary]


class Created(Reply):
    """The table is open."""

    table: str


class Invitation(Reply):
    """The invitation code of a table. Every user who knows it may sit down at the table or watch it."""

    table: str
    invitation: str


class Noted(Reply):
    """The server passed the message on and stored nothing."""

    table: str


class Previewed(Reply):
    """The changes that the action would make in your view."""

    table: str
    board: Patch
    hand: Patch
    scores: list[int | None]  # the change of each player's score, null if you cannot know it


class Reason(Struct, kw_only=True, omit_defaults=True):
    """A statement, the rule it rests on, its figures, and the reasons behind it, whose amounts add up to its own."""

    what: str
    rule: str
    amount: int | None = None
    figures: dict[str, Any] = {}
    because: list[Reason] = []


class Explained(Reply):
    """The reason, or the questions that the viewer can ask; `text` says the same in words, line by line."""

    table: str
    reason: Reason | None = None
    text: list[str] = []
    questions: list[Choice] = []


class Described(Reply):
    """A description of what you see, in words."""

    table: str
    version: int
    text: str


class Done(Reply):
    """The request was carried out and is stored durably as entry `version` of the table."""

    table: str
    version: int
    seat: int | None = None  # the seat you took or filled


class Watching(Reply):
    """You watch the table; the entries that you lack arrive next, as updates or as a snapshot."""

    table: str
    version: int
    seat: int | None = None  # your seat, if you sit there
    fork: str = ""  # of this version; empty: it is not told


class Refused(Reply):
    """The request was refused, and nothing changed."""

    code: str
    sentence: str
    rule: str = ""  # the rule that forbids it; the game's page has it at `rules.page#rule`
    path: str = ""  # where in the message the mistake is
    retry_after_ms: int | None = None  # milliseconds


# Pushed by the server


class Seated(Struct, kw_only=True, omit_defaults=True):
    """The player or bot on a seat."""

    name: str  # the name of the player or the bot
    bot: bool = False  # a house bot plays this seat
    policy: str = ""  # how the house bot plays
    substitute: bool = False  # a house bot plays for a player who left
    host: bool = False  # the player on this seat is the host
    ready: bool = False  # the player is ready to start
    away: bool = False  # not connected while the table waits for this seat
    shown: bool = False  # spectators may see the hand of this seat
    bank: int | None = None  # milliseconds in the bank when the seat's clock last stopped
    entropy: str = ""  # the random bytes that this seat added to the seed


class RollbackProposal(Struct, kw_only=True):
    """A proposal to go back to version `to`, and the seats that agreed."""

    to: int
    by: int
    agreed: list[int]


class Info(Struct, kw_only=True, omit_defaults=True):
    """The public facts of a table besides the board."""

    game: str  # the name of the game
    status: Status  # `open` before the start, then `playing`, then `over`
    visibility: Visibility  # `public` or `private`
    host: str  # the name of the host
    seats: list[Seated | None]  # the players and bots by seat; a free seat is null
    options: dict[str, Any]  # the options of the game that the table took
    clock: Clock | None = None  # the time for decisions; null: no limit
    ready_check: bool = False  # the game starts only when all players are ready
    delay: int = 0  # how many entries spectators are behind
    reserved: list[int] = []  # the reserved seats
    commitment: str = ""  # the server's commitment to its part of the seed
    paused: bool = False  # the host has paused the game
    taking_back: RollbackProposal | None = None  # a proposal of version 0.1; newer servers write `rollback`
    rollback: RollbackProposal | None = None  # an open proposal to go back: `to`, `by` and `agreed`
    next: str | None = None  # the table of the rematch
    silence: str = ""  # the rule that now forbids players to talk to the table; empty: they may
    standings: list[dict[str, Any]] = []  # seat, score and rank of each, when the game is over


class Offer(Struct, kw_only=True):
    """All actions that you may take now. The id counts the answers of your seat; `act` quotes it."""

    id: int
    choices: list[Choice]


class Waiting(Struct, kw_only=True, omit_defaults=True):
    """A seat that the table waits for, and when its time is up."""

    seat: int
    since: int | None = None  # milliseconds since 1970, as all times
    until: int | None = None


class Line(Struct, kw_only=True, omit_defaults=True):
    """A chat line; its number is the version of its entry."""

    line: int
    name: str
    text: str
    to: Channel = "table"
    seat: int | None = None


class Push(Struct, kw_only=True, tag_field="type", tag=tag):
    """A message that the server sends without a request."""


class Snapshot(Push, kw_only=True):
    """A table as you may see it."""

    table: str
    version: int
    seat: int | None  # your seat, if you sit there
    view: int | None = field(name="as")  # the seat whose view this is; null: it is the view of spectators
    info: Info
    board: Any
    hand: Any
    offer: Offer | None
    waiting: list[Waiting]
    can_undo: bool
    digest: int  # of board and hand
    info_digest: int
    fork: str = ""  # of this version; empty: it is not told
    talk: list[Line] = []  # the latest chat lines
    hands: list[Any] | UnsetType = UNSET  # the hands of all seats, in an open replay


class Update(Push, kw_only=True):
    """One entry of a table as you may see it. Absent fields did not change."""

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
    digest: int  # of board and hand
    info_digest: int | UnsetType = UNSET  # if the info changed; absent in most updates that you missed and in replays
    fork: str | UnsetType = UNSET  # of this version; absent: it is not told


class Lobby(Push):
    """Tables that are new in your list or have changed, and those that are no longer in it."""

    changed: list[TableSummary] = []
    gone: list[str] = []


class Pointed(Push):
    """A partner shows an action that they consider, or (null) stops pointing."""

    table: str
    seat: int
    action: dict[str, Any] | None


class Resumed(Push, kw_only=True):
    """You watch a table of `hello.resume` again, and everything that you missed has been sent."""

    table: str
    version: int
    seat: int | None = None  # your seat, if you sit there
    digest: int  # of board and hand at this version
    info_digest: int
    fork: str = ""  # of this version; empty: it is not told


class Lost(Push):
    """You do not watch this table (any more): the server refused to resume it, or can no longer read it."""

    table: str
    code: str
    sentence: str


class Bye(Push):
    """The server closes the connection. The code says whether to reconnect; wait `reconnect_in_ms` first."""

    code: int
    reason: str
    reconnect_in_ms: int | None = None
    reconnect_to: str | None = None  # the address of another websocket; try it once, then use the usual one again


BeforeTheGame = (
    Sit | Leave | AddBot | RemoveBot | Ready | Contribute | Invite | Kick | Reserve | Change | HandOver | Start
)
InTheGame = Act | Undo | Rollback | Agree | Pause | Show | Rematch
Talking = Say | Mute | Report | Point
Looking = Watch | Unwatch | Preview | Explain | Describe
AnyRequest = Hello | Ping | ListTables | Create | BeforeTheGame | InTheGame | Talking | Looking
Answers = Tables | Created | Invitation | Watching | Previewed | Explained | Described
AnyReply = Welcome | Pong | Done | Noted | Answers | Refused
AnyPush = Snapshot | Update | Lobby | Pointed | Resumed | Lost | Bye
AnyFromServer = AnyReply | AnyPush
