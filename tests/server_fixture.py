"""A real server for tests: in this process, on a free port, with its data in a temporary directory."""

from __future__ import annotations

import asyncio
import json
import urllib.request
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

import anyio
import msgspec
from anyio import to_thread
from msgspec import UNSET, UnsetType
from websockets.asyncio.client import ClientConnection, connect

from palatine_protocol import digest, messages, patch
from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.messages import Request
from palatine_protocol.offers import drawn
from palatine_server.settings import Settings
from palatine_server.web.server import Server, create_server

QUICK = {
    "allow_seeds": True,
    "burst": 100_000,
    "rate": 100_000.0,
    "guests_per_minute": 10_000,
    "joins_per_minute": 10_000,
    "tables_per_user": 100,
    "bot_moves_per_second": 10_000.0,
    "bot_moves_per_user": 10_000.0,
    "bot_niceness": 0,
}
T = TypeVar("T")


class House:
    """A running server and the way to it."""

    def __init__(self, running: Server, url: str, settings: Settings) -> None:
        self.server, self.url, self.settings = running, url, settings
        self.socket = url.replace("http", "ws", 1) + "/v1/ws"

    async def token(self, name: str = "") -> str:
        answer = await to_thread.run_sync(post, f"{self.url}/v1/guests", {"name": name})
        return str(answer["token"])

    @asynccontextmanager
    async def peer(
        self, name: str = "", token: str | None = None, wire: str = MSGPACK, **hello: Any
    ) -> AsyncIterator[Peer]:
        token = token or await self.token(name)
        async with connect(self.socket, subprotocols=[wire], compression=None, max_queue=None) as socket:  # type: ignore[list-item]
            peer = Peer(socket, wire, token)
            await peer.hello(**hello)
            yield peer


