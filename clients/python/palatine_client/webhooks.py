"""Webhooks: the registration of URLs that a server notifies, and the verification of a notification's signature."""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import json
import time
import urllib.request
from urllib.parse import quote

import msgspec
from msgspec import Struct

from .exceptions import RequestRefused
from .guest_tokens import HTTP_SCHEMES, build_url, send_request

MAX_AGE = 300  # seconds after which a notification is rejected as too old
NO_WEBHOOK = "no_webhook"


class Webhook(Struct, frozen=True):
    """A registered webhook; `secret` is set only after `put`, and a table's `url` only for the user who set it."""

    expires: int  # seconds since 1970
    url: str = ""
    secret: str = ""
    yours: bool = True


class Webhooks:
    """The webhooks of a user: their own, or that of a table if one is named."""

    def __init__(self, server: str, token: str) -> None:
        self._server, self._token = server, token

    async def put(self, url: str, table: str | None = None) -> Webhook:
        """Register a URL and return the webhook with its secret, which the server shows only once."""
        body = await self._ask("PUT", table, json.dumps({"url": url}).encode())
        return msgspec.json.decode(body, type=Webhook)

    async def get(self, table: str | None = None) -> Webhook | None:
        """Return the webhook without its secret, or None if there is none."""
        try:
            return msgspec.json.decode(await self._ask("GET", table), type=Webhook)
        except RequestRefused as refused:
            if refused.code != NO_WEBHOOK:
                raise
            return None

    async def remove(self, table: str | None = None) -> None:
        """Remove the webhook."""
        await self._ask("DELETE", table)

    async def _ask(self, method: str, table: str | None, body: bytes | None = None) -> bytes:
        path = "/v1/webhook" if table is None else f"/v1/tables/{quote(table, safe='')}/webhook"
        request = urllib.request.Request(build_url(self._server, HTTP_SCHEMES, path), body, method=method)  # noqa: S310 (the scheme is ours)
        request.add_header("authorization", f"Bearer {self._token}")
        return await asyncio.to_thread(send_request, request)


def is_genuine(header: str, body: bytes, secret: str, now: float | None = None) -> bool:
    """Return whether the server sent a body with this `Palatine-Signature` within the last five minutes."""
    try:
        parts = dict(part.split("=", 1) for part in header.split(","))
        sent, given = int(parts["t"]), parts["v1"]
    except (ValueError, KeyError):
        return False
    expected = hmac.new(secret.encode(), b"%d." % sent + body, hashlib.sha256).hexdigest()
    is_fresh = abs((time.time() if now is None else now) - sent) < MAX_AGE
    return is_fresh and hmac.compare_digest(expected.encode(), given.encode())
