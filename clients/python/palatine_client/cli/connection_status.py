"""The status of the connection, with short interruptions left out."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

from ..connection import Connection

BRIEF = 0.25  # seconds; shorter interruptions are not reported


async def follow_connection_status(connection: Connection) -> AsyncIterator[bool]:
    """Yield False when the connection is lost, and True when it is restored."""
    held = True
    async for _ in connection.follow_connectivity():
        await asyncio.sleep(BRIEF)
        if connection.is_connected != held:
            held = connection.is_connected
            yield held
