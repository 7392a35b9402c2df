"""Goodbyes: when to come back, where, and when not to."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from time import monotonic
from typing import ClassVar

from ..scripted_server import ScriptedServer, Verdict
from ..socket_server import WEBSOCKET, ClientConnection, Message, SocketServer

WAIT_MS = 1_000
EARLY = 0.9  # part of the time that a client must at least wait, as clocks differ
WATCHED_FOR = 4.0  # seconds in which a client that must stay away is watched
REASON = "The server says goodbye."


class Goodbye(ScriptedServer):
    """The server restarts, and says when to come back."""

    name = "bye"
    title = "The server restarts and says when to come back"
    judged = ("bye-waits",)

    def __init__(self) -> None:
        super().__init__()
        self.closed_at = 0.0

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        await super().on_act(line, request)
        if not self.closed_at and len(self.acts) == 2:
            await self.say_goodbye(line)

    async def say_goodbye(self, line: ClientConnection) -> None:
        """Close the line with 1012."""
        self.watching = None
        await line.send({"type": "bye", "code": 1012, "reason": REASON, "reconnect_in_ms": WAIT_MS, **self.elsewhere()})
        self.closed_at = monotonic()
        await line.close(1012)

    def elsewhere(self) -> Message:
        return {}

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("bye-waits", self._why_early() or self.why_unfinished())

    def _why_early(self) -> str:
        if not self.closed_at or len(self.lines) < 2:
            return self.why_unfinished() or "the client did not come back"
        waited = self.lines[1].opened_at - self.closed_at
        is_early = waited < EARLY * WAIT_MS / 1000
        return f"the client came back after {1000 * waited:.0f} ms instead of {WAIT_MS}" if is_early else ""


class ByeElsewhere(Goodbye):
    """The server sends the client to another address."""

    name = "bye-elsewhere"
    title = "The server sends the client to another address"
    judged = ("bye-elsewhere",)

    def __init__(self) -> None:
        super().__init__()
        self.other = SocketServer(self.on_open, self.on_request, self.on_http)

    def elsewhere(self) -> Message:
        return {"reconnect_to": f"ws://127.0.0.1:{self.other.port}{WEBSOCKET}"}

    async def say_goodbye(self, line: ClientConnection) -> None:
        await self.other.__aenter__()
        await super().say_goodbye(line)

    async def stop(self) -> None:
        if self.other.port:
            await self.other.__aexit__()

    def judge(self) -> Iterator[Verdict]:
        came = "" if self.other.lines else "the client did not try the address in `reconnect_to`"
        yield Verdict("bye-elsewhere", came if self.closed_at else self.why_unfinished())


class UnknownCode(Goodbye):
    """The line is closed with a code that does not exist yet."""

    name = "unknown-close-code"
    title = "A close code that does not exist yet"
    judged = ("unknown-codes",)

    async def say_goodbye(self, line: ClientConnection) -> None:
        self.watching = None
        self.closed_at = monotonic()
        await line.close(4999)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("unknown-codes", self.why_unfinished())


class StayAway(ScriptedServer):
    """The line is closed with a code after which a client must not come back by itself."""

    judged = ("stays-away",)
    seconds = 20.0
    code: ClassVar = 4010

    def __init__(self) -> None:
        super().__init__()
        self.closed_at = 0.0

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        await super().on_act(line, request)
        if not self.closed_at and len(self.acts) == 1:
            self.watching = None
            await line.send({"type": "bye", "code": self.code, "reason": REASON})
            self.closed_at = monotonic()
            await line.close(self.code)
            asyncio.get_running_loop().call_later(WATCHED_FOR, self.finished.set)

    def judge(self) -> Iterator[Verdict]:
        came = sum(1 for line in self.lines if line.opened_at > self.closed_at)
        why = f"after {self.code} the client connected {came} times again" if self.closed_at and came else ""
        yield Verdict("stays-away", why or ("" if self.closed_at else self.why_unfinished()))


def build_stay_away(code: int) -> type[StayAway]:
    """Return the scenario of one close code."""
    fields = {"name": f"stay-away-{code}", "title": f"A line that is closed with {code}", "code": code}
    return type(f"StayAway{code}", (StayAway,), fields)


SCENARIOS: tuple[type[ScriptedServer], ...] = (
    Goodbye,
    ByeElsewhere,
    UnknownCode,
    *map(build_stay_away, (4002, 4005, 4010)),
)
