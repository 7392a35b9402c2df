"""A server and a browser for tests of the web client. `make test` builds the client first."""

from collections.abc import AsyncIterator
from inspect import iscoroutinefunction
from pathlib import Path

import pytest
import pytest_asyncio
from browser.chromium import chromium
from playwright.async_api import Browser
from server_fixture import House, running

from palatine_server.web.routes.client_files import FOLDER

HERE = Path(__file__).parent
MOST_GUESTS = 10_000  # each person in a test is a new guest of the same address


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run the asynchronous tests of this folder in one event loop, in which the shared browser and server live."""
    for item in items:
        if item.path.is_relative_to(HERE) and iscoroutinefunction(getattr(item, "function", None)):
            item.add_marker(pytest.mark.asyncio(loop_scope="session"), append=False)


@pytest.fixture(scope="session", autouse=True)
def built() -> None:
    assert (FOLDER / "index.html").exists(), "the web client is not built; run `make web`"


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    """One process of the browser; each person in a test has a context of their own in it."""
    async with chromium() as browser:
        yield browser


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[House]:
    """One server for the tests of a module; its lobby shows the tables of all of them."""
    async with running(tmp_path_factory.mktemp("data"), guests_per_minute=MOST_GUESTS) as house:
        yield house
