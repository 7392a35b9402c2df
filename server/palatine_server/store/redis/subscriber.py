"""The ear: hears the hints of other nodes, as far as they arrive."""

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
SILENCE = 15.0  # seconds without a word after which the connection is dead; it is pinged three times as often

LOG = logging.getLogger(__name__)


class Subscriber:
    """Hears what is published on the channels of one primary; a connection that breaks is made anew.

    It says which channel it begins to hear: what was said there before is missed.
    """

    def __init__(
        self,
        address: Address,
        manner: ConnectOptions,
        heard: Callable[[bytes, bytes], None],
        begun: Callable[[bytes], None],
        lost: Callable[[], Awaitable[None]],
    ) -> None:
        self._address, self._manner, self._heard, self._begun, self._lost = address, manner, heard, begun, lost
        self._bell = Event()
        self._wanted: set[str] = set()
        self._heard_at = 0.0  # when it last heard anything at all, on the loop's clock

    def tune(self, channels: Iterable[str]) -> None:
        """Hear these channels and no others."""
        self._wanted, before = set(channels), self._wanted
        if self._wanted != before:
            self._bell.set()

    def listen(self, channel: str) -> None:
        """Hear this channel too."""
        self._wanted.add(channel)
        self._bell.set()

    def ignore(self, channel: str) -> None:
        """Hear this channel no longer."""
        self._wanted.discard(channel)
        self._bell.set()

    async def run(self) -> None:
        """Hear until cancelled."""
        await self._bell.wait()
        while True:
            try:
                await self._hear()
            except Exception as error:  # hints may be lost: the log is looked at every now and then anyway
                LOG.info("%s is not heard: %r", self._address, error)
            await sleep(PAUSE)
            await self._lost()

    async def _hear(self) -> None:
        async with timeout(SILENCE / 3):
            connection = await self._manner.connected(self._address)
        self._heard_at = get_running_loop().time()
        try:
            async with TaskGroup() as both:
                both.create_task(self._say_what_is_wanted(connection))
                both.create_task(self._take_down(connection))
        finally:
            await connection.disconnect(nowait=True)

    async def _say_what_is_wanted(self, connection: FastConnection) -> None:
        said: set[str] = set()
        while get_running_loop().time() - self._heard_at < SILENCE:
            self._bell.clear()
            wanted = set(self._wanted)
            words = [pack(("SSUBSCRIBE", channel)) for channel in wanted - said]
            words += [pack(("SUNSUBSCRIBE", channel)) for channel in said - wanted]
            await connection.send_packed_command(b"".join(words) or pack(("PING",)), check_health=False)
            said = wanted
            with suppress(TimeoutError):
                async with timeout(SILENCE / 3):
                    await self._bell.wait()
        raise Unavailable("the connection is silent")

    async def _take_down(self, connection: FastConnection) -> None:
        loop = get_running_loop()
        while True:
            messages = await connection.replies()
            self._heard_at = loop.time()
            for message in messages:
                self._take_in(message)

    def _take_in(self, message: Any) -> None:
        if isinstance(message, RedisError):
            raise message
        if message[0] == b"smessage":
            self._heard(message[1], message[2])
        elif message[0] == b"ssubscribe":
            self._begun(message[1])
        elif message[0] == b"sunsubscribe" and message[1].decode() in self._wanted:
            raise Unavailable("the channel has moved to another primary")
