"""Serving: uvicorn with our protocols for HTTP and websockets, and our own way to stop."""

from __future__ import annotations

import sys
from asyncio import get_running_loop
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette

from ..gateway.http_protocol import HttpProtocol
from ..gateway.websocket import WebSocketProtocol
from ..settings import Settings
from .app import application
from .collector import calm_collector
from .cors import Cors
from .origin_gate import TrustedProxies

CLOSE_WITHIN = 1.0  # seconds until connections that were closed are cut when the server stops
AFTERWARDS = 1  # seconds for requests that are still at work when all websockets have ended
SWITCH_INTERVAL = 0.0005  # seconds for which a worker thread may keep the event loop waiting; Python has ten times that
PING_EVERY = 20.0  # seconds between websocket pings; who does not answer within as long is dead


class Server(uvicorn.Server):
    """uvicorn, except that clients are told to come back before their connections are closed."""

    def __init__(self, app: Starlette, config: uvicorn.Config, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app, self._on_ready = app, on_ready

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """A signal stops us in good order; uvicorn would die of it afterwards, and leave with another code than 0."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: Any = None) -> None:
        """Say where the server can be reached, as soon as it can."""
        await super().startup(sockets)
        if self.started:
            calm_collector()
            sys.setswitchinterval(SWITCH_INTERVAL)
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._on_ready(f"http://{host}:{port}")

    async def shutdown(self, sockets: Any = None) -> None:
        """Notice to the load balancer, then no new connections, goodbye to everybody, and the rest."""
        await self._app.state.house.give_notice()
        for server in self.servers:
            server.close()
        await self._app.state.house.drain()
        get_running_loop().call_later(CLOSE_WITHIN, self._cut_the_rest)
        await super().shutdown(sockets)

    def _cut_the_rest(self) -> None:
        for connection in list[Any](self.server_state.connections):
            connection.cut()


def server(settings: Settings, on_ready: Callable[[str], None] = lambda url: None) -> Server:
    """A server for these settings, ready to run."""
    app = application(settings)
    trusted = ["127.0.0.1", "::1", *settings.trusted_proxies]
    config = uvicorn.Config(
        TrustedProxies(Cors(app, app.state.origins), trusted),
        host=settings.host,
        port=settings.port,
        http=HttpProtocol,
        ws=WebSocketProtocol,
        ws_max_size=settings.largest_frame,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PING_EVERY,
        proxy_headers=False,  # TrustedProxies does it, and knows the forwarded host too
        log_config=None,  # ours decides what may be told
        access_log=False,  # addresses and query strings stay out of the logs
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=AFTERWARDS,
    )
    return Server(app, config, on_ready)