def post(url: str, body: Any) -> Any:
    request = urllib.request.Request(url, json.dumps(body).encode(), method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


@asynccontextmanager
async def running(data: Path, **settings: Any) -> AsyncIterator[House]:
    """A server that runs until the block ends, and then stops as it would on SIGTERM."""
    chosen = Settings(data=data, **{"port": 0, **QUICK, **settings})
    where: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    served = create_server(chosen, where.set_result)
    # A plain task, not a task group: fixtures are taken down in another task than they were set up in.
    serving = asyncio.create_task(served._serve())
    try:
        await asyncio.wait([serving, where], return_when=asyncio.FIRST_COMPLETED)
        yield House(served, where.result(), chosen)
    finally:
        served.should_exit = True
        await serving


class Peer:
    """A client without any cleverness: it sends what it is told and keeps what it hears."""

    def __init__(self, socket: ClientConnection, wire: str, token: str) -> None:
        self.socket, self.codec, self.token = socket, for_client(wire), token
        self.heard: list[messages.AnyFromServer] = []
        self.frames: list[bytes | str] = []
        self._prefix, self.number = uuid4().hex[:12], 0  # a request id is never used twice, also by a later peer
        self.user = self.name = ""

    async def hello(self, **given: Any) -> messages.Welcome:
        welcome = await self.ask(messages.Hello(id=self.next_id(), token=self.token, **given))
        assert isinstance(welcome, messages.Welcome), welcome
        self.user, self.name = welcome.user, welcome.name
        return welcome

    def next_id(self) -> str:
        self.number += 1
        return f"{self._prefix}-{self.number}"

    async def send(self, request: Request) -> None:
        frame = self.codec.encode(request)
        await self.socket.send(frame.decode() if self.codec.is_text else frame)

    async def receive(self) -> messages.AnyFromServer:
        with anyio.fail_after(10):
            frame = await self.socket.recv()
        message = self.codec.decode(frame)
        self.frames.append(frame)
        self.heard.append(message)
        return message

    async def ask(self, request: Request) -> Any:
        """Send a request and wait for its one reply; what is pushed meanwhile is kept."""
        await self.send(request)
        return await self.reply_to(request.id)

    async def reply_to(self, request_id: str) -> Any:
        while True:
            message = await self.receive()
            if getattr(message, "re", None) == request_id:
                return message

    async def do(self, kind: type[Request], **given: Any) -> Any:
        return await self.ask(kind(id=self.next_id(), **given))

    async def until(self, kind: type[T], **like: Any) -> T:
        """The next push of a kind with these values."""
        while True:
            message = await self.receive()
            if isinstance(message, kind) and all(getattr(message, name) == value for name, value in like.items()):
                return message


class Table:
    """What a peer knows of one table: it folds what it hears and checks every version and digest."""

    def __init__(self, peer: Peer, table: str) -> None:
        self.peer, self.id = peer, table
        self.seen = 0
        self.version = -1
        self.seat: int | None = None
        self.info: Any = None
        self.board: Any = None
        self.hand: Any = None
        self.offer: messages.Offer | None = None
        self.waiting: list[messages.Waiting] = []
        self.snapshots = self.updates = 0

    def catch_up(self) -> None:
        """Take in everything the peer has heard of the table."""
        while self.seen < len(self.peer.heard):
            message = self.peer.heard[self.seen]
            self.seen += 1
            if isinstance(message, messages.Snapshot) and message.table == self.id:
                self._begin(message)
            elif isinstance(message, messages.Update) and message.table == self.id:
                self._go_on(message)

    def _begin(self, message: messages.Snapshot) -> None:
        self.version, self.seat = message.version, message.seat
        self.info, self.board, self.hand = msgspec.to_builtins(message.info), message.board, message.hand
        self.offer, self.waiting = message.offer, message.waiting
        self.snapshots += 1
        self._check(message.digest)
        self._check_info(message.info_digest)

    def _go_on(self, message: messages.Update) -> None:
        assert message.version == self.version + 1, "a gap"
        self.version = message.version
        self.info, self.board, self.hand = (
            old if ops is UNSET else patch.apply(old, ops)
            for old, ops in ((self.info, message.info), (self.board, message.board), (self.hand, message.hand))
        )
        self.offer = self.offer if message.offer is UNSET else message.offer
        self.waiting = self.waiting if message.waiting is UNSET else message.waiting
        self.updates += 1
        self._check(message.digest)
        self._check_info(message.info_digest)

    def _check(self, expected: int) -> None:
        assert digest.of_viewer(digest.of_board(self.board), self.hand) == expected

    def _check_info(self, expected: int | UnsetType) -> None:
        if expected is not UNSET:
            assert digest.of_info(self.info) == expected

    @property
    def is_over(self) -> bool:
        return bool(self.info) and self.info["status"] == "over"

    @property
    def is_waited_for(self) -> bool:
        return any(waiting.seat == self.seat for waiting in self.waiting)

    async def act(self, below: Callable[[int], int]) -> Any:
        """Answer the offer at random."""
        assert self.offer is not None
        action = drawn(self.offer.choices, below)
        return await self.peer.do(messages.Act, table=self.id, offer=self.offer.id, action=action)

    async def play(
        self, below: Callable[[int], int], until: Callable[[Table], bool] = lambda table: table.is_over
    ) -> None:
        """Play at random until the game is over, or something else holds."""
        self.catch_up()
        while not until(self):
            if self.is_waited_for:
                await self.act(below)
            else:
                await self.peer.receive()
            self.catch_up()

    async def until_version(self, version: int) -> None:
        self.catch_up()
        while self.version < version:
            await self.peer.receive()
            self.catch_up()


async def opened(peer: Peer, seats: int, game: str = "between_two_castles", **given: Any) -> str:
    """A new table."""
    created = await peer.do(messages.Create, game=game, seats=seats, **given)
    assert isinstance(created, messages.Created), created
    return created.table


async def seated(peers: list[Peer], game: str = "between_two_castles", bots: int = 0, **given: Any) -> list[Table]:
    """A started table: every peer sits, bots fill the rest, all watch."""
    host = peers[0]
    table = await opened(host, len(peers) + bots, game, **given)
    for peer in peers:
        await peer.do(messages.Sit, table=table)
    for _ in range(bots):
        await host.do(messages.AddBot, table=table, policy="random")
    for peer in peers:
        await peer.do(messages.Watch, table=table)
    started = await host.do(messages.Start, table=table)
    assert isinstance(started, messages.Done), started
    return [Table(peer, table) for peer in peers]


__all__ = ["JSON", "MSGPACK", "House", "Peer", "Table", "opened", "running", "seated"]
