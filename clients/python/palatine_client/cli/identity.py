"""The user's identity on each server, saved in a file that only they can read."""

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

RENEW_BEFORE = 7 * 86_400  # seconds before a token expires
UNKNOWN_TOKEN_CODES = {"bad_token", "token_expired"}


def identity_file(server: str, role: str = "guest") -> Path:
    """Return the path of the file with the identity on a server."""
    home = Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config")
    parts = urlsplit(server if "://" in server else f"ws://{server}")
    return home / "palatine" / f"{clean_name(parts.netloc + parts.path)}.{clean_name(role)}.json"


def clean_name(name: str) -> str:
    """Return the name with the characters replaced that are not safe in a file name."""
    return re.sub(r"[^\w.-]+", "_", name).strip("_.")


def load_identity(path: Path) -> Guest | None:
    """Return the identity in a file, or None if there is none or it has expired."""
    with suppress(OSError, msgspec.DecodeError):
        known = msgspec.json.decode(path.read_bytes(), type=Guest)
        return known if known.expires > time.time() else None
    return None


async def get_identity(server: str, path: Path, name: str = "") -> Guest:
    """Return the saved identity; create, renew or rename it if necessary."""
    known = load_identity(path)
    if known and not has_new_name(known, name) and known.expires - time.time() > RENEW_BEFORE:
        return known
    return await create_identity(server, path, name, known)


def has_new_name(known: Guest, name: str) -> bool:
    return bool(name) and name != known.name


async def create_identity(server: str, path: Path, name: str, known: Guest | None = None) -> Guest:
    """Create a guest, or renew the token of a known one, and save the identity."""
    try:
        fresh = await create_guest(server, name, known.token if known else "")
    except RequestRefused as refused:
        if known is None or refused.code not in UNKNOWN_TOKEN_CODES:
            raise
        fresh = await create_guest(server, name or known.name)
    write_private(path, msgspec.json.encode(fresh))
    return fresh


def write_private(path: Path, content: bytes) -> None:
    """Write a file atomically, readable only by its owner."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(content)
    beside.replace(path)
