"""The same load as `palatine load --saturate --at-once 1`, in the protocols of all competitors.

At every table the seats act in turn; the next one acts when all four have seen what the last one did.
"""

from __future__ import annotations

import asyncio
import json
import sys
import urllib.request
from abc import abstractmethod
from secrets import token_hex
from time import perf_counter, process_time

import msgspec
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from palatine_client.load.counters import Counters
from palatine_client.load.plan import Plan
from palatine_client.load.report import Report, ServerReport
from palatine_client.load.server_processes import ServerProcesses

SEATS = 4


class Seat(WSListener):
    """A connection of a player at a table."""

    def __init__(self, table: Table, number: int) -> None:
        self.table, self.number = table, number
        self.is_ready = asyncio.Event()
        self.transport: WSTransport

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    @abstractmethod
    async def arrive(self, port: int) -> None:
        """Take the seat."""

    @abstractmethod
    def act(self) -> None:
        """Add one."""


class Table:
    """Four seats, one action at a time."""

    def __init__(self, kind: type[Seat], counters: Counters) -> None:
        self.counters = counters
        self.seats = [kind(self, number) for number in range(SEATS)]
        self.name = token_hex(8)
        self._turn = self._seen = 0
        self._sent = 0.0

    async def open(self, port: int) -> None:
        for seat in self.seats:
            await seat.arrive(port)
            await seat.is_ready.wait()

    def go_on(self) -> None:
        self._seen, self._sent = 0, perf_counter()
        self._turn = (self._turn + 1) % SEATS
        self.seats[self._turn].act()

    def seen(self, size: int) -> None:
        """A seat has seen the action."""
        self._seen += 1
        self.counters.updates += 1
        self.counters.bytes += size + (2 if size < 126 else 4)
        if self._seen == SEATS:
            self.counters.note_delay(perf_counter() - self._sent)
            self.go_on()


class Colyseus(Seat):
    """A seat in a room of Colyseus."""

    JOIN, DATA, STATE, PATCH = 10, 13, 14, 15
    ADD = bytes([DATA, 0xA3]) + b"add"

    async def arrive(self, port: int) -> None:
        way = f"joinById/{self.table.name}" if self.number else "create/counter"
        seat = await asyncio.to_thread(post, f"http://127.0.0.1:{port}/matchmake/{way}")
        room, session = seat["room"], seat["sessionId"]
        self.table.name = room["roomId"]
        where = f"ws://127.0.0.1:{port}/{room['processId']}/{room['roomId']}?sessionId={session}"
        await ws_connect(lambda: self, where)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        if frame.msg_type is not WSMsgType.BINARY:
            return
        match frame.get_payload_as_bytes()[0]:
            case self.PATCH:
                self.table.seen(frame.payload_size)
            case self.JOIN:
                transport.send(WSMsgType.BINARY, bytes([self.JOIN]))
            case self.STATE:
                self.is_ready.set()

    def act(self) -> None:
        self.transport.send(WSMsgType.BINARY, self.ADD)


class BoardgameIo(Seat):
    """A seat at a match of boardgame.io, which speaks socket.io."""

    state = 0

    async def arrive(self, port: int) -> None:
        await ws_connect(lambda: self, f"ws://127.0.0.1:{port}/socket.io/?EIO=4&transport=websocket")

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        text = frame.get_payload_as_bytes()
        if text.startswith(b'42/counter,["update"'):
            self._note_state(text)
            self.table.seen(frame.payload_size)
        elif text.startswith(b'42/counter,["sync"'):
            self._note_state(text)
            self.is_ready.set()
        elif text.startswith(b"40/counter"):
            self._say(["sync", self.table.name, str(self.number), None, SEATS])
        elif text.startswith(b"0"):
            self._send("40/counter,")
        elif text == b"2":
            self._send("3")

    def _note_state(self, text: bytes) -> None:
        """An action names the state it was made for; another is refused."""
        _, _, rest = text.partition(b'"_stateID":')
        self.state = int(rest[: rest.index(b",")].rstrip(b"}"))

    def act(self) -> None:
        move = {"type": "add", "args": [], "playerID": str(self.number)}
        self._say(["update", {"type": "MAKE_MOVE", "payload": move}, self.state, self.table.name, str(self.number)])

    def _say(self, words: list[object]) -> None:
        self._send(f"42/counter,{msgspec.json.encode(words).decode()}")

    def _send(self, text: str) -> None:
        self.transport.send(WSMsgType.TEXT, text.encode())


class Baseline(Seat):
    """A seat at the bare Python server."""

    ADD = bytes(90)  # a little longer than ours

    async def arrive(self, port: int) -> None:
        await ws_connect(lambda: self, f"ws://127.0.0.1:{port}/{self.table.name}")
        self.is_ready.set()

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        self.table.seen(frame.payload_size)

    def act(self) -> None:
        self.transport.send(WSMsgType.BINARY, self.ADD)


def post(url: str) -> dict[str, object]:
    request = urllib.request.Request(url, b"{}", {"content-type": "application/json"}, method="POST")
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


KINDS: dict[str, type[Seat]] = {"colyseus": Colyseus, "boardgame.io": BoardgameIo, "baseline": Baseline}


async def play(kind: type[Seat], port: int, plan: Plan, server: ServerProcesses) -> Report:
    """Play for a while, and count."""
    counters = Counters()
    tables = [Table(kind, counters) for _ in range(plan.tables)]
    for table in tables:
        await table.open(port)
    for table in tables:
        table.go_on()
    await asyncio.sleep(plan.warmup)
    counters = Counters(connections=plan.connections)
    for table in tables:
        table.counters = counters
    server.begin()
    since, busy = perf_counter(), process_time()
    await asyncio.sleep(plan.seconds)
    counters.seconds = perf_counter() - since
    counters.busy = (process_time() - busy) / counters.seconds
    return Report.of(plan, counters, ServerReport.of(server, counters.rate))


def main(name: str, port: str, tables: str, warmup: str, seconds: str, *pids: str) -> None:
    times = {"warmup": float(warmup), "seconds": float(seconds)}
    plan = Plan(
        url=f"http://127.0.0.1:{port}",
        game="counter",
        tables=int(tables),
        players=SEATS,
        at_once=1,
        has_probe=False,
        **times,
    )
    server = ServerProcesses(int(pid) for pid in pids if pid.isdecimal())
    report = uvloop.run(play(KINDS[name], int(port), plan, server))
    sys.stdout.write(msgspec.json.encode(report).decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
