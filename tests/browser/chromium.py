"""A real Chromium for tests, driven by Playwright.

This is Playwright for Python, with Debian's Chromium instead of its own download. Tests of web pages share the process
and the fixtures of the servers they use. Its locators wait by themselves, which tests of a whole web client need.
Selenium would add a second process (chromedriver) and would not wait; playwright-core would add a second test runner in
JavaScript; a CDP client of our own would grow into a worse Playwright.
"""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, async_playwright

FLAGS = [
    "--no-sandbox",  # tests run as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-features=LocalNetworkAccessChecks",  # a prompt of the browser itself, which nobody could answer
    "--allow-running-insecure-content",  # a page over https may try to reach us without TLS: we must refuse it
    "--host-resolver-rules=MAP *.example 127.0.0.1, MAP *.internal 127.0.0.1",  # names without DNS
]


def chromium_path() -> str:
    """Return the path of the browser; tests fail without one, they are never skipped."""
    path = os.environ.get("PALATINE_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    assert path, "no Chromium was found; run `make test`, which installs one, or set PALATINE_CHROMIUM to its path"
    return path


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run a headless Chromium with a new profile."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium_path(), args=FLAGS)
        try:
            yield browser
        finally:
            await browser.close()


@asynccontextmanager
async def open_context(browser: Browser) -> AsyncIterator[BrowserContext]:
    """Open a browser context with an empty profile that accepts every certificate."""
    context = await browser.new_context(ignore_https_errors=True)
    try:
        yield context
    finally:
        await context.close()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *given: Any) -> None:
        pass


@contextmanager
def page_server(folder: Path) -> Iterator[int]:
    """Serve the pages of a folder on this machine, and yield the port."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
