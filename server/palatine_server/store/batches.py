"""Batches for many changes that are not urgent, so that requests of players need not wait behind all of them."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Awaitable, Iterable
from itertools import islice
from typing import Any

SOME = 256  # far fewer than may wait for a store


async def run_in_batches(changes: Iterable[Awaitable[Any]]) -> None:
    """Await all changes, a batch at a time; pass a generator, so that each is created only when its batch starts."""
    waiting = iter(changes)
    while some := list(islice(waiting, SOME)):
        await gather(*some)
