"""The server: uvicorn with our protocols for HTTP and websockets, and our own shutdown."""

from __future__ import annotations

import sys
from asyncio import get_running_loop
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

import uvicorn
from starlette.applications import Starlette

from ..gateway.http_protocol import KEEP_ALIVE, KEEP_ALIVE_GRACE, HttpProtocol
from ..gateway.websocket import WebSocketProtocol
from ..settings import Settings
from .app import create_app
from .collector import configure_collector
from .cors import Cors
from .origin_gate import TrustedProxies

CLOSE_WITHIN = 1.0  # seconds after which a stopping server cuts connections that are still closing
FINISH_WITHIN = 1  # seconds for HTTP requests that still run when all websockets have ended
SWITCH_INTERVAL = 0.0005  # seconds for which a thread may delay the event loop; Python's default is ten times that
PINGS = 3  # websocket pings in the two heartbeats after which a silent connection is closed


class Server(uvicorn.Server):
    """A uvicorn server that tells clients when to reconnect before it closes their connections."""

    def __init__(self, app: Starlette, config: uvicorn.Config, on_ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self._app, self._on_ready = app, on_ready

    @contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Forget the signals after an orderly stop; uvicorn would raise them again and exit with another code."""
        with super().capture_signals():
            yield
            self._captured_signals.clear()

    async def startup(self, sockets: Any = None) -> None:
        """Start, and report the address as soon as the server accepts connections."""
        await super().startup(sockets)
        if self.started:
            configure_collector()
            sys.setswitchinterval(SWITCH_INTERVAL)
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            self._app.state.shared.note_address(f"http://{host}:{port}")
            self._on_ready(f"http://{host}:{port}")

    async def shutdown(self, sockets: Any = None) -> None:
        """Wait until the load balancer notices, refuse new connections, drain the others, and stop."""
        await self._app.state.shared.announce_stop()
        for server in self.servers:
            server.close()
        await self._app.state.shared.drain()
        get_running_loop().call_later(CLOSE_WITHIN, self._cut_the_rest)
        await super().shutdown(sockets)

    def _cut_the_rest(self) -> None:
        for connection in list[Any](self.server_state.connections):
            connection.cut()


def create_server(settings: Settings, on_ready: Callable[[str], None] = lambda url: None) -> Server:
    """Return a server for these settings, ready to run."""
    app = create_app(settings)
    trusted = ["127.0.0.1", "::1", *settings.trusted_proxies]
    config = uvicorn.Config(
        TrustedProxies(Cors(app, app.state.origins), trusted),
        host=settings.host,
        port=settings.port,
        http=HttpProtocol,
        ws=WebSocketProtocol,
        ws_max_size=settings.largest_frame,
        ws_ping_interval=2 * settings.heartbeat / PINGS,
        proxy_headers=False,  # TrustedProxies reads them, including the forwarded host
        log_config=None,  # log_format.py configures logging
        access_log=False,  # access logs would hold addresses and query strings
        log_level="warning",
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE + KEEP_ALIVE_GRACE,
        headers=[("keep-alive", f"timeout={KEEP_ALIVE}")],
        timeout_graceful_shutdown=FINISH_WITHIN,
    )
    return Server(app, config, on_ready)
