"""The door of the house: one address for all nodes, as a load balancer has it, on which connections can be cut.

A connection is cut after a few more bytes in either direction, so that frames, replies and requests break anywhere.
"""

from __future__ import annotations

import asyncio
from asyncio import StreamReader, StreamWriter
from contextlib import suppress
from random import Random

LARGEST_CUT = 600  # bytes that still pass
CHUNK = 65536
NODE_WITHIN, TRY_AGAIN = 8.0, 0.05  # seconds


class Visit:
    """One connection through the door."""

    def __init__(self) -> None:
        self.left: int | None = None  # bytes until it is cut

    def passed(self, words: bytes) -> bytes:
        """What of these bytes still passes."""
        if self.left is None:
            return words
        through, self.left = words[: self.left], self.left - len(words)
        return through

    @property
    def is_cut(self) -> bool:
        return self.left is not None and self.left <= 0


class Door:
    """A way to any node that listens: `async with Door(ports, Random(1)) as door`."""

    def __init__(self, nodes: list[int], rng: Random) -> None:
        self._nodes, self._rng = nodes, rng
        self._visits: dict[Visit, asyncio.Task[None]] = {}
        self.url = ""

    async def __aenter__(self) -> Door:
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0, backlog=1024)
        self.url = f"ws://127.0.0.1:{self._listening.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *raised: object) -> None:
        self._listening.close()
        for task in list(self._visits.values()):
            task.cancel()
        await asyncio.gather(*self._visits.values(), return_exceptions=True)

    def cut(self, share: float) -> None:
        """Cut this share of the connections, each a few bytes from now; some at once."""
        for visit in [visit for visit in self._visits if self._rng.random() < share]:
            visit.left = self._rng.choice([0, self._rng.randrange(LARGEST_CUT)])
            if visit.is_cut:
                self._visits[visit].cancel()

    def _accept(self, reader: StreamReader, writer: StreamWriter) -> None:
        visit = Visit()
        task = self._visits[visit] = asyncio.create_task(self._carry(visit, reader, writer))
        task.add_done_callback(lambda _: self._end(visit, writer))

    def _end(self, visit: Visit, writer: StreamWriter) -> None:
        """Also if it was cut before it began."""
        self._visits.pop(visit, None)
        writer.transport.abort()

    async def _carry(self, visit: Visit, reader: StreamReader, writer: StreamWriter) -> None:
        try:
            away, back = await self._some_node()
        except TimeoutError:
            return  # no node is there: whoever knocks is sent away
        ways = [asyncio.create_task(pump(visit, reader, back)), asyncio.create_task(pump(visit, away, writer))]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            back.transport.abort()

    async def _some_node(self) -> tuple[StreamReader, StreamWriter]:
        """Any node that listens, tried in any order; while there is none, one is waited for."""
        async with asyncio.timeout(NODE_WITHIN):
            while True:
                for port in self._rng.sample(self._nodes, len(self._nodes)):
                    with suppress(OSError):
                        return await asyncio.open_connection("127.0.0.1", port)
                await asyncio.sleep(TRY_AGAIN)


async def pump(visit: Visit, reader: StreamReader, writer: StreamWriter) -> None:
    """Pass on what comes, until there is no more or the connection is cut."""
    try:
        while words := await reader.read(CHUNK):
            writer.write(visit.passed(words))
            await writer.drain()
            if visit.is_cut:
                return
    except OSError:
        return
