"""Scraping: the figures of this process, on a port of their own.

They are not on the port that players use: a proxy on the same machine makes everybody look like a neighbour, so an
address proves nothing there. Who reaches this port may read them, and by default that is this machine only.

Each of several workers takes one of as many ports, from the one that is set upwards. One that finds none free tries
again: when workers are replaced, the old one still has it for a while.
"""

from __future__ import annotations

import logging
import socket
from asyncio import get_running_loop
from contextlib import suppress
from functools import partial

import anyio
import uvicorn
from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from uvicorn.server import ServerState

from ..gateway.http_protocol import HttpProtocol
from ..metrics import Metrics
from ..settings import Settings

log = logging.getLogger("palatine.web")
TRY_AGAIN = 1.0  # seconds until another look for a free port
MOST_AT_ONCE = 16  # connections


async def let_scrape(metrics: Metrics, settings: Settings) -> None:
    """Show the figures to whoever asks on their port, if there is one, for as long as we run."""
    if settings.metrics_port:
        await _serve(page_of(metrics), await _listener(settings))


def page_of(metrics: Metrics) -> Starlette:
    """One page, with all figures."""

    async def page(request: Request) -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return Starlette(routes=[Route("/metrics", page)])


async def _listener(settings: Settings) -> socket.socket:
    """A socket on the first port that is free."""
    ports = range(settings.metrics_port, settings.metrics_port + settings.workers)
    while True:
        for port in ports:
            with suppress(OSError):
                return socket.create_server((settings.metrics_host, port))
        log.warning("no port for metrics is free, from %d to %d", ports[0], ports[-1])
        await anyio.sleep(TRY_AGAIN)


async def _serve(page: Starlette, listener: socket.socket) -> None:
    config = uvicorn.Config(page, http=HttpProtocol, ws="none", log_config=None, limit_concurrency=MOST_AT_ONCE)
    config.load()
    state = ServerState()
    protocol = partial(HttpProtocol, config, state, {})
    serving = await get_running_loop().create_server(protocol, sock=listener)
    try:
        await anyio.sleep_forever()
    finally:
        serving.close()
        for line in list(state.connections):
            line.transport.abort()
