"""Webhooks: where a user, or a table of his, is told whose turn it is; and whether what comes there is genuine."""

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

MAX_AGE = 300  # seconds after which what was sent is too old to be believed
NO_WEBHOOK = "no_webhook"


class Webhook(Struct, frozen=True):
    """Where it is told; the secret is known only when it was just made, the address of a table's only to its owner."""

    expires: int  # seconds since 1970
    url: str = ""
    secret: str = ""
    yours: bool = True


class Webhooks:
    """The webhooks of somebody whom a server knows by his token: his own, and with a table that of the table."""

    def __init__(self, server: str, token: str) -> None:
        self._server, self._token = server, token

    async def put(self, url: str, table: str | None = None) -> Webhook:
        """Be told there from now on; keep the secret."""
        body = await self._ask("PUT", table, json.dumps({"url": url}).encode())
        return msgspec.json.decode(body, type=Webhook)

    async def get(self, table: str | None = None) -> Webhook | None:
        """The webhook as it is now, without its secret; None if there is none."""
        try:
            return msgspec.json.decode(await self._ask("GET", table), type=Webhook)
        except RequestRefused as refused:
            if refused.code != NO_WEBHOOK:
                raise
            return None

    async def remove(self, table: str | None = None) -> None:
        """Be told no longer."""
        await self._ask("DELETE", table)

    async def _ask(self, method: str, table: str | None, body: bytes | None = None) -> bytes:
        path = "/v1/webhook" if table is None else f"/v1/tables/{quote(table, safe='')}/webhook"
        request = urllib.request.Request(build_url(self._server, HTTP_SCHEMES, path), body, method=method)  # noqa: S310 (the scheme is ours)
        request.add_header("authorization", f"Bearer {self._token}")
        return await asyncio.to_thread(send_request, request)


def is_genuine(header: str, body: bytes, secret: str, now: float | None = None) -> bool:
    """Whether a body with this `Palatine-Signature` was sent by the server, and just now."""
    try:
        parts = dict(part.split("=", 1) for part in header.split(","))
        sent, given = int(parts["t"]), parts["v1"]
    except (ValueError, KeyError):
        return False
    expected = hmac.new(secret.encode(), b"%d." % sent + body, hashlib.sha256).hexdigest()
    is_fresh = abs((time.time() if now is None else now) - sent) < MAX_AGE
    return is_fresh and hmac.compare_digest(expected.encode(), given.encode())
