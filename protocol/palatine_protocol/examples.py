"""Examples of every message, for the specification and for the vectors. The documents in them are abridged."""

from __future__ import annotations

from typing import Any

from . import digest, patch
from .errors import Close, Code
from .messages import (
    Act,
    AddBot,
    AnyFromServer,
    AnyRequest,
    Bye,
    Create,
    Created,
    Done,
    Hello,
    Info,
    Leave,
    ListTables,
    Lost,
    Offer,
    Ping,
    Pong,
    Refused,
    RemoveBot,
    Seated,
    Sit,
    Snapshot,
    Start,
    Tables,
    TableSummary,
    Undo,
    Unwatch,
    Update,
    Waiting,
    Watch,
    Watching,
    Welcome,
)
from .offers import Choice, Pick, Range

TABLE, GAME, TOKEN = "k3Xq9ZpTd0Rw7LmA", "between_two_castles", "palatine_WyJBZGEiXQ.Zx1Q4w"
OPENED = 1_772_700_000_000  # milliseconds since 1970

# A seat chooses two of its three tiles; before and after.
BOARD = {"round": 1, "turn": 4, "phase": "choose", "chosen": [False, False]}
HAND = {"tiles": ["bakery", "sauna", "washroom"]}
BOARD_AFTER = {**BOARD, "chosen": [True, False]}
HAND_AFTER = {"chosen": ["bakery", "sauna"], "passed": ["washroom"]}
CHOOSE = Choice("choose", {"tiles": Pick(2, 2, HAND["tiles"])})
TICK = Choice("tick", {"tile": HAND["tiles"]})

ADA, BOT = Seated(name="Ada"), Seated(name="Bot 2", bot=True, policy="greedy")
INFO = Info(game=GAME, status="playing", visibility="public", host="Ada", seats=[ADA, BOT], options={}, move_limit=60)


def digest_of(board: Any, hand: Any) -> int:
    return digest.of_viewer(digest.of_board(board), hand)


def refused(code: Code, **more: Any) -> Refused:
    return Refused(re="c9", code=code.value, sentence=code.sentence, **more)


REQUESTS: dict[str, AnyRequest] = {
    "hello": Hello(id="c1", token=TOKEN, client="my client 1.0"),
    "hello, coming back to two tables": Hello(id="c1", token=TOKEN, resume={TABLE: 41, "m0Rr2WdLx5Yt1QbC": 7}),
    "ping": Ping(id="c2"),
    "list_tables": ListTables(id="c3", game=GAME, status="open"),
    "create": Create(id="c4", game=GAME, seats=2, options={"finite_supply": True}, move_limit=60),
    "sit": Sit(id="c5", table=TABLE, seat=0),
    "sit, on any free seat": Sit(id="c5", table=TABLE),
    "leave": Leave(id="c6", table=TABLE),
    "add_bot": AddBot(id="c7", table=TABLE, policy="greedy"),
    "remove_bot": RemoveBot(id="c8", table=TABLE, seat=1),
    "start": Start(id="c9", table=TABLE),
    "watch": Watch(id="c10", table=TABLE),
    "watch, from the version I have": Watch(id="c10", table=TABLE, since=41),
    "unwatch": Unwatch(id="c11", table=TABLE),
    "act": Act(id="c12", table=TABLE, offer=17, action={"do": "choose", "tiles": ["bakery", "sauna"]}),
    "undo": Undo(id="c13", table=TABLE),
}

REPLIES: dict[str, AnyFromServer] = {
    "welcome": Welcome(
        re="c1",
        user="h8Vn3KsEo6Ug2PjF",
        name="Ada",
        server="palatine/0.1",
        heartbeat=30,
        largest_frame=16_384,
        token_expires=1_775_292_000,
    ),
    "pong": Pong(re="c2"),
    "tables": Tables(
        re="c3",
        tables=[
            TableSummary(
                table=TABLE,
                game=GAME,
                status="open",
                visibility="public",
                seats=["Ada", None],
                host="Ada",
                created=OPENED,
                yours=True,
            )
        ],
    ),
    "created": Created(re="c4", table=TABLE),
    "done": Done(re="c12", table=TABLE, version=42),
    "done, you took a seat": Done(re="c5", table=TABLE, version=1, seat=0),
    "watching": Watching(re="c10", table=TABLE, version=41, seat=0),
    "refused": refused(Code.STALE_OFFER),
    "refused, by a rule of the game": refused(Code.NOT_OFFERED, rule="B2C-DRAFT-2"),
    "refused, unreadable": refused(Code.MALFORMED, path="$.table"),
    "refused, for now": refused(Code.TOO_FAST, retry_after=500),
}

PUSHES: dict[str, AnyFromServer] = {
    "snapshot": Snapshot(
        table=TABLE,
        version=41,
        seat=0,
        info=INFO,
        board=BOARD,
        hand=HAND,
        offer=Offer(id=17, choices=[CHOOSE, TICK]),
        waiting=[Waiting(seat=0, until=OPENED + 60_000), Waiting(seat=1)],
        can_undo=False,
        digest=digest_of(BOARD, HAND),
    ),
    "snapshot, for a spectator": Snapshot(
        table=TABLE,
        version=41,
        seat=None,
        info=INFO,
        board=BOARD,
        hand=None,
        offer=None,
        waiting=[Waiting(seat=0, until=OPENED + 60_000), Waiting(seat=1)],
        can_undo=False,
        digest=digest_of(BOARD, None),
    ),
    "update": Update(
        table=TABLE,
        version=42,
        board=patch.make(BOARD, BOARD_AFTER),
        hand=patch.make(HAND, HAND_AFTER),
        offer=Offer(id=18, choices=[]),
        waiting=[Waiting(seat=1)],
        news=[{"news": "choice_confirmed", "seat": 0}],
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
    ),
    "update, of which you may see nothing": Update(table=TABLE, version=43, digest=digest_of(BOARD_AFTER, HAND_AFTER)),
    "update, with an offer of a range": Update(
        table=TABLE,
        version=44,
        info=[[["seats", 1, "name"], "Bob"]],
        offer=Offer(id=18, choices=[Choice("pay", {"gold": Range(0, 3)}), Choice("pass")]),
        can_undo=True,
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
    ),
    "lost": Lost(table=TABLE, code=Code.NO_SUCH_TABLE, sentence=Code.NO_SUCH_TABLE.sentence),
    "bye": Bye(code=Close.RESTART, reason=Close.RESTART.advice, reconnect_in=1500),
    "bye, and where to": Bye(
        code=Close.RESTART, reason=Close.RESTART.advice, reconnect_in=1500, reconnect_to="wss://b.palatine.example"
    ),
    "bye, for good": Bye(code=Close.BAD_TOKEN, reason=Close.BAD_TOKEN.advice),
}

EXAMPLES: dict[str, AnyRequest | AnyFromServer] = {**REQUESTS, **REPLIES, **PUSHES}
