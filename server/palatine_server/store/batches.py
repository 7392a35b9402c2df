"""Many changes of which none is urgent, some at a time, so that whoever plays does not wait for all of them."""

from __future__ import annotations

from asyncio import gather
from collections.abc import Awaitable, Iterable
from itertools import islice
from typing import Any

SOME = 256  # far fewer than may wait for a store


async def run_in_batches(changes: Iterable[Awaitable[Any]]) -> None:
    """Carry all of them out; each should only be made when it is asked for, as by a generator."""
    waiting = iter(changes)
    while some := list(islice(waiting, SOME)):
        await gather(*some)
