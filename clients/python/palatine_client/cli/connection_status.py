"""Whether the connection holds, for people who wait."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ..connection import Connection

BRIEF = 0.25  # seconds; a loss that is shorter nobody needs to hear of


async def follow_connection_status(connection: Connection) -> AsyncIterator[bool]:
    """False whenever the connection is lost, true when it is back."""
    held = True
    async for _ in connection.follow_connectivity():
        await asyncio.sleep(BRIEF)
        if connection.is_connected != held:
            held = connection.is_connected
            yield held
