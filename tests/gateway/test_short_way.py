"""The short way of small messages past uvicorn's queues: the same frames, in the same order, however they are cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from hostile.raw import BINARY, PING, PONG, Raw, frame, raw, said
from house import House, running
from websockets.frames import Frame, Opcode

from palatine_protocol import messages
from palatine_protocol.codec import MSGPACK, for_client
from palatine_protocol.messages import Act, Create, Done, Invite, Ping, Sit, Start, Update, Watch
from palatine_server.gateway.guard import GuardedWebSocket
from palatine_server.gateway.limits import Bucket
from palatine_server.gateway.short_way import BINARY as BINARY_HEADS
from palatine_server.gateway.short_way import TEXT as TEXT_HEADS
from palatine_server.gateway.short_way import Heads, ShortWay, Turn, are_frames, is_small_frame, unmasked

codec = for_client(MSGPACK)


# Frames


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
@pytest.mark.parametrize(("heads", "opcode"), [(TEXT_HEADS, Opcode.TEXT), (BINARY_HEADS, Opcode.BINARY)])
def test_a_message_is_framed_as_the_library_does_it(size: int, heads: Heads, opcode: Opcode) -> None:
    message = bytes(range(256)) * (size // 256) + bytes(range(size % 256))
    assert heads.of(size) + message == Frame(opcode, message).serialize(mask=False, extensions=[])


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4, 5, 100, 125])
def test_a_small_frame_is_unmasked_as_the_library_does_it(size: int) -> None:
    message = bytes(range(size))
    sent = Frame(Opcode.BINARY, message).serialize(mask=True, extensions=[])
    assert is_small_frame(sent)
    assert are_frames(sent)
    assert unmasked(sent) == message


@pytest.mark.parametrize("size", [126, 1000])
def test_a_larger_frame_is_a_frame_but_not_a_small_one(size: int) -> None:
    sent = Frame(Opcode.BINARY, bytes(size)).serialize(mask=True, extensions=[])
    assert are_frames(sent)
    assert not is_small_frame(sent)


@pytest.mark.parametrize("size", [0, 10, 125, 126, 1000])
def test_what_is_more_or_less_than_a_frame_is_none(size: int) -> None:
    sent = Frame(Opcode.BINARY, bytes(size)).serialize(mask=True, extensions=[])
    for other in (sent[:-1], sent[:1], sent[:5], b"", sent + b"\x82", sent + sent[:-1]):
        assert not are_frames(other)
        assert not is_small_frame(other)


@pytest.mark.parametrize("sizes", [(0, 0), (10, 126), (1000, 3, 125), (126, 126)])
def test_several_frames_may_come_together(sizes: tuple[int, ...]) -> None:
    sent = b"".join(Frame(Opcode.BINARY, bytes(size)).serialize(mask=True, extensions=[]) for size in sizes)
    assert are_frames(sent)
    assert not is_small_frame(sent)


# A real server


class Player:
    """Somebody alone at a table, who sends bytes as he likes."""

    def __init__(self, line: Raw, table: str) -> None:
        self.line, self.table, self.sent = line, table, 0

    def act(self) -> bytes:
        self.sent += 1
        return said(Act(id=f"a{self.sent}", table=self.table, offer=self.sent - 1, action={"do": "add"}))

    async def hear(self, kind: type) -> messages.AnyFromServer:
        while True:
            opcode, payload = await asyncio.wait_for(self.line.next(), 10)
            if opcode == BINARY and isinstance(message := codec.decode(payload), kind):
                return message

    async def answers(self, count: int) -> list[str]:
        """The ids of what is answered next, in order."""
        replies = [await self.hear(messages.Reply) for _ in range(count)]
        assert not any(isinstance(reply, messages.Refused) for reply in replies), replies
        return [reply.re for reply in replies if isinstance(reply, messages.Reply)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path, games=["bench.counter:COUNTER"]) as house:
        yield house


@pytest.fixture
async def player(house: House) -> AsyncIterator[Player]:
    async with raw(house.url) as line:
        await line.hello(await house.token("Anna"))
        player = Player(line, "")
        await line.send(said(Create(id="create", game="counter", seats=1)))
        created = await player.hear(messages.Created)
        assert isinstance(created, messages.Created)
        player.table = created.table
        for kind in (Sit, Watch, Start):  # one by one: two in one piece go the long way
            await line.send(said(kind(id=kind.__name__, table=player.table)))
            assert await player.answers(1) == [kind.__name__]
        yield player


async def test_an_action_is_answered_first_and_told_then(player: Player) -> None:
    for number in range(1, 6):
        await player.line.send(player.act())
        done, update = await player.hear(Done), await player.hear(Update)
        assert isinstance(done, Done)
        assert isinstance(update, Update)
        assert (done.re, done.version) == (f"a{number}", update.version)


async def test_after_two_in_one_piece_the_short_way_is_open_again(
    player: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    await player.line.send(player.act() + player.act())
    assert await player.answers(2) == ["a1", "a2"]
    await player.line.send(said(Ping(id="ping")))  # when it is answered, the reader has nothing left to do
    await player.hear(messages.Pong)
    monkeypatch.setattr(GuardedWebSocket, "take", None)
    await player.line.send(player.act())
    assert await player.answers(1) == ["a3"]


async def test_an_action_passes_uvicorn_by_and_a_ping_does_not(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    passed_on: list[bytes] = []
    take = GuardedWebSocket.take

    def noted(self: GuardedWebSocket, data: bytes) -> None:
        passed_on.append(data)
        take(self, data)

    monkeypatch.setattr(GuardedWebSocket, "take", noted)
    for number in range(1, 6):
        await player.line.send(player.act())
        assert await player.answers(1) == [f"a{number}"]
    assert passed_on == []
    await player.line.send(ping := said(Ping(id="ping")))
    assert await player.answers(1) == ["ping"]
    assert passed_on == [ping]


async def test_after_the_handshake_the_short_way_is_what_the_transport_speaks_to(house: House, player: Player) -> None:
    (line,) = [line for line in house.server.server_state.connections if isinstance(line, GuardedWebSocket)]
    assert line.transport.get_protocol() is line.way


async def test_an_action_cut_anywhere_is_put_together(player: Player) -> None:
    for at in range(1, len(player.act())):
        player.sent = at - 1
        action = player.act()
        await player.line.send(action[:at])
        await asyncio.sleep(0.001)  # so that it goes out in two pieces
        await player.line.send(action[at:])
        assert await player.answers(1) == [f"a{at}"]


async def test_many_requests_in_one_piece_are_answered_in_order(player: Player) -> None:
    ping = said(Ping(id="ping"))
    await player.line.send(player.act(), player.act(), ping, player.act(), ping, player.act())
    assert await player.answers(6) == ["a1", "a2", "ping", "a3", "ping", "a4"]


async def test_requests_behind_each_other_are_answered_in_order(player: Player) -> None:
    for _ in range(20):
        await player.line.send(player.act())
        await player.line.send(said(Ping(id=f"p{player.sent}")))
    assert await player.answers(40) == [f"{kind}{number}" for number in range(1, 21) for kind in "ap"]


async def test_fragments_and_control_frames_between_actions(player: Player) -> None:
    action = codec.encode(Act(id="parts", table=player.table, offer=0, action={"do": "add"}))
    await player.line.send(frame(BINARY, action[:9], fin=False))
    await asyncio.sleep(0.01)
    await player.line.send(frame(PING, b"are you there"))
    while (heard := await player.line.next())[0] == BINARY:  # what was told at the start
        pass
    assert heard == (PONG, b"are you there")
    await player.line.send(frame(0, action[9:]))
    assert await player.answers(1) == ["parts"]
    player.sent = 1
    await player.line.send(player.act())
    assert await player.answers(1) == ["a2"]


async def test_an_invited_guest_is_answered_alike_whatever_the_size(house: House, player: Player) -> None:
    await player.line.send(said(Create(id="private", game="counter", seats=1, visibility="private")))
    private = await player.hear(messages.Created)
    assert isinstance(private, messages.Created)
    await player.line.send(said(Invite(id="invite", table=private.table)))
    invitation = await player.hear(messages.Invitation)
    assert isinstance(invitation, messages.Invitation)
    async with raw(house.url) as line:
        await line.hello(await house.token("Berta"))
        guest = Player(line, private.table)
        await line.send(said(Watch(id="watch", table=private.table, invitation=invitation.invitation)))
        await guest.answers(1)
        for more in ("", 100 * "x"):
            await line.send(said(Act(id="act", table=private.table, offer=0, action={"do": "add", "more": more})))
            refused = await guest.hear(messages.Refused)
            assert isinstance(refused, messages.Refused)
            assert (refused.re, refused.code) == ("act", "not_seated")


async def test_whoever_only_acts_is_not_taken_for_dead(tmp_path: Path) -> None:
    async with running(tmp_path, games=["bench.counter:COUNTER"], heartbeat=1) as house, house.peer("Anna") as anna:
        table = (await anna.do(Create, game="counter", seats=1)).table
        for kind in (Sit, Watch, Start):
            await anna.do(kind, table=table)
        for number in range(30):  # three seconds, more than two heartbeats
            done = await anna.do(Act, table=table, offer=number, action={"do": "add"})
            assert isinstance(done, Done)
            await asyncio.sleep(0.1)


# Without a server


class Transport:
    """Takes what is written, and notes in which pieces."""

    def __init__(self) -> None:
        self.written, self.is_broken, self.is_shut = list[bytes](), False, False

    def is_closing(self) -> bool:
        return self.is_shut

    def write(self, data: bytes) -> None:
        if self.is_broken:
            raise RuntimeError("broken")
        self.written.append(data)


class Uvicorn:
    """What came the long way, and what the transport said besides."""

    def __init__(self) -> None:
        self.taken, self.told, self.is_calm, self.handshake_initiated = list[bytes](), list[str](), True, True

    def take(self, data: bytes) -> None:
        self.taken.append(data)

    def is_at_rest(self) -> bool:
        self.told.append("asked")
        return self.is_calm

    def cut(self) -> None:
        self.told.append("cut")

    def connection_lost(self, exc: Exception | None) -> None:
        self.told.append(f"lost {exc}")

    def eof_received(self) -> None:
        self.told.append("eof")

    def pause_writing(self) -> None:
        self.told.append("pause")

    def resume_writing(self) -> None:
        self.told.append("resume")


class Way:
    """A short way with nothing real at its ends."""

    def __init__(self, turn: Turn, most_bytes: float = 2**20, rate: float = 1.0) -> None:
        self.transport, self.uvicorn, self.heard, self.takes = Transport(), Uvicorn(), list[bytes](), True
        transport: Any = self.transport
        self.short = ShortWay(self.uvicorn, transport, turn, Bucket(most_bytes, rate, lambda: 0.0), most_bytes)
        self.short.listen(self._hear)

    def _hear(self, message: bytes) -> bool:
        if self.takes:
            self.heard.append(message)
        return self.takes


@pytest.fixture
async def turn() -> Turn:
    return Turn(asyncio.get_running_loop())


@pytest.fixture
def way(turn: Turn) -> Way:
    return Way(turn)


async def test_what_is_written_in_one_turn_goes_out_in_one_piece_at_its_end(turn: Turn) -> None:
    first, second = Way(turn), Way(turn)
    for message in (b"one", b"two"):
        assert first.short.write(message)
        assert second.short.write(message)
    assert first.transport.written == []
    await asyncio.sleep(0)
    assert first.transport.written == second.transport.written == [b"\x82\x03one\x82\x03two"]
    assert first.short.write(b"three")
    await asyncio.sleep(0)
    assert first.transport.written[1:] == [b"\x82\x05three"]


async def test_somebody_who_cannot_be_written_to_does_not_keep_others_from_it(turn: Turn) -> None:
    mistakes: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: mistakes.append(context["exception"]))
    ways = [Way(turn) for _ in range(3)]
    ways[1].transport.is_broken = True
    for way in ways:
        assert way.short.write(b"one")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [way.transport.written for way in ways] == [[b"\x82\x03one"], [], [b"\x82\x03one"]]
    assert [str(mistake) for mistake in mistakes] == ["broken"]


async def test_much_is_written_before_the_turn_ends(way: Way) -> None:
    for _ in range(5):
        assert way.short.write(bytes(20_000))
    assert [len(data) for data in way.transport.written] == [4 * 20_004]
    await asyncio.sleep(0)
    assert sum(map(len, way.transport.written)) == 5 * 20_004


@pytest.mark.parametrize("why", ["paused", "shut", "closing"])
async def test_nothing_is_written_to_who_does_not_read_or_is_going(way: Way, why: str) -> None:
    assert way.short.write(b"one")
    await asyncio.sleep(0)
    if why == "paused":
        way.short.is_paused = True
    elif why == "shut":
        way.short.shut()
    else:
        way.transport.is_shut = True
    assert not way.short.write(b"two")
    await asyncio.sleep(0)
    assert way.transport.written == [b"\x82\x03one"]


@pytest.mark.parametrize("why", ["shut", "closing"])
async def test_nothing_is_written_after_goodbye(way: Way, why: str) -> None:
    assert way.short.write(b"one")
    if why == "shut":
        way.short.shut()
    else:
        way.transport.is_shut = True
    await asyncio.sleep(0)
    assert way.transport.written == []


async def test_a_small_message_is_heard_and_not_passed_on(way: Way) -> None:
    way.short.controls = 7
    way.short.data_received(frame(BINARY, b"one"))
    assert (way.heard, way.uvicorn.taken, way.short.controls) == ([b"one"], [], 0)


async def test_whether_the_long_way_is_at_rest_is_asked_once_after_something_went_it(way: Way) -> None:
    for message in (b"one", b"two"):
        way.short.data_received(frame(BINARY, message))
    assert way.uvicorn.told == ["asked"]
    way.short.data_received(frame(PING, b""))
    way.uvicorn.is_calm = False
    for message in (b"three", b"four"):
        way.short.data_received(frame(BINARY, message))
    way.uvicorn.is_calm = True
    for message in (b"five", b"six"):
        way.short.data_received(frame(BINARY, message))
    assert way.heard == [b"one", b"two", b"five", b"six"]
    assert len(way.uvicorn.taken) == 3
    assert way.uvicorn.told == 4 * ["asked"]


@pytest.mark.parametrize("data", [frame(BINARY, b"half")[:-1], 2 * frame(BINARY, b"two")[:-1], b"\x82"])
async def test_after_what_is_no_whole_frame_everything_goes_the_long_way(way: Way, data: bytes) -> None:
    whole = frame(BINARY, b"whole")
    way.short.data_received(data)
    way.short.data_received(whole)
    assert (way.heard, way.uvicorn.taken) == ([], [data, whole])


@pytest.mark.parametrize("data", [frame(1, b"text"), frame(BINARY, b"part", fin=False), frame(BINARY, bytes(126))])
async def test_what_is_not_small_whole_and_binary_goes_the_long_way(way: Way, data: bytes) -> None:
    way.short.data_received(data)
    way.short.data_received(frame(BINARY, b"next"))
    assert (way.heard, way.uvicorn.taken) == ([b"next"], [data])


async def test_what_nobody_takes_and_what_comes_after_goodbye_goes_the_long_way(way: Way) -> None:
    way.takes = False
    way.short.data_received(frame(BINARY, b"one"))
    way.takes = True
    way.short.shut()
    way.short.data_received(frame(BINARY, b"two"))
    assert (way.heard, len(way.uvicorn.taken)) == ([], 2)


async def test_bytes_beyond_the_budget_are_a_flood_and_twice_as_many_are_cut_off(turn: Turn) -> None:
    way, ten = Way(turn, most_bytes=20), frame(BINARY, b"four")
    for _ in range(2):
        way.short.data_received(ten)
    assert not way.short.is_flooded()
    way.short.data_received(ten)
    assert way.short.is_flooded()
    way.short.data_received(ten)
    assert way.heard == 4 * [b"four"]
    way.short.data_received(ten)
    assert way.uvicorn.told == ["asked", "cut"]
    assert (way.heard, way.uvicorn.taken) == (4 * [b"four"], [])


async def test_bytes_are_charged_together_to_who_has_other_connections_too(way: Way) -> None:
    charged: list[int] = []
    left = iter([0.5, -0.5, -1.5])

    def charge(size: int) -> float:
        charged.append(size)
        return next(left)

    way.short.charge_with(charge)
    some = frame(BINARY, bytes(94))
    flooded = []
    for _ in range(3):
        for _ in range(41):
            way.short.data_received(some)
        flooded.append(way.short.is_flooded())
    assert (charged, flooded) == ([4100, 4100, 4100], [False, True, True])
    assert way.uvicorn.told == ["asked", "cut"]


async def test_the_rest_of_what_the_transport_says_is_passed_on(way: Way) -> None:
    way.short.pause_writing()
    way.short.resume_writing()
    way.short.eof_received()
    way.short.connection_lost(None)
    assert way.uvicorn.told == ["pause", "resume", "eof", "lost None"]
