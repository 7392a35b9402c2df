"""Caddy with the configuration of deploy/, for tests."""

from __future__ import annotations

import os
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx
from deploy.files import DEPLOY
from server_fixture import MSGPACK, Peer
from store.redis_servers import free_port
from websockets.asyncio.client import connect

BIN = Path(sys.executable).parent


class Proxy:
    """Caddy with our configuration, on other ports and before other nodes; it makes its own certificate."""

    def __init__(self, directory: Path, nodes: list[str], site: str = "localhost") -> None:
        self.port, self._site = free_port(), site
        self._home = directory
        self._environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(directory),
            "XDG_DATA_HOME": str(directory),
            "HTTP_PORT": str(free_port()),
            "HTTPS_PORT": str(self.port),
            "PALATINE_SITE": site,
            "PALATINE_NODES": " ".join(nodes),
        }

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        command = [str(BIN / "caddy"), "run", "--config", str(DEPLOY / "Caddyfile"), "--adapter", "caddyfile"]
        async with await anyio.open_process(command, env=self._environment, stderr=subprocess.DEVNULL) as process:
            try:
                with anyio.fail_after(30):
                    await self._until_it_answers()
                yield
            finally:
                process.terminate()
                await process.wait()

    async def _until_it_answers(self) -> None:
        url, host = f"https://localhost:{self.port}/readyz", {"host": f"{self._site}:{self.port}"}
        while True:
            try:
                async with httpx.AsyncClient(verify=self.trust) as client:
                    answer = await client.get(url, headers=host, extensions={"sni_hostname": self._site})
                    if answer.status_code == 200:
                        return
            except (httpx.TransportError, FileNotFoundError):
                await anyio.sleep(0.05)

    @property
    def trust(self) -> ssl.SSLContext:
        """Who believes in its certificate."""
        return ssl.create_default_context(cafile=self._home / "caddy/pki/authorities/local/root.crt")

    @asynccontextmanager
    async def peer(self, token: str) -> AsyncIterator[Peer]:
        url = f"wss://localhost:{self.port}/v1/ws"
        subprotocols: Any = [MSGPACK]
        async with connect(url, ssl=self.trust, subprotocols=subprotocols, compression=None, max_queue=None) as socket:
            peer = Peer(socket, MSGPACK, token)
            await peer.hello()
            yield peer
