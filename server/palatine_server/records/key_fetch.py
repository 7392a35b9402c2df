"""Access to published keys, over HTTP or in a file; the content is untrusted."""

from __future__ import annotations

from http.client import HTTPException
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

import anyio
from anyio import to_thread

from ..http_fetch import fetch
from .key_ring import LARGEST_SET, BadKeys, KnownKeys, read_keys

PATH = "/v1/keys"
WITHIN = 10.0  # seconds for the whole answer


def fetch_keys(server: str) -> KnownKeys:
    """Return the keys that the server at this URL publishes, or raise BadKeys."""
    address = server.rstrip("/") if "://" in server else f"https://{server.rstrip('/')}"
    if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).netloc:
        raise BadKeys(f"{server} is not the address of a server; name one such as https://play.example")
    return read_keys(anyio.run(_fetch, address), address)


def read_keys_file(path: Path) -> KnownKeys:
    """Return the keys in a file that was saved from a server, or raise BadKeys."""
    try:
        with path.open("rb") as file:
            return read_keys(file.read(LARGEST_SET + 1), str(path))
    except OSError as error:
        raise BadKeys(f"{path} cannot be read: {error.strerror}") from None


async def _fetch(address: str) -> bytes:
    """Fetch in a thread and abandon it at the timeout, because a server may send one byte at a time."""
    with anyio.move_on_after(WITHIN):
        return await to_thread.run_sync(_ask, address, abandon_on_cancel=True)
    raise BadKeys(f"{address} did not answer within {WITHIN:.0f} seconds")


def _ask(address: str) -> bytes:
    try:
        return fetch(f"{address}{PATH}", LARGEST_SET + 1, WITHIN)
    except HTTPError as error:
        error.close()
        raise BadKeys(f"{address} publishes no keys at {PATH}: it answered {error.code}") from None
    except URLError as error:
        why = error.reason.strerror if isinstance(error.reason, OSError) else None
        raise BadKeys(f"{address} does not answer{f': {why}' if why else ''}") from None
    except (OSError, HTTPException, ValueError):
        raise BadKeys(f"{address} gave an unreadable answer; check that it is a Palatine server") from None
