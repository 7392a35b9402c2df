"""The state machine of a connection, without a network: every transition, and what each state does with messages."""

from __future__ import annotations

import asyncio
from typing import Any

import anyio
import pytest

from palatine_protocol import messages
from palatine_protocol.codec import MSGPACK, for_client, for_server
from palatine_protocol.errors import Close
from palatine_protocol.messages import Act, Bye, Done, Hello, Ping, Pong, Request, Unwatch, Watch, Watching, Welcome
from palatine_server.gateway import connection as module
from palatine_server.gateway.admission import THIS_MACHINE, Admission
from palatine_server.gateway.connection import (
    MOST_IGNORED,
    MOST_WAITING,
    PAUSED_AT,
    TRANSITIONS,
    Connection,
    ConnectionState,
)
from palatine_server.gateway.rate_limits import FRAMES_AT_ONCE
from palatine_server.gateway.tokens import TokenSigner
from palatine_server.metrics import Metrics
from palatine_server.settings import Settings
from palatine_server.tables.requests import TableRequest

codec = for_client(MSGPACK)
TOKEN_SIGNER = TokenSigner("secret", lambda: 0.0)
TOKEN = TOKEN_SIGNER.create_token("Anna")[0]


class Socket:
    """Notes what is asked of it."""

    def __init__(self) -> None:
        self.done: list[Any] = []
        self.is_read = True

    def pause_reading(self) -> None:
        self.is_read = False

    def resume_reading(self) -> None:
        self.is_read = True

    def close(self, code: int) -> None:
        self.done.append(int(code))

    def cut(self) -> None:
        self.done.append("cut")


class FakeDirectory:
    """Keeps calls until the test answers them."""

    def __init__(self) -> None:
        self.metrics, self.lobby, self.clock = Metrics(), self, lambda: 0
        self.calls: list[TableRequest] = []
        self.left: list[str] = []

    def submit(self, call: TableRequest) -> None:
        self.calls.append(call)

    def leave(self, viewer: Connection, tables: set[str] | None = None) -> None:
        self.left += sorted(tables or ())


class Scene:
    """A connection with nothing real around it."""

    def __init__(self, **settings: Any) -> None:
        self.socket, self.directory, self.ended, self.frames = (
            Socket(),
            FakeDirectory(),
            list[Connection](),
            list[bytes](),
        )
        given = Settings(**settings)
        admission = Admission(given, TOKEN_SIGNER, lambda: 0.0)
        admission.revoked = frozenset()
        directory: Any = self.directory
        shared = for_server(MSGPACK), directory, admission, given, anyio.create_task_group()
        now = asyncio.get_running_loop().time
        self.connection = Connection(self.socket, *shared, now, THIS_MACHINE, self.ended.append)

    def say(self, *requests: Request) -> None:
        for request in requests:
            self.connection.receive(codec.encode(request), False)

    def open(self) -> Scene:
        self.connection.open(self.frames.append)
        self.say(Hello(id="hello", token=TOKEN))
        assert isinstance(self.heard()[0], Welcome)
        return self

    def heard(self) -> list[Any]:
        frames, self.frames[:] = list(self.frames), []
        return [codec.decode(frame) for frame in frames]


# The table


def test_the_table_names_every_state_and_only_the_last_is_final() -> None:
    assert set(TRANSITIONS) == set(ConnectionState)
    assert [state for state, following in TRANSITIONS.items() if not following] == [ConnectionState.CLOSED]
    assert {ConnectionState.CLOSED} == {
        state for state in ConnectionState if all(state in TRANSITIONS[each] for each in set(ConnectionState) - {state})
    }


def test_the_docstring_shows_the_transitions_of_the_table() -> None:
    rows = [line.split() for line in (module.__doc__ or "").splitlines() if line.startswith("    ")]
    named = {state.name for state in ConnectionState}
    shown = {(row[0], name) for row in rows for name in row[1:] if row[0] in named and name in named}
    moves = {
        (old.name, new.name) for old, following in TRANSITIONS.items() for new in following - {ConnectionState.CLOSED}
    }
    assert {(old, new) for old, new in shown if old != new} == moves
    assert any(row[0] == "any" and ConnectionState.CLOSED.name in row for row in rows)


@pytest.mark.parametrize("old", ConnectionState)
@pytest.mark.parametrize("new", ConnectionState)
async def test_no_other_transition_is_possible(old: ConnectionState, new: ConnectionState) -> None:
    connection = Scene().connection
    connection.state = old
    if new in TRANSITIONS[old]:
        connection._enter(new)
        assert connection.state is new
    else:
        with pytest.raises(AssertionError):
            connection._enter(new)


# From state to state


