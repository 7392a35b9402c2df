"""Refusals that mean later, and an offer that somebody else has answered."""

from __future__ import annotations

from collections.abc import Iterator

from ..scripted_server import ScriptedServer, Verdict, now
from ..socket_server import ClientConnection, Message

WAIT_MS = 800
EARLY = 0.9  # part of the time that a client must at least wait, as clocks differ


class TryLater(ScriptedServer):
    """An action gets `too_fast` with a time, and a later one `try_again`."""

    name = "try-later"
    title = "`too_fast` with a time to wait, and `try_again`"
    judged = ("retry-later", "resend-unchanged")

    def __init__(self) -> None:
        super().__init__()
        self.refused: list[tuple[str, float, Message]] = []
        self.again: dict[str, tuple[float, Message]] = {}  # the next action after each refusal

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        if self.refused and self.refused[-1][0] not in self.again:
            self.again[self.refused[-1][0]] = now(), request
        step = len(self.acts), len(self.refused)
        if step in {(1, 0), (2, 1)}:
            code = "too_fast" if step == (1, 0) else "try_again"
            self.refused.append((code, now(), request))
            await line.send(self.refuse(request, code, retry_after_ms=WAIT_MS))
            return
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("retry-later", self._why_early() or self.why_unfinished())
        yield Verdict("resend-unchanged", self._why_changed() or self.why_unfinished())

    def _why_early(self) -> str:
        for code, at, _ in self.refused:
            waited = self.again[code][0] - at if code in self.again else None
            if waited is None:
                return f"after `{code}` the client sent no action any more"
            if waited < EARLY * WAIT_MS / 1000:
                return f"after `{code}` the client waited {1000 * waited:.0f} ms instead of {WAIT_MS}"
        return ""

    def _why_changed(self) -> str:
        for code, _, request in self.refused:
            if code == "try_again" and code in self.again and self.again[code][1] != request:
                return "after `try_again` the client sent another request or another id"
        return ""


class StaleOffer(ScriptedServer):
    """The clock answers an offer just before the client does."""

    name = "stale-offer"
    title = "An offer that the clock has answered"
    judged = ("stale-offer",)

    def __init__(self) -> None:
        super().__init__()
        self.stale: Message | None = None
        self.next: Message | None = None  # the action after it

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        if self.stale is not None and self.next is None:
            self.next = request
        if self.stale is None and len(self.acts) == 1 and not self.why_not(request):
            self.stale = request
            self.acts.append(request)  # the clock's
            for update in self.table.answer(request["action"]):
                await self.push(update)
            await line.send(self.refuse(request, "stale_offer"))
            return
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        repeated = self.next is not None and self.stale is not None and self.next["offer"] == self.stale["offer"]
        why = "the client answered the same offer again" if repeated else ""
        yield Verdict("stale-offer", why or self.why_unfinished())


SCENARIOS = (TryLater, StaleOffer)
