"""Lines that break: the client comes back, names what it has, and sends again what got no reply."""

from __future__ import annotations

from collections.abc import Iterator

from ..scripted_server import TABLE, ScriptedServer, Verdict
from ..socket_server import ClientConnection, Message

REFUSED_FOR = 4.0  # seconds
MOST_ATTEMPTS = 14  # in that time; a client whose limit doubles from a tenth of a second makes about eight


class Cut(ScriptedServer):
    """The line breaks between two moves, and the client misses updates."""

    name = "cut"
    title = "The line breaks without a word"
    judged = ("reconnects", "resume-version", "resume-fork")

    def __init__(self) -> None:
        super().__init__()
        self.good = 0  # the last version that the client got
        self.fork = ""

    async def push(self, update: Message) -> None:
        if not self.good and len(self.acts) == 2 and self.watching is not None:
            await super().push(update)
            self.good, self.fork = update["version"], update["fork"]
            await self.watching.ping()  # the answer says that the update has arrived
            self.watching.cut()
            self.watching = None
            return
        await super().push(update)

    @property
    def hello(self) -> Message | None:
        """The first `hello` after the break."""
        later = (item.message for line in self.lines[1:] for item in line.received)
        return next((message for message in later if message["type"] == "hello"), None)

    def judge(self) -> Iterator[Verdict]:
        away = "" if self.hello else "the client did not come back"
        yield Verdict("reconnects", away or self.why_unfinished())
        named = (self.hello or {}).get("resume", {}).get(TABLE)
        acceptable = {self.good, self.good - 1}  # the last update may have been cut off with the line
        wrong = "" if named in acceptable else f"the client had version {self.good}, but `resume` named {named}"
        yield Verdict("resume-version", away or wrong)
        fork = (self.hello or {}).get("forks", {}).get(TABLE)
        yield Verdict("resume-fork", away or ("" if fork else "`hello.forks` did not name the fork"))


class LostRequest(ScriptedServer):
    """The line breaks when an action has been sent, and before its reply."""

    name = "lost-request"
    title = "The line breaks before the reply to an action"
    judged = ("resend-same-id",)

    def __init__(self) -> None:
        super().__init__()
        self.lost: Message | None = None
        self.next: Message | None = None  # the action after it

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        if self.lost is None and len(self.acts) == 2:
            self.lost, self.watching = request, None
            line.cut()
            return
        if self.lost is not None and self.next is None:
            self.next = request
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("resend-same-id", self._why_not() or self.why_unfinished())

    def _why_not(self) -> str:
        if self.lost is None:
            return self.why_unfinished()
        if self.next is None:
            return "the client did not send the action again"
        if self.next["id"] != self.lost["id"]:
            return f"the action came again with another id: {self.next['id']!r} instead of {self.lost['id']!r}"
        return "" if self.next == self.lost else "the action came again under its id, but changed"


class Unreachable(ScriptedServer):
    """The server breaks every line for some seconds, and then serves again."""

    name = "unreachable"
    title = "A server that breaks every line for four seconds"
    judged = ("backs-off",)
    seconds = 40.0

    def __init__(self) -> None:
        super().__init__()
        self.since = 0.0

    async def on_open(self, line: ClientConnection) -> None:
        if self.since and line.opened_at - self.since < REFUSED_FOR:
            line.cut()
        if self.count_attempts() > MOST_ATTEMPTS:
            self.finished.set()

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        await super().on_act(line, request)
        if not self.since and len(self.acts) == 1:
            line.cut()
            self.since, self.watching = line.closed_at, None

    def count_attempts(self) -> int:
        """Return how often the client connected while the server broke every line."""
        return sum(self.since < line.opened_at < self.since + REFUSED_FOR for line in self.lines) if self.since else 0

    def judge(self) -> Iterator[Verdict]:
        attempts = self.count_attempts()
        hurry = f"the client connected {attempts} times within {REFUSED_FOR:.0f} seconds"
        yield Verdict("backs-off", hurry if attempts > MOST_ATTEMPTS else self.why_unfinished())


SCENARIOS = (Cut, LostRequest, Unreachable)
