"""Updates that are lost, doubled or damaged, and a table that goes back: the client finds out and heals itself."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy

from ..scripted_server import ScriptedServer, Verdict
from ..socket_server import ClientConnection, Message

MISSING = "no_such_key_anywhere"


def is_without_from(request: Message) -> bool:
    """Return whether a `watch` asks for a snapshot."""
    return request.get("from") is None


class Gap(ScriptedServer):
    """One update never arrives."""

    name = "gap"
    title = "An update is lost"
    judged = ("gap",)

    def __init__(self) -> None:
        super().__init__()
        self.good = 0  # the version before the lost update
        self.asked: list[Message] = []  # each `watch` after the loss

    async def push(self, update: Message) -> None:
        if not self.good and len(self.acts) == 1 and "news" not in update:
            self.good = update["version"] - 1
            return
        await super().push(update)

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        if self.good:
            self.asked.append(request)
        await super().on_watch(line, request)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("gap", self._why_not())

    def _why_not(self) -> str:
        if not self.good:
            return self.why_unfinished()
        if not self.asked:
            return f"version {self.good + 1} was lost, and the client went on without it"
        named = self.asked[0].get("from")
        wrong = f"the client had version {self.good}, but sent `from`: {named}" if named != self.good else ""
        return wrong or self.why_unfinished()


class Doubled(ScriptedServer):
    """Every update arrives twice."""

    name = "doubled"
    title = "Every update comes twice"
    judged = ("doubled",)

    def __init__(self) -> None:
        super().__init__()
        self.repeated = 0  # actions for an offer that had its answer

    async def push(self, update: Message) -> None:
        await super().push(update)
        await super().push(update)

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        answered = (self.table.offer or {}).get("id", 0)
        self.repeated += isinstance(request.get("offer"), int) and request["offer"] < answered
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        again = "the client asked for a table that it had" if len(self.all_received("watch")) > 1 else ""
        twice = "the client acted twice on one offer" if self.repeated else ""
        yield Verdict("doubled", self.why_unfinished() or twice or again)


class DamagedUpdate(ScriptedServer):
    """An update has a digest that does not fit; a later one a patch that cannot be applied."""

    name = "damaged"
    title = "A digest that differs, and a patch that does not fit"
    judged = ("damaged",)

    def __init__(self) -> None:
        super().__init__()
        self.damages: list[tuple[str, int]] = []  # what was damaged, and how many messages had come until then
        self.healed: list[str] = []

    async def push(self, update: Message) -> None:
        step = len(self.acts), len(self.damages)
        if "board" in update and step in {(1, 0), (3, 1)}:
            kind = "the digest" if step == (1, 0) else "a patch"
            self.damages.append((kind, len(self.all_received())))
            update = deepcopy(update)
            if kind == "the digest":
                update["digest"] ^= 1
            else:
                update["board"] = [[[MISSING, "deeper"], 1]]
        await super().push(update)

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        if len(self.damages) > len(self.healed) and is_without_from(request):
            self.healed.append(self.damages[-1][0])
        await super().on_watch(line, request)

    def judge(self) -> Iterator[Verdict]:
        unhealed = [kind for kind, _ in self.damages if kind not in self.healed]
        why = f"{unhealed[0]} was wrong, and the client sent no `watch` without `from`" if unhealed else ""
        yield Verdict("damaged", why or self.why_unfinished())


class GoesBack(ScriptedServer):
    """The table goes back to an earlier version with another history, and goes on from there."""

    name = "goes-back"
    title = "A snapshot that is older than the client's version"
    judged = ("snapshot-any-time",)

    def __init__(self) -> None:
        super().__init__()
        self.went_back = False
        self.watches = 0  # after that

    async def push(self, update: Message) -> None:
        await super().push(update)
        if not self.went_back and len(self.acts) == 2 and "round_began" in str(update.get("news")):
            self.went_back = True
            self.table.go_back(2)
            await super().push(self.table.snapshot())

    async def on_watch(self, line: ClientConnection, request: Message) -> None:
        self.watches += self.went_back
        await super().on_watch(line, request)

    def judge(self) -> Iterator[Verdict]:
        again = "the client did not take the snapshot, and had to ask for another" if self.watches else ""
        yield Verdict("snapshot-any-time", self.why_unfinished() or again)


SCENARIOS = (Gap, Doubled, DamagedUpdate, GoesBack)
