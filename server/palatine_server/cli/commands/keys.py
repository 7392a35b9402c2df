"""`palatine keys`: list or rotate the keys with which a server signs records."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..options import DEFAULT, RECORD_PANEL, Durability, StoreDirectory, StoreUrl
from ..output import NO_ANSWER, give_up, print_line
from ..store_location import StoreLocation

if TYPE_CHECKING:
    from ...records.key_ring import KeyRing
    from ...store.documents import Documents


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(keys)


def keys(
    rotate: Annotated[bool, typer.Option("--rotate", help="Retire the key in use and make a new one.")] = False,
    data: StoreDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
) -> None:
    """List the keys with which a server signs records, or replace the key in use.

    Running servers take the new key within half a minute. Retired keys stay published, so that the records they signed
    can still be verified.
    """
    import anyio

    from ...records.key_ring import BadKeys
    from ...records.signatures import key_id
    from ...store import CannotOpen, Unavailable

    try:
        ring = anyio.run(_open_ring, StoreLocation(data, store, durability), rotate)
    except (CannotOpen, Unavailable, BadKeys) as why:
        give_up(str(why) or NO_ANSWER)
    for key in ring.keys:
        until = "in use" if key.until is None else f"until {_format_day(key.until)}"
        print_line(f"{key_id(key.public)}  since {_format_day(key.since)}, {until}")
    if not ring.keys:
        print_line("There are no keys yet; a server makes one when it starts.")


async def _open_ring(location: StoreLocation, rotate: bool) -> KeyRing:
    from ...store.documents import FileDocuments
    from ...store.readonly import RedisReadonlyStore

    if not location.url:
        return await _read_ring(FileDocuments(location.data), rotate)
    archive = await RedisReadonlyStore.at(location.url, location.durability)
    try:
        return await _read_ring(archive.documents, rotate)
    finally:
        await archive.close()


async def _read_ring(documents: Documents, rotate: bool) -> KeyRing:
    from ...records.key_ring import KeyRing
    from ...records.signing_keys import DOCUMENT, SigningKeys, decode_ring
    from ...store import milliseconds

    if rotate:
        return await SigningKeys(documents, milliseconds).rotate()
    stored = await documents.read(DOCUMENT)
    return KeyRing() if stored is None else decode_ring(stored)


def _format_day(moment: int) -> str:
    from datetime import UTC, datetime

    return f"{datetime.fromtimestamp(moment / 1000, UTC):%Y-%m-%d %H:%M} UTC"
