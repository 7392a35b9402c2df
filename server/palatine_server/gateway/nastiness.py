"""Nastiness: the server does what the protocol allows and a careless client does not expect, for tests of clients.

`palatine serve --nasty` adds unknown keys and messages, changes the order of keys, loses, doubles and delays updates,
loses replies with their connection, and says goodbye at any time. All of it follows from the seed and the order of the
frames. What the server stores is never touched.
"""

from __future__ import annotations

from asyncio import get_running_loop
from collections import deque
from collections.abc import Callable
from random import Random
from typing import Any, Protocol

import msgspec

from palatine_protocol.errors import Close

LOST, DOUBLED, STRANGE = 0.02, 0.05, 0.1  # parts of the updates, and of all messages that an unknown one precedes
CUT, BYE = 0.004, 0.004  # parts of all messages after which the connection breaks, or the server says goodbye
DELAYED, LONGEST_DELAY = 0.1, 0.05  # part of the messages, and seconds
SURPRISE: dict[str, Any] = {"kind": "of_tomorrow", "values": [None, 1, {"deep": []}]}


class Cuttable(Protocol):
    """A connection that can be ended."""

    def cut(self) -> None: ...

    def end_soon(self, code: Close, reconnect_in_ms: int | None = None) -> None: ...


class Nastiness:
    """Makes the connections of one server nasty, each in its own way."""

    def __init__(self, seed: int) -> None:
        self._seed, self._count = seed, 0

    def wrap(self, connection: Cuttable, send: Callable[[bytes], None], *, is_text: bool) -> Callable[[bytes], None]:
        """Return a function that sends messages over this connection in a nasty way."""
        self._count += 1
        random = Random(f"{self._seed} {self._count}")  # noqa: S311 (not for secrets)
        return NastySender(connection, send, random, is_text=is_text).send


class NastySender:
    """Sends the messages of one connection."""

    def __init__(self, connection: Cuttable, send: Callable[[bytes], None], random: Random, *, is_text: bool) -> None:
        self._connection, self._send, self._random = connection, send, random
        kind: Any = msgspec.json if is_text else msgspec.msgpack
        self._encode, self._decode = kind.Encoder().encode, kind.Decoder().decode
        self._waiting: deque[bytes] = deque()  # frames behind a delayed one; the client's own requests bound them

    def send(self, frame: bytes) -> None:
        """Send a frame now or a little later, or lose it."""
        if self._waiting:
            self._waiting.append(frame)
        elif self._random.random() < DELAYED:
            self._waiting.append(frame)
            get_running_loop().call_later(self._random.uniform(0, LONGEST_DELAY), self._send_waiting)
        else:
            self._send_changed(frame)

    def _send_waiting(self) -> None:
        while self._waiting:
            self._send_changed(self._waiting.popleft())

    def _send_changed(self, frame: bytes) -> None:
        message = self._decode(frame)
        kind = message.get("type")
        if self._random.random() < STRANGE:
            self._send(self._encode({"type": "message_of_tomorrow", "table": message.get("table"), "news": SURPRISE}))
        if kind == "update" and self._random.random() < LOST:
            return
        changed = self._encode(self._decorate(message))
        if kind != "welcome" and self._random.random() < CUT:  # also in place of a reply, which is then lost
            get_running_loop().call_soon(self._connection.cut)
            return
        self._send(changed)
        if kind == "update" and self._random.random() < DOUBLED:
            self._send(changed)
        if kind not in {"welcome", "bye"} and self._random.random() < BYE:
            wait = self._random.randrange(500)
            get_running_loop().call_soon(lambda: self._connection.end_soon(Close.RESTART, wait))

    def _decorate(self, message: dict[str, Any]) -> dict[str, Any]:
        """Return the message with unknown keys, and its keys in another order."""
        for item in (*(message.get("news") or []), *(message.get("waiting") or [])):
            item["of_tomorrow"] = SURPRISE
        items = [*message.items(), ("key_of_tomorrow", SURPRISE)]
        self._random.shuffle(items)
        return dict(items)
