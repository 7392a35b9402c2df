"""Servers for client tests: a real one, a relay before it, and a scripted one."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from clients.relay import Relay, Scripted, relay, scripted
from server_fixture import House, running


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A real server in this process."""
    async with running(tmp_path) as house:
        yield house


@pytest.fixture
async def lossy(house: House) -> AsyncIterator[Relay]:
    """A relay before the real server."""
    async with relay(house.socket) as lossy:
        yield lossy


@pytest.fixture
async def script() -> AsyncIterator[Scripted]:
    """A server that says what the test makes it say."""
    async with scripted() as script:
        yield script
