"""The short way of small messages past uvicorn's queues: the same frames, in the same order, however they are cut."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hostile.raw import BINARY, PING, PONG, Raw, frame, raw, said
from house import House, running
from websockets.frames import Frame, Opcode

from palatine_protocol import messages
from palatine_protocol.codec import MSGPACK, for_client
from palatine_protocol.messages import Act, Create, Done, Invite, Ping, Sit, Start, Update, Watch
from palatine_server.gateway.short_way import BINARY as BINARY_HEADS
from palatine_server.gateway.short_way import TEXT as TEXT_HEADS
from palatine_server.gateway.short_way import Heads, is_frame, is_small_frame, unmasked

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
    assert is_frame(sent)
    assert unmasked(sent) == message


@pytest.mark.parametrize("size", [126, 1000])
def test_a_larger_frame_is_a_frame_but_not_a_small_one(size: int) -> None:
    sent = Frame(Opcode.BINARY, bytes(size)).serialize(mask=True, extensions=[])
    assert is_frame(sent)
    assert not is_small_frame(sent)


@pytest.mark.parametrize("size", [0, 10, 125, 126, 1000])
def test_what_is_more_or_less_than_a_frame_is_none(size: int) -> None:
    sent = Frame(Opcode.BINARY, bytes(size)).serialize(mask=True, extensions=[])
    for other in (sent[:-1], sent[:1], sent[:5], b"", sent + b"\x82", sent + sent):
        assert not is_frame(other)
        assert not is_small_frame(other)


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
        for request in (Sit(id="sit", table=player.table), Watch(id="watch", table=player.table)):
            await line.send(said(request))
        await line.send(said(Start(id="start", table=player.table)))
        assert await player.answers(3) == ["sit", "watch", "start"]
        yield player


async def test_an_action_is_answered_first_and_told_then(player: Player) -> None:
    for number in range(1, 6):
        await player.line.send(player.act())
        done, update = await player.hear(Done), await player.hear(Update)
        assert isinstance(done, Done)
        assert isinstance(update, Update)
        assert (done.re, done.version) == (f"a{number}", update.version)


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
