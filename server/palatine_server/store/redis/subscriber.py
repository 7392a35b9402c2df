"""The subscriber: receives the hints of other nodes, as far as they arrive."""

from __future__ import annotations

import logging
from asyncio import Event, TaskGroup, get_running_loop, sleep, timeout
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from typing import Any

from redis.exceptions import RedisError

from ..contract import Unavailable
from .topology import Address, ConnectOptions, FastConnection, pack

PAUSE = 0.5  # seconds before it tries again
SILENCE = 15.0  # seconds of silence after which the connection counts as dead; it is pinged three times as often

LOG = logging.getLogger(__name__)


class Subscriber:
    """Receives messages on the channels of one primary, and reconnects when the connection breaks.

    It reports each new subscription: earlier messages of that channel are missed.
    """

    def __init__(
        self,
        address: Address,
        connect_options: ConnectOptions,
        on_message: Callable[[bytes, bytes], None],
        on_subscribed: Callable[[bytes], None],
        on_lost: Callable[[], Awaitable[None]],
    ) -> None:
        self._address, self._connect_options = address, connect_options
        self._on_message, self._on_subscribed, self._on_lost = on_message, on_subscribed, on_lost
        self._signal = Event()
        self._wanted: set[str] = set()
        self._received_at = 0.0  # when the last bytes arrived, on the loop's clock

    def set_channels(self, channels: Iterable[str]) -> None:
        """Subscribe to exactly these channels."""
        self._wanted, before = set(channels), self._wanted
        if self._wanted != before:
            self._signal.set()

    def subscribe(self, channel: str) -> None:
        """Subscribe to a channel."""
        self._wanted.add(channel)
        self._signal.set()

    def unsubscribe(self, channel: str) -> None:
        """Unsubscribe from a channel."""
        self._wanted.discard(channel)
        self._signal.set()

    async def run(self) -> None:
        """Receive until cancelled."""
        await self._signal.wait()
        while True:
            try:
                await self._receive()
            except Exception as error:  # hints may be on_lost: the log is looked at every now and then anyway
                LOG.info("the subscription at %s failed and is opened again: %r", self._address, error)
            await sleep(PAUSE)
            await self._on_lost()

    async def _receive(self) -> None:
        async with timeout(SILENCE / 3):
            connection = await self._connect_options.open_connection(self._address)
        self._received_at = get_running_loop().time()
        try:
            async with TaskGroup() as both:
                both.create_task(self._send_subscriptions(connection))
                both.create_task(self._read_messages(connection))
        finally:
            await connection.disconnect(nowait=True)

    async def _send_subscriptions(self, connection: FastConnection) -> None:
        said: set[str] = set()
        while get_running_loop().time() - self._received_at < SILENCE:
            self._signal.clear()
            wanted = set(self._wanted)
            words = [pack(("SSUBSCRIBE", channel)) for channel in wanted - said]
            words += [pack(("SUNSUBSCRIBE", channel)) for channel in said - wanted]
            await connection.send_packed_command(b"".join(words) or pack(("PING",)), check_health=False)
            said = wanted
            with suppress(TimeoutError):
                async with timeout(SILENCE / 3):
                    await self._signal.wait()
        raise Unavailable("the connection is silent")

    async def _read_messages(self, connection: FastConnection) -> None:
        loop = get_running_loop()
        while True:
            messages = await connection.replies()
            self._received_at = loop.time()
            for message in messages:
                self._handle_message(message)

    def _handle_message(self, message: Any) -> None:
        if isinstance(message, RedisError):
            raise message
        if message[0] == b"smessage":
            self._on_message(message[1], message[2])
        elif message[0] == b"ssubscribe":
            self._on_subscribed(message[1])
        elif message[0] == b"sunsubscribe" and message[1].decode() in self._wanted:
            raise Unavailable("the channel has moved to another primary")
