"""A server that behaves well: whatever a client gets wrong here, it gets wrong by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..scripted_server import HELLO_WITHIN, ScriptedServer, Verdict
from ..socket_server import ClientConnection, Message

ID = re.compile(r"[!-~]{1,64}")
TOO_BIG = 1009  # the close code of a client that refuses a large frame


class WellBehaved(ScriptedServer):
    """The client greets, takes a seat and plays to the end."""

    name = "well-behaved"
    title = "The server behaves well"
    judged = (
        "hello-first",
        "id-form",
        "id-unique",
        "readable",
        "plays",
        "offer-number",
        "applies-patches",
        "answers-pings",
    )

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[str] = []  # the codes of refused actions

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        await super().on_watch(line, request)
        await line.ping()

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        if why := self.why_not(request):
            self.refused.append(why)
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("hello-first", self._why_not_greeted())
        yield Verdict("id-form", self._why_bad_ids())
        yield Verdict("id-unique", self._why_reused())
        yield Verdict("readable", next((problem for line in self.lines for problem in line.problems), ""))
        yield Verdict("plays", self.why_unfinished() or self._why_refused("not_offered", "malformed"))
        yield Verdict("offer-number", self.why_unfinished() or self._why_refused("stale_offer"))
        watches = len(self.all_received("watch"))
        again = f"nothing was lost, but the client sent `watch` {watches} times" if watches > 1 else ""
        yield Verdict("applies-patches", self.why_unfinished() or again)
        is_deaf = not any(line.pongs for line in self.lines)
        yield Verdict("answers-pings", "the client answered no ping at websocket level" if is_deaf else "")

    def _why_not_greeted(self) -> str:
        if not self.lines:
            return "the client never connected"
        for line in self.lines:
            first = line.received[0] if line.received else None
            if first is None or first.message["type"] != "hello":
                return f"the first message was {first.message['type'] if first else 'never sent'}"
            if first.at - line.opened_at > HELLO_WITHIN:
                return f"`hello` came after {first.at - line.opened_at:.1f} seconds"
        return ""

    def _why_bad_ids(self) -> str:
        for _, message in self.all_received():
            if not isinstance(message.get("id"), str) or not ID.fullmatch(message["id"]):
                return f"`{message['type']}` has the id {message.get('id')!r}"
        return "" if self.lines else "the client never connected"

    def _why_reused(self) -> str:
        seen: dict[str, Message] = {}
        for _, message in self.all_received():
            if seen.setdefault(str(message.get("id")), message) != message:
                return f"the id {message.get('id')!r} was used for two requests"
        return "" if self.lines else "the client never connected"

    def _why_refused(self, *codes: str) -> str:
        found = [code for code in self.refused if code in codes]
        return f"an action was refused with `{found[0]}`" if found else ""


class LargeSnapshot(ScriptedServer):
    """The snapshot has almost 1 MiB."""

    name = "large-snapshot"
    title = "A snapshot of almost 1 MiB"
    judged = ("large-snapshot",)

    async def on_open(self, line: ClientConnection) -> None:
        if TOO_BIG in (earlier.goodbye for earlier in self.lines):
            self.finished.set()

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        if self.table.board is not None:
            self.table.board["filler"] = ["lantern " * 125] * 1000
        await super().on_watch(line, request)

    async def fill_and_start(self) -> None:
        await super().fill_and_start()
        await self._grow()

    async def on_start(self, line: ClientConnection, request: Message) -> None:
        await super().on_start(line, request)
        await self._grow()

    async def _grow(self) -> None:
        """Let the board grow, and send it whole to a client that watches already."""
        if self.table.board is not None:
            self.table.change(board={**self.table.board, "filler": ["lantern " * 125] * 1000})
            await self.push(self.table.snapshot())

    def judge(self) -> Iterator[Verdict]:
        is_refused = TOO_BIG in (line.goodbye for line in self.lines)
        why_not = f"the client refused the snapshot: it closed the line with {TOO_BIG}" if is_refused else ""
        yield Verdict("large-snapshot", why_not or self.why_unfinished())


class SlowLine(ScriptedServer):
    """The line is slow: a snapshot takes seconds."""

    name = "slow-line"
    title = "A line of a few hundred bytes per second"
    seconds = 60.0
    judged = ("slow-line",)

    async def on_open(self, line: ClientConnection) -> None:
        line.seconds_per_chunk = 0.05

    def judge(self) -> Iterator[Verdict]:
        again = f"the client connected {len(self.lines)} times instead of waiting" if len(self.lines) > 1 else ""
        yield Verdict("slow-line", self.why_unfinished() or again)


SCENARIOS = (WellBehaved, LargeSnapshot, SlowLine)
