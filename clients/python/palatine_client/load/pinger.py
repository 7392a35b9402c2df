"""The pinger: it pings the server at a fixed pace, without waiting for replies, and times each reply."""

from __future__ import annotations

import asyncio
from time import perf_counter

from palatine_protocol.messages import AnyReply, Ping

from .counters import Counters
from .load_client import LoadClient
from .partial_messages import PartialUpdate

MOST_PENDING = 1_000  # pings without a reply; at the limit, no ping is sent


class Pinger:
    """One connection that sends only pings."""

    def __init__(self, client: LoadClient, interval: float, counters: Counters) -> None:
        self._client, self._interval, self.counters = client, interval, counters
        self._sent: dict[str, float] = {}
        client.listener = self

    async def run(self) -> None:
        """Ping until cancelled."""
        while not self._client.end_code:
            if len(self._sent) < MOST_PENDING:
                ping = Ping(id=self._client.next_id())
                self._sent[ping.id] = perf_counter()
                self._client.send(ping)
            await asyncio.sleep(self._interval)

    def on_reply(self, client: LoadClient, reply: AnyReply) -> None:
        sent = self._sent.pop(reply.re, None)
        if sent is not None:
            self.counters.pings.add(perf_counter() - sent)

    def on_update(self, client: LoadClient, update: PartialUpdate, size: int) -> None:
        """Ignore the update: this connection watches no table."""

    def on_lost(self, client: LoadClient, code: str) -> None:
        self.counters.note_error(code)
