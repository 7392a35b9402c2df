"""Books of Between Two Castles to try things on: anna, berta, carla and so on, from seat 0."""

from typing import Any

import msgspec
import pytest

from palatine_protocol.messages import Act, Clock, Info, Sit, Start, Undo
from palatine_server.games.kit import Refused
from palatine_server.games.registry import GAMES
from palatine_server.tables.handlers import handle_request
from palatine_server.tables.model import LogEntry, TableSnapshot
from palatine_server.tables.state import Requester, TableState

GAME = GAMES["between_two_castles"]
SEED = "5e" * 32
T0 = 1_000_000
TABLE = {"id": "r", "table": "t"}


def opened(seats: int = 3, move_limit: int | None = None, **more: Any) -> TableState:
    info = Info(
        game=GAME.name,
        status="open",
        visibility="public",
        host="Anna",
        seats=[None] * seats,
        options={},
        **{"clock": Clock(move=move_limit) if move_limit else None, **more},
    )
    return TableState.create(GAME, info, "anna", SEED, T0)


def started(seats: int = 3, move_limit: int | None = None, **more: Any) -> TableState:
    state = opened(seats, move_limit, **more)
    for seat in range(seats):
        ask(state, seat, Sit(**TABLE))
    ask(state, 0, Start(**TABLE))
    return state


def user(seat: int) -> str:
    return ["anna", "berta", "carla", "dora", "emma", "frida", "gerda", "hanna"][seat]


def choose(state: TableState, seat: int, now: int = T0) -> LogEntry:
    assert state.recorder is not None
    tiles = state.recorder.play.document.hands[seat].tiles[:2]
    return act(state, seat, {"do": "choose", "tiles": tiles}, now)


def act(state: TableState, seat: int, action: Any, now: int = T0, offer: int | None = None) -> LogEntry:
    """Answer the offer that is open, or another."""
    answered = state.secrets.answers[seat] if offer is None else offer
    return ask(state, seat, Act(**TABLE, offer=answered, action=action), now)


def undo(state: TableState, seat: int, now: int = T0) -> LogEntry:
    return ask(state, seat, Undo(**TABLE), now)


def ends(state: TableState) -> list[int | None]:
    return [state.until(seat) for seat in range(len(state.info.seats))]


def copied(snapshot: TableSnapshot) -> TableSnapshot:
    return msgspec.msgpack.decode(msgspec.msgpack.encode(snapshot), type=TableSnapshot)


def code_of(function: Any, *given: Any) -> str:
    with pytest.raises(Refused) as refused:
        function(*given)
    return refused.value.code


def ask(
    state: TableState, seat: int, request: Any, now: int = T0, earlier: TableSnapshot | None = None, **more: Any
) -> LogEntry:
    """Somebody asks for something, as it comes over the wire."""
    who = Requester(user(seat), user(seat).title(), **more)
    return handle_request(state, who, request, now, earlier)


def tick(state: TableState, seat: int, now: int = T0) -> LogEntry:
    """Something that can be undone."""
    return offered(state, seat, {"tick", "untick"}, now)


def place(state: TableState, seat: int, now: int = T0) -> LogEntry:
    return offered(state, seat, {"place"}, now)


def offered(state: TableState, seat: int, verbs: set[str], now: int) -> LogEntry:
    """The first action with one of these verbs."""
    assert state.recorder is not None
    choice = next(choice for choice in state.recorder.play.offer(seat) if choice.do in verbs)
    return act(state, seat, choice.nth(0), now)
