"""Examples of every message, for the specification and for the vectors. The documents in them are abridged."""

from __future__ import annotations

from typing import Any

import msgspec

from . import digest, patch
from .errors import Close, Code
from .messages import (
    Act,
    AddBot,
    Agree,
    AnyFromServer,
    AnyRequest,
    Bye,
    Change,
    Clock,
    Contribute,
    Create,
    Created,
    Describe,
    Described,
    Done,
    Explain,
    Explained,
    HandOver,
    Hello,
    Info,
    Invitation,
    Invite,
    Kick,
    Leave,
    Line,
    ListTables,
    Lobby,
    Lost,
    Mute,
    Noted,
    Offer,
    Pause,
    Ping,
    Point,
    Pointed,
    Pong,
    Preview,
    Previewed,
    Ready,
    Reason,
    Refused,
    Rematch,
    RemoveBot,
    Report,
    Reserve,
    Resumed,
    Rollback,
    RollbackProposal,
    Say,
    Seated,
    Show,
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
PLACE: dict[str, Any] = {"do": "place", "tile": "sauna", "castle": 1, "cell": [2, 0]}
# As `tests/protocol/exchange.py` recorded them from a server; a test compares them with the README.
QUESTION: dict[str, Any] = {"do": "castle", "castle": "cochem"}
REASON = msgspec.convert(
    {
        "what": "castle",
        "rule": "B2C-FINAL-1",
        "amount": 5,
        "figures": {"castle": "cochem"},
        "because": [
            {
                "what": "line",
                "rule": "B2C-FINAL-1",
                "amount": 2,
                "figures": {"line": "food"},
                "because": [
                    {
                        "what": "room_cells",
                        "rule": "B2C-SCORE-FOOD-1",
                        "amount": 2,
                        "figures": {
                            "name": "china_room",
                            "count": 1,
                            "counted": [[1, 0]],
                            "cells": [[2, 0]],
                            "wanted": "special",
                        },
                    }
                ],
            },
            {
                "what": "line",
                "rule": "B2C-FINAL-1",
                "amount": 1,
                "figures": {"line": "living"},
                "because": [
                    {
                        "what": "room_cells",
                        "rule": "B2C-SCORE-LIVING-1",
                        "amount": 1,
                        "figures": {
                            "name": "library",
                            "count": 1,
                            "counted": [[0, 0]],
                            "cells": [[-1, 0]],
                            "wanted": "special",
                        },
                    }
                ],
            },
            {
                "what": "line",
                "rule": "B2C-FINAL-1",
                "amount": 2,
                "figures": {"line": "throne"},
                "because": [
                    {
                        "what": "throne",
                        "rule": "B2C-SCORE-THRONE-1",
                        "amount": 2,
                        "figures": {"name": "throne_living_corridor", "count": 1, "counted": [[-1, 0]]},
                    }
                ],
            },
        ],
    },
    Reason,
)
REASON_TEXT = [
    "5  Cochem Castle. [B2C-FINAL-1]",
    "  2  Food rooms. [B2C-FINAL-1]",
    "    2  China Room (2, 0): rooms it wants (Special rooms) in the cells that count for it: 1. [B2C-SCORE-FOOD-1]",
    "  1  Living rooms. [B2C-FINAL-1]",
    "    1  Library (-1, 0): rooms it wants (Special rooms) in the cells that count for it: 1. [B2C-SCORE-LIVING-1]",
    "  2  Throne room. [B2C-FINAL-1]",
    "    2  Throne Room: positions with a room it likes: 1. [B2C-SCORE-THRONE-1]",
]
CHOOSE = Choice("choose", {"tiles": Pick(2, 2, HAND["tiles"])})
TICK = Choice("tick", {"tile": HAND["tiles"]})

ADA, BOT = Seated(name="Ada", host=True), Seated(name="Bot 2", bot=True, policy="greedy")
INFO = Info(
    game=GAME, status="playing", visibility="public", host="Ada", seats=[ADA, BOT], options={}, clock=Clock(move=60)
)
INVITATION, CAROL = "m4k7wq2zt9xb", "v2Lc8TzNw4Qp6HdS"  # the user, not the name
FORK, FORK_AFTER = "9yR80BlM", "tNRBedFA"

# The same two people, later, with everything that the info of a table may hold.
ENTROPY = "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
TIMED = Clock(move=30, bank=600, increment=10, grace=120, overdue="greedy")
BOB = Seated(name="Bob", ready=True, shown=True, bank=598_500, entropy=ENTROPY)
FULL = Info(
    game=GAME,
    status="playing",
    visibility="private",
    host="Ada",
    seats=[Seated(name="Ada", host=True, away=True, bank=600_000), BOB],
    options={"finite_supply": True},
    clock=TIMED,
    ready_check=True,
    delay=20,
    commitment="5f7ebef3f5c73cfd6b9e1d9cba8b58c25ec1a7d1c0b4d21b0f4b5a0e7a5f7b11",
    rollback=RollbackProposal(to=38, by=1, agreed=[1]),
)
GOOD_LUCK = Line(line=7, name="Bob", text="Good luck!", seat=1)
SUMMARY = TableSummary(
    table=TABLE,
    game=GAME,
    status="open",
    visibility="public",
    seats=["Ada", None],
    host="Ada",
    created=OPENED,
    yours=True,
    clock=Clock(bank=600, increment=10),
    ready_check=True,
)


def digest_of(board: Any, hand: Any) -> int:
    return digest.of_viewer(digest.of_board(board), hand)


def refused(code: Code, **more: Any) -> Refused:
    return Refused(re="c9", code=code.value, sentence=code.sentence, **more)


REQUESTS: dict[str, AnyRequest] = {
    "hello": Hello(id="c1", token=TOKEN, client="my client 1.0"),
    "hello, coming back to two tables": Hello(
        id="c1", token=TOKEN, resume={TABLE: 41, "m0Rr2WdLx5Yt1QbC": 7}, forks={TABLE: FORK}
    ),
    "ping": Ping(id="c2"),
    "hello, coming back to a private table": Hello(
        id="c1", token=TOKEN, resume={TABLE: 41}, invitations={TABLE: INVITATION}
    ),
    "list_tables": ListTables(id="c3", game=GAME, status="open"),
    "list_tables, and tell me what changes": ListTables(id="c3", game=GAME, free=True, follow=True),
    "create": Create(id="c4", game=GAME, seats=2, options={"finite_supply": True}, clock=Clock(move=60)),
    "create, for friends": Create(
        id="c4",
        game=GAME,
        seats=3,
        visibility="private",
        clock=TIMED,
        ready_check=True,
        delay=20,
        reserved=[None, CAROL],
    ),
    "sit": Sit(id="c5", table=TABLE, seat=0),
    "sit, on any free seat": Sit(id="c5", table=TABLE),
    "sit, with an invitation": Sit(id="c5", table=TABLE, invitation=INVITATION),
    "ready": Ready(id="c14", table=TABLE),
    "contribute": Contribute(id="c15", table=TABLE, entropy=ENTROPY),
    "invite": Invite(id="c16", table=TABLE),
    "kick": Kick(id="c17", table=TABLE, seat=1),
    "reserve": Reserve(id="c18", table=TABLE, seat=1, user=CAROL),
    "change": Change(id="c19", table=TABLE, clock=TIMED, ready_check=True),
    "change, no clock any more": Change(id="c19", table=TABLE, clock=None),
    "hand_over": HandOver(id="c20", table=TABLE, seat=1),
    "pause": Pause(id="c21", table=TABLE),
    "pause, go on": Pause(id="c21", table=TABLE, paused=False),
    "rematch": Rematch(id="c22", table=TABLE),
    "leave": Leave(id="c6", table=TABLE),
    "add_bot": AddBot(id="c7", table=TABLE, policy="greedy"),
    "remove_bot": RemoveBot(id="c8", table=TABLE, seat=1),
    "start": Start(id="c9", table=TABLE),
    "watch": Watch(id="c10", table=TABLE),
    "watch, from the version I have": Watch(id="c10", table=TABLE, since=41, fork=FORK),
    "watch, over the shoulder of a seat": Watch(id="c10", table=TABLE, seat=1),
    "watch, a game that is over with all hands open": Watch(id="c10", table=TABLE, since=0, open=True, pace=2),
    "unwatch": Unwatch(id="c11", table=TABLE),
    "act": Act(id="c12", table=TABLE, offer=17, action={"do": "choose", "tiles": ["bakery", "sauna"]}),
    "undo": Undo(id="c13", table=TABLE),
    "rollback": Rollback(id="c23", table=TABLE, to=38),
    "agree": Agree(id="c24", table=TABLE),
    "agree, no": Agree(id="c24", table=TABLE, agree=False),
    "show": Show(id="c25", table=TABLE),
    "say": Say(id="c26", table=TABLE, text="Good luck!"),
    "mute": Mute(id="c27", table=TABLE, line=7),
    "report": Report(id="c28", table=TABLE, line=7, why="He is rude."),
    "point": Point(id="c29", table=TABLE, action=PLACE),
    "preview": Preview(id="c30", table=TABLE, action=PLACE),
    "explain, what can be asked": Explain(id="c31", table=TABLE),
    "explain": Explain(id="c31", table=TABLE, question=QUESTION),
    "explain, why I may not do this": Explain(id="c31", table=TABLE, action=PLACE),
    "describe": Describe(id="c32", table=TABLE),
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
        time=1_772_700_000_000,
    ),
    "pong": Pong(re="c2"),
    "tables": Tables(
        re="c3",
        tables=[SUMMARY],
    ),
    "created": Created(re="c4", table=TABLE),
    "invitation": Invitation(re="c16", table=TABLE, invitation=INVITATION),
    "noted": Noted(re="c29", table=TABLE),
    "previewed": Previewed(
        re="c30",
        table=TABLE,
        board=[
            [["castles", 1, "rooms"], 4, 0, ["sauna", 2, 0]],
            [["castles", 1, "laid"], 0, 0, [0, "sauna", False]],
            [["tiles", 0], 1, 1],
        ],
        hand=[],
        scores=[3, None],
    ),
    "explained": Explained(re="c31", table=TABLE, reason=REASON, text=REASON_TEXT),
    "explained, what can be asked": Explained(
        re="c31",
        table=TABLE,
        questions=[Choice("score", {"seat": [0, 1]})],
        text=["Where do the points of Ada come from?", "Where do the points of Bob come from?"],
    ),
    "described": Described(re="c32", table=TABLE, version=41, text="Round 1, turn 4. You choose two of three tiles."),
    "done": Done(re="c12", table=TABLE, version=42),
    "done, you took a seat": Done(re="c5", table=TABLE, version=1, seat=0),
    "watching": Watching(re="c10", table=TABLE, version=41, seat=0, fork=FORK),
    "refused": refused(Code.STALE_OFFER),
    "refused, by a rule of the game": refused(Code.NOT_OFFERED, rule="B2C-DRAFT-2"),
    "refused, unreadable": refused(Code.MALFORMED, path="$.table"),
    "refused, for now": refused(Code.TOO_FAST, retry_after_ms=500),
}

