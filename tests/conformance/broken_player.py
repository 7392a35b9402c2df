"""A small complete player, and the same with one mistake: `python broken_player.py MISTAKE URL TOKEN TABLE`.

With the mistake `none` it follows the whole protocol. The conformance kit must fail each mistake by its own check.
"""

import asyncio
import random
import sys
from contextlib import suppress

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException

from palatine_protocol import digest, patch
from palatine_protocol.codec import JSON

AWAY = {4002, 4005, 4010, 1002, 1007}
KNOWN = {"welcome", "watching", "snapshot", "update", "resumed", "done", "refused", "bye", "pong", "lost"}
KEYS = {"type", "re", "table", "version", "seat", "as", "info", "board", "hand", "offer", "waiting", "can_undo"}
KEYS |= {"digest", "info_digest", "fork", "news", "talk", "code", "sentence", "retry_after_ms", "user", "name"}
KEYS |= {"server", "heartbeat", "largest_frame", "token_expires", "time", "reason", "reconnect_in_ms", "reconnect_to"}


class Player:
    """One player over all its connections."""

    def __init__(self, mistake: str, url: str, token: str, table: str) -> None:
        self.mistake, self.url, self.token, self.table = mistake, url, token, table
        self.prefix, self.count = f"{random.randrange(2**40):x}", 0
        self.version: int | None = None
        self.fork, self.info, self.board, self.hand = "", {}, None, None
        self.seat: int | None = None
        self.offer, self.waiting = None, []
        self.answered: int | None = None
        self.pending: dict[str, dict] = {}
        self.is_watching = False
        self.wait, self.elsewhere = 0.0, ""
        self.failures, self.has_erred = 0, False

    def has(self, mistake: str) -> bool:
        return self.mistake == mistake

    def new_id(self) -> str:
        self.count += 1
        return f"{self.prefix}-{self.count}"

    async def ask(self, socket: ClientConnection, kind: str, **fields: object) -> None:
        request = {"type": kind, "id": self.new_id(), **fields}
        self.pending[request["id"]] = request
        await self.send(socket, request)

    async def send(self, socket: ClientConnection, request: dict) -> None:
        with suppress(ConnectionClosed):  # what the server said before it closed the line is still to be read
            await socket.send(msgspec.json.encode(request).decode())

    # Connections

    async def run(self) -> None:
        while self.info.get("status") != "over":
            await asyncio.sleep(self.choose_delay())
            elsewhere = "" if self.has("stays_here") else self.elsewhere
            address, self.wait, self.elsewhere = elsewhere or f"{self.url}/v1/ws", 0.0, ""
            size = 65536 if self.has("small_frames") else 2**24
            try:
                async with connect(address, subprotocols=[JSON], max_size=size) as socket:  # type: ignore[list-item]
                    await self.play(socket)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else 1006
                if code in AWAY and not self.has("comes_back"):
                    return
                if code == 4999 and self.has("knows_all_codes"):
                    return
            except (OSError, WebSocketException):
                pass
            self.failures += 1

    def choose_delay(self) -> float:
        if self.wait:
            return 0.0 if self.has("hurried") else self.wait
        if self.has("hot_loop"):
            return 0.0
        return random.uniform(0, min(15, 0.5 * 2 ** min(self.failures - 1, 5))) if self.failures else 0.0

    async def play(self, socket: ClientConnection) -> None:
        if self.has("talks_first"):
            await self.send(socket, {"type": "ping", "id": self.new_id()})
        await self.greet(socket)
        async for frame in socket:
            message = msgspec.json.decode(frame)
            if self.has("strict_keys") and not KEYS.issuperset(message):
                raise SystemExit("an unknown key")
            if self.has("strict_types") and message["type"] not in KNOWN:
                raise SystemExit("an unknown message")
            await self.hear(socket, message)
            if self.info.get("status") == "over":
                return

    async def greet(self, socket: ClientConnection) -> None:
        hello: dict = {"type": "hello", "id": self.new_id(), "token": self.token}
        self.is_watching = self.version is not None
        if self.version is not None:
            back = 3 if self.has("resumes_too_early") else 0
            hello |= {"resume": {self.table: self.version - back}, "forks": {self.table: self.fork}}
        await self.send(socket, hello)

    # Messages

    async def hear(self, socket: ClientConnection, message: dict) -> None:
        match message["type"]:
            case "welcome":
                await self.begin(socket)
            case "snapshot":
                await self.load(socket, message)
            case "update":
                await self.advance(socket, message)
            case "done" | "watching":
                self.pending.pop(message["re"], None)
            case "refused":
                await self.take_refusal(socket, message)
            case "bye":
                self.wait = (message.get("reconnect_in_ms") or 0) / 1000
                self.elsewhere = message.get("reconnect_to") or ""
        await self.act(socket)

    async def begin(self, socket: ClientConnection) -> None:
        self.failures = 0
        waiting, self.pending = list(self.pending.values()), {}
        for request in waiting:
            if request["type"] != "watch":
                again = {**request, "id": self.new_id()} if self.has("new_ids") else request
                self.pending[again["id"]] = again
                await self.send(socket, again)
        if not self.is_watching:
            await self.watch(socket)
        if self.seat is None and not waiting:
            await self.ask(socket, "sit", table=self.table)
            await self.be_clumsy(socket)

    async def be_clumsy(self, socket: ClientConnection) -> None:
        """Make the mistakes that need a message of their own."""
        if self.has("reuses_ids"):
            await self.send(socket, {"type": "ping", "id": f"{self.prefix}-{self.count}"})
        if self.has("long_ids"):
            await self.send(socket, {"type": "ping", "id": "x" * 65})
        if self.has("speaks_nonsense"):
            await socket.send("hello?")

    async def watch(self, socket: ClientConnection, **more: object) -> None:
        await self.ask(socket, "watch", table=self.table, **more)

    async def load(self, socket: ClientConnection, message: dict) -> None:
        if self.has("keeps_newer") and self.version is not None and message["version"] < self.version:
            return
        if self.version is not None and message["version"] < self.version:
            self.answered = None
        self.info, self.board, self.hand = message["info"], message["board"], message["hand"]
        self.seat = message["seat"]
        self.take(message)

    def take(self, message: dict) -> None:
        self.version, self.fork = message["version"], message.get("fork", "")
        self.offer = message.get("offer", self.offer)
        self.waiting = message.get("waiting", self.waiting)

    async def advance(self, socket: ClientConnection, message: dict) -> None:
        if self.version is None:
            return
        if message["version"] > self.version + 1 and not self.has("ignores_gaps"):
            await self.watch(socket, **{"from": self.version, "fork": self.fork})
            return
        if message["version"] <= self.version and not self.has("takes_doubles"):
            return
        try:
            self.info = patch.apply(self.info, message.get("info", []))
            self.board = patch.apply(self.board, message.get("board", []))
            self.hand = patch.apply(self.hand, message.get("hand", []))
            is_right = digest.of_viewer(digest.of_board(self.board), self.hand) == message["digest"]
        except patch.PatchError:
            is_right = False
        if not is_right and not self.has("no_digest"):
            self.version = None
            await self.watch(socket)
            return
        self.take(message)

    async def take_refusal(self, socket: ClientConnection, message: dict) -> None:
        request = self.pending.get(message["re"])
        if request is None:
            return
        if message["code"] in {"try_again", "too_fast"}:
            pause = (message.get("retry_after_ms") or 0) / 1000
            await asyncio.sleep(0 if self.has("impatient") else pause)
            again = request
            if self.has("changes_requests") and message["code"] == "try_again":
                again = {**self.pending.pop(request["id"]), "id": self.new_id()}
                self.pending[again["id"]] = again
            await self.send(socket, again)
            return
        del self.pending[message["re"]]
        if message["code"] == "stale_offer" and self.has("stubborn") and not self.has_erred:
            self.has_erred = True
            await self.ask(socket, "act", table=self.table, offer=request["offer"], action=request["action"])
        elif request["type"] == "act":
            self.answered = (
                None if message["code"] == "stale_offer" and self.offer != request["offer"] else self.answered
            )

    # Actions

    async def act(self, socket: ClientConnection) -> None:
        if (
            self.version is None
            or not self.offer
            or {"seat": self.seat} not in [{"seat": waiting["seat"]} for waiting in self.waiting]
        ):
            return
        number = self.offer["id"]
        if number == self.answered or any(request["type"] == "act" for request in self.pending.values()):
            return
        choices = [choice for choice in self.offer["choices"] if self.has("any_kind") or is_known(choice)]
        self.answered = number
        wrong = self.has("miscounts") and not self.has_erred
        self.has_erred = self.has_erred or wrong
        action = choose(random.choice(choices) if not self.has("any_kind") else choices[0])
        await self.ask(socket, "act", table=self.table, offer=number + 1 if wrong else number, action=action)
        if wrong:
            self.answered = None


def is_known(choice: dict) -> bool:
    fields = choice.get("fields", {}).values()
    return all(isinstance(field, list) or field["kind"] in {"range", "pick"} for field in fields)


def choose(choice: dict) -> dict:
    return {"do": choice["do"], **{name: value_of(field) for name, field in choice.get("fields", {}).items()}}


def value_of(field: list | dict) -> object:
    if isinstance(field, list):
        return random.choice(field)
    if field["kind"] == "range":
        return random.randint(field["low"], field["high"])
    if field["kind"] == "pick":
        return random.sample(field["of"], random.randint(field["least"], min(field["most"], len(field["of"]))))
    return 0


if __name__ == "__main__":
    asyncio.run(Player(*sys.argv[1:]).run())
