"""Guest tokens, requested over HTTP with the standard library, and the URLs of a server."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from urllib.parse import urlsplit, urlunsplit

import msgspec
from msgspec import Struct

from .exceptions import Disconnected, RequestRefused

WEBSOCKET_SCHEMES = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
HTTP_SCHEMES = {"ws": "http", "wss": "https", "http": "http", "https": "https"}
HTTP_TIMEOUT = 10.0  # seconds


class Guest(Struct, frozen=True):
    """A guest user and the token that identifies them."""

    token: str
    user: str
    name: str
    expires: int  # seconds since 1970


class HttpRefusal(msgspec.Struct):
    """The body of a refusal over HTTP, as far as this client needs it."""

    code: str
    sentence: str


async def create_guest(url: str, name: str = "", token: str = "") -> Guest:
    """Create a guest of this name; with a valid token, renew the token of the same user instead."""
    request = urllib.request.Request(  # noqa: S310 (the scheme is ours)
        build_url(url, HTTP_SCHEMES, "/v1/guests"),
        json.dumps({"name": name}).encode(),
        {"content-type": "application/json"},
    )
    if token:
        request.add_header("authorization", f"Bearer {token}")
    return msgspec.json.decode(await asyncio.to_thread(send_request, request), type=Guest)


def send_request(request: urllib.request.Request) -> bytes:
    """Send an HTTP request and return the body of the response; raise a refusal."""
    try:
        with urllib.request.urlopen(request, timeout=HTTP_TIMEOUT) as response:  # noqa: S310
            return bytes(response.read())
    except urllib.error.HTTPError as error:
        with error:
            raise _http_refusal(error.code, error.read()) from None
    except OSError as error:
        raise Disconnected(0, f"There is no server at {request.full_url}: {error}") from None


def _http_refusal(status: int, body: bytes) -> RequestRefused:
    try:
        refused = msgspec.json.decode(body, type=HttpRefusal)
    except msgspec.DecodeError:
        refused = HttpRefusal(str(status), f"HTTP status {status}")
    return RequestRefused(refused.code, refused.sentence)


def is_secure(url: str) -> bool:
    return url.startswith(("wss://", "https://"))


def build_url(url: str, schemes: dict[str, str], path: str) -> str:
    """Return the URL of a path on a server; `ws://` and `http://` addresses mean the same server."""
    parts = urlsplit(url if "://" in url else f"ws://{url}")
    if parts.scheme not in schemes:
        raise Disconnected(0, f"{url} is not the address of a server; try ws://localhost:8080.")
    return urlunsplit(
        (schemes[parts.scheme], parts.netloc, parts.path.removesuffix("/").removesuffix("/v1/ws") + path, "", "")
    )
