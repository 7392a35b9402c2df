"""Requests over a raw socket: answered once and in order, in whatever pieces their frames come, text or binary."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from hostile.raw_client import BINARY, CONTINUATION, PING, PONG, TEXT, Raw, frame, raw
from server_fixture import House, running

from palatine_protocol import messages
from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.messages import Act, Create, Done, Hello, Invite, Ping, Request, Sit, Start, Update, Watch
from palatine_server.gateway.connection import Connection
from palatine_server.gateway.websocket import WebSocketProtocol


class Player:
    """Somebody alone at a table, who sends bytes as they like."""

    def __init__(self, line: Raw, wire: str) -> None:
        self.line, self.wire, self.codec, self.sent, self.table = line, wire, for_client(wire), 0, ""
        self.opcode = TEXT if wire == JSON else BINARY

    def said(self, request: Request) -> bytes:
        return frame(self.opcode, self.codec.encode(request))

    def act(self) -> bytes:
        self.sent += 1
        return self.said(Act(id=f"a{self.sent}", table=self.table, offer=self.sent - 1, action={"do": "add"}))

    async def hello(self, token: str) -> None:
        await self.line.upgrade(wire=self.wire)
        await self.line.send(self.said(Hello(id="hello", token=token)))
        await self.hear(messages.Welcome)

    async def hear(self, kind: type) -> messages.AnyFromServer:
        while True:
            opcode, payload = await asyncio.wait_for(self.line.next(), 10)
            if opcode == self.opcode and isinstance(message := self.codec.decode(payload), kind):
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


@pytest.fixture(params=[MSGPACK, JSON])
async def player(house: House, request: pytest.FixtureRequest) -> AsyncIterator[Player]:
    async with raw(house.url) as line:
        player = Player(line, request.param)
        await player.hello(await house.token("Anna"))
        await line.send(player.said(Create(id="create", game="counter", seats=1)))
        created = await player.hear(messages.Created)
        assert isinstance(created, messages.Created)
        player.table = created.table
        for kind in (Sit, Watch, Start):
            await line.send(player.said(kind(id=kind.__name__, table=player.table)))
            assert await player.answers(1) == [kind.__name__]
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
    ping = player.said(Ping(id="ping"))
    await player.line.send(player.act(), player.act(), ping, player.act(), ping, player.act())
    assert await player.answers(6) == ["a1", "a2", "ping", "a3", "ping", "a4"]


async def test_requests_behind_each_other_are_answered_in_order(player: Player) -> None:
    for _ in range(20):
        await player.line.send(player.act())
        await player.line.send(player.said(Ping(id=f"p{player.sent}")))
    assert await player.answers(40) == [f"{kind}{number}" for number in range(1, 21) for kind in "ap"]


async def test_fragments_and_control_frames_between_actions(player: Player) -> None:
    action = player.codec.encode(Act(id="parts", table=player.table, offer=0, action={"do": "add"}))
    await player.line.send(frame(player.opcode, action[:9], fin=False))
    await asyncio.sleep(0.01)
    await player.line.send(frame(PING, b"are you there"))
    while (heard := await player.line.next())[0] == player.opcode:  # what was told at the start
        pass
    assert heard == (PONG, b"are you there")
    await player.line.send(frame(CONTINUATION, action[9:]))
    assert await player.answers(1) == ["parts"]
    player.sent = 1
    await player.line.send(player.act())
    assert await player.answers(1) == ["a2"]


async def test_an_invited_guest_is_answered_alike_whatever_the_size(house: House, player: Player) -> None:
    await player.line.send(player.said(Create(id="private", game="counter", seats=1, visibility="private")))
    private = await player.hear(messages.Created)
    assert isinstance(private, messages.Created)
    await player.line.send(player.said(Invite(id="invite", table=private.table)))
    invitation = await player.hear(messages.Invitation)
    assert isinstance(invitation, messages.Invitation)
    async with raw(house.url) as line:
        guest, table = Player(line, player.wire), private.table
        await guest.hello(await house.token("Berta"))
        await line.send(guest.said(Watch(id="watch", table=table, invitation=invitation.invitation)))
        await guest.answers(1)
        for more in ("", 100 * "x"):
            await line.send(guest.said(Act(id="act", table=table, offer=0, action={"do": "add", "more": more})))
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


async def test_no_task_lives_while_a_connection_is_open_and_nothing_happens(house: House) -> None:
    before = len(asyncio.all_tasks())
    async with raw(house.url) as line:
        player = Player(line, MSGPACK)
        await player.hello(await house.token("Anna"))
        await line.send(player.said(Ping(id="ping")))
        assert await player.answers(1) == ["ping"]
        assert len(asyncio.all_tasks()) == before


@pytest.mark.parametrize("kind", [Ping, Act])
async def test_messages_make_no_cyclic_garbage(player: Player, kind: type) -> None:
    """The collector stops the server for as long as it looks, so it should find nothing."""

    async def ask(times: int) -> None:
        for number in range(times):
            await player.line.send(player.said(Ping(id=f"p{number}")) if kind is Ping else player.act())
            await player.answers(1)

    await ask(20)  # what is made once is made
    gc.collect()
    gc.disable()
    try:
        await ask(1_000 if kind is Ping else 200)
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found = [type(item) for item in gc.garbage]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert found == []


async def test_nothing_keeps_a_connection_that_is_gone(house: House) -> None:
    token, inside = await house.token("Anna"), house.server._app.state.shared
    for _ in range(5):
        async with raw(house.url) as line:
            await Player(line, MSGPACK).hello(token)
    async with asyncio.timeout(10):
        while inside.connections or house.server.server_state.connections:
            await asyncio.sleep(0.01)
    gc.collect()
    kept = [item for item in gc.get_objects() if isinstance(item, Connection | WebSocketProtocol)]
    assert kept == []
