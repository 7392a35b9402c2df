"""Who we are at a server, kept between runs for our viewed_seat only."""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from ..exceptions import RequestRefused
from ..guest_tokens import Guest, create_guest

RENEW_BEFORE = 7 * 86_400  # seconds that a token should still be good for
UNKNOWN_TOKEN_CODES = {"bad_token", "token_expired"}


def identity_file(server: str, role: str = "guest") -> Path:
    """Where our identity at a server is kept."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    parts = urlsplit(server if "://" in server else f"ws://{server}")
    return home / "palatine" / f"{clean_name(parts.netloc + parts.path)}.{clean_name(role)}.json"


def clean_name(name: str) -> str:
    """A name that can stand in a file name."""
    return re.sub(r"[^\w.-]+", "_", name).strip("_.")


def load_identity(path: Path) -> Guest | None:
    """The identity that is kept there, if it is one and still good."""
    with suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(path.read_bytes(), type=Guest)
        return known if known.expires > time.time() else None
    return None


async def get_identity(server: str, path: Path, name: str = "") -> Guest:
    """The identity that is kept for a server, made or renewed if need be, under a new name if one is given."""
    known = load_identity(path)
    if known and not has_new_name(known, name) and known.expires - time.time() > RENEW_BEFORE:
        return known
    return await create_identity(server, path, name, known)


def has_new_name(known: Guest, name: str) -> bool:
    return bool(name) and name != known.name


async def create_identity(server: str, path: Path, name: str, known: Guest | None = None) -> Guest:
    """A new guest, or the one we know with a fresh token; either way it is kept."""
    try:
        fresh = await create_guest(server, name, known.token if known else "")
    except RequestRefused as refused:
        if known is None or refused.code not in UNKNOWN_TOKEN_CODES:
            raise
        fresh = await create_guest(server, name or known.name)
    write_private(path, msgspec.json.encode(fresh))
    return fresh


def write_private(path: Path, content: bytes) -> None:
    """Write beside and move, so that nobody else ever reads it and nobody reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    beside.replace(path)
