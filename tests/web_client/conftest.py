"""A server and a browser for tests of the web client. `make test` builds the client first."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from browser.chromium import chromium
from playwright.async_api import Browser
from server_fixture import House, running

from palatine_server.web.routes.client_files import FOLDER


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    assert (FOLDER / "index.html").exists(), "the web client is not built; run `make web`"


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path / "data") as house:
        yield house
