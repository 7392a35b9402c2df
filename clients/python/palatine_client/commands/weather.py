"""Whether the connection holds, for people who wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ..connection import Connection
from ..session import State

LOOK = 0.25  # seconds between two looks; what is shorter nobody needs to hear of


async def weather(connection: Connection) -> AsyncIterator[bool]:
    """False whenever the connection is lost, true when it is back."""
    held = True
    while True:
        await asyncio.sleep(LOOK)
        holds = connection.session.state is State.WELCOMED
        if holds != held:
            yield holds
        held = holds