PUSHES: dict[str, AnyFromServer] = {
    "snapshot": Snapshot(
        table=TABLE,
        version=41,
        seat=0,
        view=0,
        info=INFO,
        board=BOARD,
        hand=HAND,
        offer=Offer(id=17, choices=[CHOOSE, TICK]),
        waiting=[Waiting(seat=0, until=OPENED + 60_000), Waiting(seat=1)],
        can_undo=False,
        fork=FORK,
        digest=digest_of(BOARD, HAND),
        info_digest=digest.of_info(INFO),
    ),
    "snapshot, for a spectator": Snapshot(
        table=TABLE,
        version=41,
        seat=None,
        view=None,
        info=INFO,
        board=BOARD,
        hand=None,
        offer=None,
        waiting=[Waiting(seat=0, until=OPENED + 60_000), Waiting(seat=1)],
        can_undo=False,
        digest=digest_of(BOARD, None),
        info_digest=digest.of_info(INFO),
    ),
    "snapshot, over a shoulder": Snapshot(
        table=TABLE,
        version=41,
        seat=None,
        view=1,
        info=FULL,
        board=BOARD,
        hand=HAND,
        offer=None,
        waiting=[Waiting(seat=0, since=OPENED, until=OPENED + 120_000), Waiting(seat=1, since=OPENED)],
        can_undo=False,
        digest=digest_of(BOARD, HAND),
        info_digest=digest.of_info(FULL),
    ),
    "snapshot, of a table with everything": Snapshot(
        table=TABLE,
        version=41,
        seat=1,
        view=1,
        info=FULL,
        board=BOARD,
        hand=HAND,
        offer=Offer(id=17, choices=[CHOOSE]),
        waiting=[Waiting(seat=0, since=OPENED, until=OPENED + 120_000), Waiting(seat=1, since=OPENED)],
        can_undo=True,
        digest=digest_of(BOARD, HAND),
        info_digest=digest.of_info(FULL),
        talk=[GOOD_LUCK],
    ),
    "snapshot, with all hands open": Snapshot(
        table=TABLE,
        version=41,
        seat=None,
        view=None,
        info=INFO,
        board=BOARD,
        hand=None,
        offer=None,
        waiting=[],
        can_undo=False,
        digest=digest_of(BOARD, None),
        info_digest=digest.of_info(INFO),
        hands=[HAND, {"tiles": ["study"]}],
    ),
    "update": Update(
        table=TABLE,
        version=42,
        board=patch.make(BOARD, BOARD_AFTER),
        hand=patch.make(HAND, HAND_AFTER),
        offer=Offer(id=18, choices=[]),
        waiting=[Waiting(seat=1)],
        fork=FORK_AFTER,
        news=[{"news": "choice_confirmed", "seat": 0}],
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
    ),
    "update, of which you may see nothing": Update(table=TABLE, version=43, digest=digest_of(BOARD_AFTER, HAND_AFTER)),
    "update, with an offer of a range": Update(
        table=TABLE,
        version=44,
        info=[[["seats", 1], msgspec.to_builtins(BOB)]],
        offer=Offer(id=18, choices=[Choice("pay", {"gold": Range(0, 3)}), Choice("pass")]),
        can_undo=True,
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
        info_digest=digest.of_info(msgspec.structs.replace(INFO, seats=[ADA, BOB])),
    ),
    "update, somebody said something": Update(
        table=TABLE,
        version=45,
        news=[{"news": "said", "name": "Bob", "text": "Good luck!", "to": "table", "seat": 1}],
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
    ),
    "update, with all hands open": Update(
        table=TABLE,
        version=42,
        board=patch.make(BOARD, BOARD_AFTER),
        hands=[patch.make(HAND, HAND_AFTER), []],
        news=[{"news": "choice_confirmed", "seat": 0}],
        digest=digest_of(BOARD_AFTER, None),
    ),
    "lobby": Lobby(changed=[SUMMARY], gone=["m0Rr2WdLx5Yt1QbC"]),
    "pointed": Pointed(table=TABLE, seat=1, action=PLACE),
    "pointed, no longer": Pointed(table=TABLE, seat=1, action=None),
    "resumed": Resumed(
        table=TABLE,
        version=42,
        seat=0,
        digest=digest_of(BOARD_AFTER, HAND_AFTER),
        info_digest=digest.of_info(INFO),
        fork=FORK_AFTER,
    ),
    "lost": Lost(table=TABLE, code=Code.NO_SUCH_TABLE, sentence=Code.NO_SUCH_TABLE.sentence),
    "bye": Bye(code=Close.RESTART, reason=Close.RESTART.advice, reconnect_in_ms=1500),
    "bye, and where to": Bye(
        code=Close.RESTART,
        reason=Close.RESTART.advice,
        reconnect_in_ms=1500,
        reconnect_to="wss://b.palatine.example/v1/ws",
    ),
    "bye, for good": Bye(code=Close.BAD_TOKEN, reason=Close.BAD_TOKEN.advice),
}

EXAMPLES: dict[str, AnyRequest | AnyFromServer] = {**REQUESTS, **REPLIES, **PUSHES}
