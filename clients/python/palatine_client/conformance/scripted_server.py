"""A scripted server: it keeps one table of the lantern game for one client, and notes everything that the client does.

A scenario is a subclass that changes one part. It answers HTTP as far as clients need it to begin: guests and games.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from time import monotonic
from typing import Any, ClassVar, NamedTuple

import msgspec

from palatine_protocol.offers import Choice, permits

from .lantern_game import NAME, LanternTable
from .socket_server import ClientConnection, Message, Received, SocketServer

TOKEN = "palatine_conformance"  # noqa: S105 (no secret: it opens nothing but the scripted server)
USER, TABLE = "conformanceuser1", "conformancetable"
HEARTBEAT = 5  # seconds
HELLO_WITHIN = 5.0
REQUESTS = {
    "hello",
    "ping",
    "list_tables",
    "create",
    "sit",
    "leave",
    "add_bot",
    "remove_bot",
    "ready",
    "contribute",
} | {"start", "watch", "unwatch", "act"}


class Verdict(NamedTuple):
    """What a scenario found out about one check; without a reason, the client passed."""

    check: str
    why_not: str = ""


class ScriptedServer:
    """The server of one run of the client; the default is a server that behaves well."""

    name: ClassVar = "greeting"
    title: ClassVar = "The server behaves well"
    seconds: ClassVar = 20.0  # for the whole run
    judged: ClassVar[tuple[str, ...]] = ()  # the checks that this scenario decides

    def __init__(self) -> None:
        self.socket = SocketServer(self.on_open, self.on_request, self.on_http)
        self.table = LanternTable(TABLE)
        self.watching: ClientConnection | None = None
        self.replies: dict[str, tuple[Message, Message]] = {}  # requests and their first replies, by id
        self.finished = asyncio.Event()  # nothing more is to be learnt
        self.acts: list[Message] = []  # that were carried out
        self._is_host = False

    @property
    def url(self) -> str:
        return f"ws://127.0.0.1:{self.socket.port}"

    @property
    def lines(self) -> list[ClientConnection]:
        return self.socket.lines

    async def stop(self) -> None:
        """Stop what the scenario has started besides its own address."""

    # Judging

    def judge(self) -> Iterator[Verdict]:
        """Return the verdicts of this scenario."""
        raise NotImplementedError

    def all_received(self, kind: str = "") -> list[Received]:
        """Return the client's messages of a kind, over all lines, in order."""
        return [item for line in self.lines for item in line.received if not kind or item.message["type"] == kind]

    def why_unfinished(self) -> str:
        """Return why the client did not get to the end of the game; empty if it did."""
        if self.table.is_over:
            return ""
        if not self.lines:
            return "the client never connected"
        if not self.all_received("hello"):
            return "the client never said hello"
        if self.table.seat is None:
            return "the client never took a seat: it sends `create` or `list_tables`, then `sit` and `start`"
        last = self.all_received()[-1].message["type"]
        return f"the game was not played to its end: the client's last message was `{last}`"

    # The life of a line

    async def on_open(self, line: ClientConnection) -> None:
        """Note a new line."""

    async def on_request(self, line: ClientConnection, request: Message) -> None:
        """Answer one request; a repeated one gets its first reply again."""
        known = self.replies.get(str(request.get("id")))
        if known is not None and request["type"] != "hello":
            await line.send(known[1] if known[0] == request else self.refuse(request, "request_id_reused"))
            return
        answer = getattr(self, f"on_{request['type']}", None) if request["type"] in REQUESTS else None
        if answer is None:
            await line.send(self.refuse(request, "not_now"))
        else:
            await answer(line, request)

    async def reply(self, line: ClientConnection, request: Message, kind: str, **fields: Any) -> None:
        """Send the reply to a request, and remember it."""
        reply = {"type": kind, "re": request.get("id"), **fields}
        self.replies[str(request.get("id"))] = request, reply
        await self.send(line, reply)

    def refuse(self, request: Message, code: str, **more: Any) -> Message:
        return {"type": "refused", "re": request.get("id", ""), "code": code, "sentence": f"Refused: {code}.", **more}

    async def send(self, line: ClientConnection, message: Message) -> None:
        """Send a message; scenarios change what is sent here."""
        await line.send(message)

    async def push(self, update: Message) -> None:
        """Send an update to the client, if it watches."""
        if self.watching is not None:
            await self.send(self.watching, update)

    # Requests

    async def on_hello(self, line: ClientConnection, request: Message) -> None:
        """Welcome the client, and send what it missed."""
        await self.send(line, {"type": "welcome", "re": request.get("id"), **self.welcome()})
        for table, version in (request.get("resume") or {}).items():
            await self.resume(line, table, version, (request.get("forks") or {}).get(table))

    def welcome(self) -> Message:
        now = time.time()
        return {
            "user": USER,
            "name": "Conform",
            "server": "palatine-conform/1",
            "heartbeat": HEARTBEAT,
            "largest_frame": 16_384,
            "token_expires": int(now) + 86_400,
            "time": int(1000 * now),
        }

    async def resume(self, line: ClientConnection, table: str, version: Any, fork: Any) -> None:
        """Send the missed updates or a snapshot, and then `resumed`."""
        if table != self.table.id or self.table.seat is None:
            await line.send({"type": "lost", "table": table, "code": "no_such_table", "sentence": "No such table."})
            return
        self.watching = line
        await self.catch_up(line, version, fork)
        snapshot = self.table.snapshot()
        fields = ("table", "version", "seat", "digest", "info_digest", "fork")
        await self.send(line, {"type": "resumed", **{name: snapshot[name] for name in fields}})

    async def catch_up(self, line: ClientConnection, version: Any, fork: Any) -> None:
        """Send the missed updates, or a snapshot if the client has none of them or another history."""
        is_known = isinstance(version, int) and 0 < version <= self.table.version
        is_ours = fork is None or str(fork).startswith(f"f{self.table.history}v")
        for message in self.table.missed(version) if is_known and is_ours else [self.table.snapshot()]:
            await self.send(line, message)

    async def on_ping(self, line: ClientConnection, request: Message) -> None:
        await self.send(line, {"type": "pong", "re": request.get("id")})

    async def on_list_tables(self, line: ClientConnection, request: Message) -> None:
        names = [None if sitting is None else sitting["name"] for sitting in self.table.info["seats"]]
        row = {
            "table": TABLE,
            "game": NAME,
            "status": self.table.info["status"],
            "visibility": "public",
            "seats": names,
        }
        await self.reply(line, request, "tables", tables=[{**row, "host": "Conform", "created": 1}])

    async def on_create(self, line: ClientConnection, request: Message) -> None:
        self._is_host = True
        seats = request.get("seats")
        self.table = LanternTable(TABLE, seats if isinstance(seats, int) and 2 <= seats <= 7 else 2, self.table.rounds)
        await self.reply(line, request, "created", table=TABLE)

    async def on_sit(self, line: ClientConnection, request: Message) -> None:
        if self.table.seat is not None:
            await line.send(self.refuse(request, "already_seated"))
            return
        self.table.seat = 0
        version = self.table.take_seat(0, "Conform", host=self._is_host)["version"]
        await self.reply(line, request, "done", table=TABLE, version=version, seat=0)
        await self.push(self.table.snapshot())  # now the client sees the table from its seat
        if not self._is_host:
            await self.fill_and_start()

    async def on_add_bot(self, line: ClientConnection, request: Message) -> None:
        free = [seat for seat, sitting in enumerate(self.table.info["seats"]) if sitting is None and seat]
        if not free:
            await line.send(self.refuse(request, "no_seat_free"))
            return
        update = self.table.take_seat(free[0], f"Bot {free[0] + 1}", bot=True, policy="random")
        await self.done(line, request, update, seat=free[0])

    async def on_start(self, line: ClientConnection, request: Message) -> None:
        if self.table.board is not None or self.table.seat is None:
            await line.send(self.refuse(request, "already_started" if self.table.board else "seats_empty"))
            return
        await self.fill_seats()
        await self.done(line, request, self.table.start())

    async def fill_and_start(self) -> None:
        """Seat the others and begin, as the host of a table that the client has joined does."""
        await self.fill_seats()
        await self.push(self.table.start())

    async def fill_seats(self) -> None:
        for seat, sitting in enumerate(self.table.info["seats"]):
            if sitting is None:
                await self.push(self.table.take_seat(seat, f"Bot {seat + 1}", bot=True, policy="random"))

    async def done(self, line: ClientConnection, request: Message, update: Message, **more: Any) -> None:
        await self.reply(line, request, "done", table=TABLE, version=update["version"], **more)
        await self.push(update)

    async def on_ready(self, line: ClientConnection, request: Message) -> None:
        await self.reply(line, request, "done", table=TABLE, version=self.table.version)

    on_leave = on_contribute = on_remove_bot = on_ready

    async def on_unwatch(self, line: ClientConnection, request: Message) -> None:
        self.watching = None
        await self.reply(line, request, "done", table=TABLE, version=self.table.version)

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        if request.get("table") != self.table.id:
            await line.send(self.refuse(request, "no_such_table"))
            return
        self.watching = line
        table = self.table
        reply = {"table": table.id, "version": table.version, "seat": table.seat, "fork": table.fork()}
        await self.send(line, {"type": "watching", "re": request.get("id"), **reply})
        await self.catch_up(line, request.get("from"), request.get("fork"))

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        """Carry out an action that is on offer."""
        if why := self.why_not(request):
            await line.send(self.refuse(request, why))
            return
        self.acts.append(request)
        updates = self.table.answer(request["action"])
        await self.done(line, request, updates[0])
        for update in updates[1:]:
            await self.push(update)
        if self.table.is_over:
            self.finished.set()

    def why_not(self, request: Message) -> str:
        """Return the code with which an action is refused; empty if it is on offer."""
        offer = self.table.offer
        if offer is None or self.table.is_over:
            return "game_over"
        if request.get("offer") != offer["id"]:
            return "stale_offer"
        try:
            choices = [msgspec.convert(choice, Choice) for choice in offer["choices"]]
            return "" if permits(choices, request["action"]) else "not_offered"
        except (msgspec.ValidationError, KeyError, TypeError, AttributeError):
            return "malformed"

    # HTTP

    def on_http(self, method: str, path: str) -> Any:
        """Return the answer to an HTTP request; None if there is no such address."""
        bare = path.partition("?")[0]
        guest = {"token": TOKEN, "user": USER, "name": "Conform", "expires": int(time.time()) + 86_400}
        game = {"name": NAME, "title": "Lanterns of Nowhere", "players": [2, 7], "options": {}, "policies": ["random"]}
        answers: dict[tuple[str, str], Any] = {
            ("POST", "/v1/guests"): guest,
            ("GET", "/v1/games"): {"games": [game]},
            ("GET", f"/v1/games/{NAME}"): {**game, "catalog": {}, "description": {}},
            ("GET", "/v1/tables"): {"tables": []},
        }
        return answers.get(
            (method, bare), answers[("GET", f"/v1/games/{NAME}")] if bare.startswith("/v1/games/") else None
        )


def now() -> float:
    """Return the time on the clock of the lines."""
    return monotonic()