async def test_handshake_hello_requests_and_goodbye() -> None:
    scene = Scene()
    states = [scene.connection.state]
    scene.connection.open(scene.frames.append)
    states.append(scene.connection.state)
    scene.say(Hello(id="hello", token=TOKEN))
    states.append(scene.connection.state)
    scene.connection.end(Close.GOING_AWAY)
    states.append(scene.connection.state)
    scene.connection.close(Close.GOING_AWAY)
    states.append(scene.connection.state)
    assert states == list(ConnectionState)
    assert [type(message) for message in scene.heard()] == [Welcome, Bye]
    assert scene.socket.done == [Close.GOING_AWAY]
    await asyncio.sleep(0)
    assert scene.ended == [scene.connection]


async def test_greeting_ends_with_something_else_than_hello_or_a_bad_token() -> None:
    for request, code in ((Ping(id="p"), Close.NO_HELLO), (Hello(id="h", token="no"), Close.BAD_TOKEN)):
        scene = Scene()
        scene.connection.open(scene.frames.append)
        scene.say(request)
        assert scene.connection.state is ConnectionState.CLOSING
        assert [type(message) for message in scene.heard()] == [messages.Refused, Bye]
        assert scene.socket.done == [code]


async def test_greeting_ends_when_hello_does_not_come_in_time() -> None:
    scene = Scene(hello_within=0.01)
    scene.connection.open(scene.frames.append)
    await asyncio.sleep(0.05)
    assert scene.socket.done == [Close.NO_HELLO]


async def test_a_connection_that_is_lost_in_any_state_is_closed_and_told_once() -> None:
    for lose in (lambda scene: None, Scene.open, lambda scene: scene.open().connection.end(Close.RESTART)):
        scene = Scene()
        lose(scene)
        for _ in range(2):
            scene.connection.close(Close.GOING_AWAY)
        assert scene.connection.state is ConnectionState.CLOSED
        await asyncio.sleep(0)
        assert scene.ended == [scene.connection]


# One request at a time


def watch(number: int = 1) -> Watch:
    return Watch(id=f"w{number}", table=f"t{number}")


async def test_requests_behind_the_one_at_work_wait_for_its_reply() -> None:
    scene = Scene().open()
    scene.say(Act(id="a", table="t", offer=0, action={}), Ping(id="p"), Ping(id="q"))
    assert ([call.message.id for call in scene.directory.calls], scene.heard()) == (["a"], [])
    scene.directory.calls[0].reply(Done(re="a", table="t", version=1))
    await asyncio.sleep(0.01)
    assert [message.re for message in scene.heard()] == ["a", "p", "q"]


async def test_nothing_more_is_read_while_several_wait_and_too_many_are_a_flood() -> None:
    scene = Scene().open()
    scene.say(watch())
    scene.say(*(Ping(id="p") for _ in range(PAUSED_AT)))
    assert not scene.socket.is_read
    scene.say(*(Ping(id="p") for _ in range(MOST_WAITING - PAUSED_AT)))
    assert scene.connection.state is ConnectionState.OPEN
    scene.say(Ping(id="one too many"))
    assert (scene.connection.state, scene.socket.done, scene.socket.is_read) == (
        ConnectionState.CLOSING,
        [Close.TOO_FAST],
        True,
    )


async def test_reading_goes_on_when_all_are_taken() -> None:
    scene = Scene().open()
    scene.say(watch())
    scene.say(*(Ping(id=f"p{number}") for number in range(PAUSED_AT)))
    scene.directory.calls[0].reply(Watching(re="w1", table="t1", version=0, seat=None))
    await asyncio.sleep(0.01)
    assert scene.socket.is_read
    assert [message.re for message in scene.heard()] == ["w1", *(f"p{number}" for number in range(PAUSED_AT))]


async def test_a_request_beyond_the_budget_waits_by_a_timer_and_those_behind_it_too() -> None:
    scene = Scene(burst=40, rate=1_000.0).open()
    scene.connection.budget.owe(60)
    scene.say(Ping(id="p"), Ping(id="q"))
    assert scene.heard() == []
    async with asyncio.timeout(10):
        while len(scene.frames) < 2:
            await asyncio.sleep(0.001)
    assert [message.re for message in scene.heard()] == ["p", "q"]


async def test_goodbye_waits_for_the_reply_and_drops_what_is_not_begun() -> None:
    scene = Scene().open()
    scene.say(Act(id="a", table="t", offer=0, action={}), Ping(id="p"))
    scene.connection.end_soon(Close.RESTART, reconnect_in_ms=5)
    assert scene.heard() == []
    scene.directory.calls[0].reply(Done(re="a", table="t", version=1))
    await asyncio.sleep(0.01)
    assert [type(message) for message in scene.heard()] == [Done, Bye]
    scene.say(Ping(id="late"))
    assert scene.heard() == []


