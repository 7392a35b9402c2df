"""Sending: one attempt to bring an event to its user. Of the answer only the status is read; nothing is followed."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import anyio
import h11
from anyio.abc import ByteStream

from .registrations import Hook
from .signatures import HEADER, signature
from .url_policy import Address, Forbidden, Places, Target

Outcome = Literal["delivered", "rejected", "failed", "forbidden"]

PATIENCE = 5.0  # seconds for an attempt, from the name of the host to the status
ADDRESSES = 3  # of one host that are tried
MOST_BYTES = 16 * 1024  # of an answer, up to its status
LATER = (408, 425, 429)  # besides those from 500 on: statuses that ask us to try again
FAILURES = (OSError, UnicodeError, h11.ProtocolError, anyio.BrokenResourceError, anyio.EndOfStream)


class Sender:
    """Brings bodies to hooks."""

    def __init__(
        self,
        places: Places,
        clock: Callable[[], int],
        tls: ssl.SSLContext | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self.places, self._clock, self._patience = places, clock, patience
        self._tls = tls or ssl.create_default_context()

    async def send(self, hook: Hook, body: bytes) -> Outcome:
        """Try once; an attempt that failed may be made again."""
        try:
            with anyio.fail_after(self._patience):
                return meaning(await self._post(hook, body))
        except Forbidden:
            return "forbidden"
        except FAILURES:  # also when it took too long
            return "failed"

    async def _post(self, hook: Hook, body: bytes) -> int:
        target = self.places.target(hook.url)
        stream = await self._connected(target, await self.places.addresses(target))
        try:
            return await spoken(stream, request(target, hook.secret, body, self._clock() // 1000), body)
        finally:
            await anyio.aclose_forcefully(stream)

    async def _connected(self, target: Target, addresses: list[Address]) -> ByteStream:
        """A connection to an address that was examined, with a certificate for the host that was meant."""
        *others, last = addresses[:ADDRESSES]
        for address in others:
            with suppress(OSError):
                return await self._connect(target, address)
        return await self._connect(target, last)

    async def _connect(self, target: Target, address: Address) -> ByteStream:
        if target.scheme == "http":
            return await anyio.connect_tcp(str(address), target.port)
        return await anyio.connect_tcp(
            str(address),
            target.port,
            ssl_context=self._tls,
            tls_standard_compatible=False,
            tls_hostname=target.host,
        )


def meaning(status: int) -> Outcome:
    """What a status says: a redirect is as good as a no."""
    if 200 <= status < 300:
        return "delivered"
    return "failed" if status >= 500 or status in LATER else "rejected"


def request(target: Target, secret: str, body: bytes, at: int) -> h11.Request:
    headers = {
        "Host": target.authority,
        "User-Agent": "palatine/0.1",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        HEADER: signature(secret, body, at),
    }
    return h11.Request(method="POST", target=target.path, headers=list(headers.items()))


async def spoken(stream: ByteStream, asked: h11.Request, body: bytes) -> int:
    """Send a request, and read the status of the answer."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_BYTES)
    sent = (http.send(event) for event in (asked, h11.Data(data=body), h11.EndOfMessage()))
    await stream.send(b"".join(part or b"" for part in sent))
    while not isinstance(event := http.next_event(), h11.Response):
        if event is h11.NEED_DATA:
            http.receive_data(await stream.receive())
    return event.status_code
