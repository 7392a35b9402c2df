"""The metrics server: the metrics of this process for Prometheus, on a separate port.

The metrics are not on the players' port: behind a proxy on the same machine every client has a local address, so the
address proves nothing there. Every client that reaches the metrics port may read it; by default, only this machine can.

Each worker takes one port of a range that begins at `metrics_port`. A worker that finds no free port tries again,
because the worker it replaces keeps its port until it has stopped.
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
TRY_AGAIN = 1.0  # seconds until the next search for a free port
MOST_AT_ONCE = 16  # connections


async def serve_metrics(metrics: Metrics, settings: Settings) -> None:
    """Serve the metrics on their port, if one is set, for as long as the server runs."""
    if settings.metrics_port:
        await _serve(build_metrics_app(metrics), await _open_listener(settings))


def build_metrics_app(metrics: Metrics) -> Starlette:
    """Return an application with the one route /metrics."""

    async def show_metrics(request: Request) -> Response:
        return Response(metrics.text(), media_type=CONTENT_TYPE_LATEST)

    return Starlette(routes=[Route("/metrics", show_metrics)])


async def _open_listener(settings: Settings) -> socket.socket:
    """Return a socket on the first free port."""
    ports = range(settings.metrics_port, settings.metrics_port + settings.workers)
    while True:
        for port in ports:
            with suppress(OSError):
                return socket.create_server((settings.metrics_host, port))
        log.warning("metrics wait: no port from %d to %d is free; set PALATINE_METRICS_PORT", ports[0], ports[-1])
        await anyio.sleep(TRY_AGAIN)


async def _serve(app: Starlette, listener: socket.socket) -> None:
    config = uvicorn.Config(app, http=HttpProtocol, ws="none", log_config=None, limit_concurrency=MOST_AT_ONCE)
    config.load()
    state = ServerState()
    protocol = partial(HttpProtocol, config, state, {})
    serving = await get_running_loop().create_server(protocol, sock=listener)
    try:
        await anyio.sleep_forever()
    finally:
        serving.close()
        for connection in list(state.connections):
            connection.transport.abort()