async def test_messages_after_goodbye_are_dropped_and_too_many_cut_off() -> None:
    scene = Scene().open()
    scene.connection.end(Close.TOO_FAST)
    for _ in range(MOST_IGNORED):
        scene.say(Ping(id="late"))
    assert scene.socket.done == [Close.TOO_FAST]
    scene.say(Ping(id="late"))
    assert scene.socket.done == [Close.TOO_FAST, "cut"]


# Viewers


async def test_a_viewer_leaves_the_tables_it_watches_when_the_connection_is_gone() -> None:
    scene = Scene().open()
    for number in (1, 2):
        scene.say(watch(number))
        scene.directory.calls[-1].reply(Watching(re=f"w{number}", table=f"t{number}", version=0, seat=None))
    scene.say(Unwatch(id="u", table="t1"))
    scene.directory.calls[-1].reply(Done(re="u", table="t1", version=0))
    scene.connection.close(Close.GOING_AWAY)
    assert scene.directory.left == []  # a table may be about to send what follows a reply
    await asyncio.sleep(0)
    assert scene.directory.left == ["t2"]


async def test_a_connection_that_goes_before_the_answer_becomes_no_viewer() -> None:
    scene = Scene().open()
    scene.say(watch())
    assert scene.directory.calls[0].viewer is scene.connection
    scene.connection.close(Close.GOING_AWAY)
    assert scene.directory.calls[0].viewer is None
    scene.directory.calls[0].reply(Pong(re="w1"))
    assert scene.heard() == []


# Slow clients and bytes


async def test_a_client_that_does_not_read_is_kept_waiting_then_sent_all_in_order() -> None:
    scene = Scene().open()
    scene.connection.pause_writing()
    for number in range(3):
        scene.connection.send(codec.encode(Ping(id=f"{number}")))
    assert scene.frames == []
    scene.connection.resume_writing()
    assert scene.frames == [codec.encode(Ping(id=f"{number}")) for number in range(3)]


async def test_its_own_requests_wait_until_it_reads() -> None:
    scene = Scene(outbox_messages=4).open()
    scene.connection.pause_writing()
    for _ in range(3):
        scene.connection.send(b"frame")
    scene.say(watch())
    assert scene.directory.calls == []
    scene.connection.resume_writing()
    await asyncio.sleep(0)
    assert len(scene.directory.calls) == 1


@pytest.mark.parametrize("how", ["messages", "bytes", "time"])
async def test_a_client_that_is_too_slow_is_cut_off_without_a_word(how: str) -> None:
    settings = {"messages": {"outbox_messages": 4}, "bytes": {"outbox_bytes": 100}, "time": {"write_stall": 0.01}}
    scene = Scene(**settings[how]).open()
    scene.connection.pause_writing()
    await asyncio.sleep(0.05)
    for _ in range(5 if how != "time" else 0):
        scene.connection.send(bytes(25))
    assert (scene.connection.state, scene.connection.reason) == (ConnectionState.CLOSED, Close.TOO_SLOW)
    assert (scene.socket.done, scene.frames) == (["cut"], [])


async def test_goodbye_to_a_client_that_does_not_read_is_said_when_it_does() -> None:
    scene = Scene().open()
    scene.connection.pause_writing()
    scene.connection.send(codec.encode(Ping(id="first")))
    scene.connection.end(Close.RESTART)
    assert (scene.connection.state, scene.socket.done) == (ConnectionState.CLOSING, [])
    scene.connection.send(b"nothing comes after goodbye")
    scene.connection.resume_writing()
    assert (len(scene.frames), scene.socket.done) == (2, [Close.RESTART])


async def test_bytes_beyond_the_budget_are_a_flood_and_twice_as_many_are_cut_off() -> None:
    scene = Scene(byte_budgets_per_user=0).open()
    budget = FRAMES_AT_ONCE * Settings().largest_frame
    scene.connection.charge(budget)
    scene.say(Ping(id="p"))
    assert [type(message) for message in scene.heard()] == [Pong]
    scene.connection.charge(budget // 2)
    scene.say(Ping(id="p"))
    assert [type(message) for message in scene.heard()] == [Bye]
    scene.connection.charge(budget)
    assert scene.socket.done == [Close.TOO_FAST, "cut"]


async def test_bytes_are_charged_together_to_the_user_and_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    scene, charged, left = Scene().open(), list[int](), iter([0.5, -0.5, -1.5])

    def charge(admission: Admission, address_key: str, user: str, size: int) -> float:
        charged.append(size)
        return next(left)

    monkeypatch.setattr(Admission, "charge", charge)
    flooded = []
    for _ in range(3):
        for _ in range(41):
            scene.connection.charge(100)
        flooded.append(scene.connection._is_flooded())
    assert (charged, flooded) == ([4100, 4100, 4100], [False, True, True])
    assert scene.socket.done == ["cut"]
