"""What a newer server may send: unknown keys, unknown messages and news, and fields of an unknown kind."""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from ..scripted_server import TABLE, ScriptedServer, Verdict
from ..socket_server import ClientConnection, Message

SURPRISE: dict[str, Any] = {"kind": "surprise", "list": [1, None, {"deep": True}]}


class UnknownKeys(ScriptedServer):
    """Every message has keys that the client does not know."""

    name = "unknown-keys"
    title = "Unknown keys in every message"
    judged = ("unknown-keys",)

    async def send(self, line: ClientConnection, message: Message) -> None:
        message = {"a_key_of_tomorrow": SURPRISE, **deepcopy(message), "zz_tomorrow": "yes"}
        if message.get("offer"):
            message["offer"]["tomorrow"] = SURPRISE
            for choice in message["offer"]["choices"]:
                choice["tomorrow"] = SURPRISE
        for item in (*(message.get("waiting") or []), *(message.get("news") or [])):
            item["tomorrow"] = SURPRISE
        await super().send(line, message)

    def judge(self) -> Iterator[Verdict]:
        yield Verdict("unknown-keys", self.why_unfinished())


class UnknownMessages(ScriptedServer):
    """Messages and news of unknown types come in between."""

    name = "unknown-messages"
    title = "Messages and news of unknown types"
    judged = ("unknown-messages",)

    async def send(self, line: ClientConnection, message: Message) -> None:
        await line.send({"type": "weather_report", "table": TABLE, "version": 10_000, "re": "nobody", "offer": None})
        if message["type"] == "update":
            message = {**message, "news": [*message.get("news", []), {"news": "comet_seen", "tail": SURPRISE}]}
        await super().send(line, message)

    def judge(self) -> Iterator[Verdict]:
        again = f"the client connected {len(self.lines)} times" if len(self.lines) > 1 else ""
        yield Verdict("unknown-messages", self.why_unfinished() or again)


class UnknownFieldKinds(ScriptedServer):
    """Each offer begins with a choice whose field is of a kind that does not exist yet."""

    name = "unknown-field-kinds"
    title = "A choice with a field of an unknown kind"
    judged = ("unknown-field-kinds",)

    def __init__(self) -> None:
        super().__init__()
        self.dreams = 0  # actions of the unknown choice

    async def send(self, line: ClientConnection, message: Message) -> None:
        if message.get("offer") and message["offer"]["choices"]:
            strange = {"do": "dream", "fields": {"depth": {"kind": "spiral", "turns": 3}}}
            choices = [strange, *message["offer"]["choices"]]
            message = {**message, "offer": {**message["offer"], "choices": choices}}
        await super().send(line, message)

    async def on_act(self, line: ClientConnection, request: Message) -> None:
        if isinstance(request.get("action"), dict) and request["action"].get("do") == "dream":
            self.dreams += 1
            self.finished.set()
        await super().on_act(line, request)

    def judge(self) -> Iterator[Verdict]:
        dreamt = "the client chose it" if self.dreams else ""
        yield Verdict("unknown-field-kinds", dreamt or self.why_unfinished())


SCENARIOS = (UnknownKeys, UnknownMessages, UnknownFieldKinds)
