"""`palatine keys`: the keys with which a server signs records."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import anyio
import typer

from palatine_client.screen_console import ScreenConsole

from ..records.key_ring import BadKeys, KeyRing
from ..records.signatures import key_id
from ..records.signing_keys import DOCUMENT, SigningKeys, decode_ring
from ..store import CannotOpen, Unavailable, milliseconds
from ..store.documents import Documents, FileDocuments
from ..store.readonly import RedisArchive

console = ScreenConsole()


def keys(rotate: bool, data: Path, store: str, durability: str) -> None:
    """Print the keys, after replacing the one in use if that is wanted."""
    try:
        ring = anyio.run(_read_ring, data, store, durability, rotate)
    except (CannotOpen, Unavailable, BadKeys) as why:
        _say(str(why) or "the store does not answer", "red")
        raise typer.Exit(2) from None
    for key in ring.keys:
        until = "in use" if key.until is None else f"until {_day(key.until)}"
        _say(f"{key_id(key.public)}  since {_day(key.since)}, {until}")
    if not ring.keys:
        _say("there are no keys yet; a server makes one when it starts")


def _say(line: str, style: str = "") -> None:
    console.print(line, style=style, markup=False, highlight=False, soft_wrap=True)


async def _read_ring(data: Path, store: str, durability: str, rotate: bool) -> KeyRing:
    if not store:
        return await _ring_of(FileDocuments(data), rotate)
    archive = await RedisArchive.at(store, durability)
    try:
        return await _ring_of(archive.documents, rotate)
    finally:
        await archive.close()


async def _ring_of(documents: Documents, rotate: bool) -> KeyRing:
    if rotate:
        return await SigningKeys(documents, milliseconds).rotate()
    stored = await documents.read(DOCUMENT)
    return KeyRing() if stored is None else decode_ring(stored)


def _day(moment: int) -> str:
    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%d %H:%M} UTC"
