"""`palatine keys`: the keys with which a server signs records."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import anyio
import typer

from palatine_client.screen_console import ScreenConsole

from ..settings import Settings
from ..store import CannotOpen, Unavailable, milliseconds
from ..store.archive import RedisArchive
from ..store.documents import Documents, FileDocuments
from .key_ring import BadKeys, KeyRing
from .signatures import key_id
from .signing_keys import DOCUMENT, SigningKeys, decode_ring

DEFAULT = Settings()
console = ScreenConsole()


def keys(
    rotate: Annotated[bool, typer.Option("--rotate", help="Retire the key in use and make another.")] = False,
    data: Annotated[
        Path, typer.Option(help="The data directory of a server, running or not.", envvar="PALATINE_DATA")
    ] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")] = DEFAULT.store,
    durability: Annotated[
        str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")
    ] = DEFAULT.durability,
) -> None:
    """List the keys with which a server signs records, or replace the key in use.

    Servers that run take the new key within half a minute. Retired keys stay published, so that what they signed can
    still be verified.
    """
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
