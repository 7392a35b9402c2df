"""Delivery: one HTTP POST of an event to its URL. Only the status of the response is read; redirects are refused."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

import anyio
import h11
from anyio.abc import ByteStream

from .registrations import Registration
from .signatures import HEADER, sign_body
from .url_policy import Address, ForbiddenUrl, Target, UrlPolicy

DeliveryOutcome = Literal["delivered", "rejected", "failed", "forbidden"]

TIMEOUT = 5.0  # seconds for one attempt, from the DNS lookup to the status
MOST_ADDRESSES = 3  # addresses of one host that one attempt tries
MOST_BYTES = 16 * 1024  # bytes of the response head
RETRIED = (408, 425, 429)  # statuses below 500 that ask for another attempt
FAILURES = (OSError, UnicodeError, h11.ProtocolError, anyio.BrokenResourceError, anyio.EndOfStream)


class WebhookSender:
    """Posts signed bodies to the URLs of registrations."""

    def __init__(
        self,
        url_policy: UrlPolicy,
        clock: Callable[[], int],
        tls: ssl.SSLContext | None = None,
        timeout: float = TIMEOUT,
    ) -> None:
        self.url_policy, self._clock, self._timeout = url_policy, clock, timeout
        self._tls = tls or ssl.create_default_context()

    async def send(self, registration: Registration, body: bytes) -> DeliveryOutcome:
        """Make one attempt and return its outcome; the caller may repeat only a failed attempt."""
        try:
            with anyio.fail_after(self._timeout):
                return classify_status(await self._post(registration, body))
        except ForbiddenUrl:
            return "forbidden"
        except FAILURES:  # a timeout is an OSError
            return "failed"

    async def _post(self, registration: Registration, body: bytes) -> int:
        target = self.url_policy.parse_url(registration.url)
        stream = await self._connect_to_any(target, await self.url_policy.resolve(target))
        try:
            request = build_request(target, registration.secret, body, self._clock() // 1000)
            return await send_request(stream, request, body)
        finally:
            await anyio.aclose_forcefully(stream)

    async def _connect_to_any(self, target: Target, addresses: list[Address]) -> ByteStream:
        """Connect to one of the checked addresses; the certificate must still be for the host in the URL."""
        *others, last = addresses[:MOST_ADDRESSES]
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


def classify_status(status: int) -> DeliveryOutcome:
    """Return the outcome that a status means; a redirect counts as a rejection."""
    if 200 <= status < 300:
        return "delivered"
    return "failed" if status >= 500 or status in RETRIED else "rejected"


def build_request(target: Target, secret: str, body: bytes, at: int) -> h11.Request:
    """Return the head of the POST request, with the signature of its body."""
    headers = {
        "Host": target.authority,
        "User-Agent": "palatine/0.1",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        HEADER: sign_body(secret, body, at),
    }
    return h11.Request(method="POST", target=target.path, headers=list(headers.items()))


async def send_request(stream: ByteStream, request: h11.Request, body: bytes) -> int:
    """Send a request and return the status of its response."""
    http = h11.Connection(h11.CLIENT, max_incomplete_event_size=MOST_BYTES)
    sent = (http.send(event) for event in (request, h11.Data(data=body), h11.EndOfMessage()))
    await stream.send(b"".join(part or b"" for part in sent))
    while not isinstance(event := http.next_event(), h11.Response):
        if event is h11.NEED_DATA:
            http.receive_data(await stream.receive())
    return event.status_code
