"""A server in another process: `palatine serve`, or the same with other settings. A test can kill it."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from palatine_server.gateway.tokens import TokenSigner, read_secret
from palatine_server.settings import Settings
from palatine_server.web.server import create_server

PALATINE = str(Path(sys.executable).with_name("palatine"))
QUICK_BOTS = {"PALATINE_BOT_MOVES_PER_USER": "1000"}
READY_WITHIN = STOPPED_WITHIN = 20.0  # seconds; generous, for machines with other work


class ServerProcess:
    """A server in another process; it can be restarted on the same port and data."""

    def __init__(self, data: Path, **settings: Any) -> None:
        self.data, self.settings, self.port = data, settings, 0
        self.options: list[str] = []  # more options of `palatine serve`
        self.environment: dict[str, str] = {}  # added to our own
        self.ready = asyncio.Event()
        self.said: list[str] = []  # lines on standard error, without the greeting
        self._process: asyncio.subprocess.Process | None = None
        self._listening: asyncio.Task[None] | None = None

    async def __aenter__(self) -> ServerProcess:
        await self.start()
        return self

    async def __aexit__(self, *raised: object) -> None:
        if self.is_alive:
            await self.kill()

    # Properties

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def socket(self) -> str:
        return f"ws://127.0.0.1:{self.port}/v1/ws"

    @property
    def children(self) -> set[int]:
        """Return the ids of its child processes."""
        return {int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()}

    def memory(self) -> float:
        """Return its resident memory in MiB."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / 2**20

    def token(self, name: str) -> str:
        """Return a create_token that the server accepts."""
        return TokenSigner(read_secret(self.data), time.time).create_token(name)[0]

    # Control

    async def launch(self) -> None:
        """Start the process without waiting until it listens."""
        self._process = await asyncio.create_subprocess_exec(
            *self._command(),
            stdin=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            env={**QUICK_BOTS, **os.environ, **self.environment},
        )
        self._listening = asyncio.create_task(self._listen())

    async def start(self) -> None:
        await self.launch()
        async with asyncio.timeout(READY_WITHIN):
            await self.ready.wait()

    async def kill(self) -> None:
        """Kill the process; unlike at a power cut, the kernel still writes its buffers."""
        await self._end(signal.SIGKILL)

    async def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop the process with a signal, as an operator does, and return the exit code."""
        return await self._end(how)

    def signal(self, how: signal.Signals) -> None:
        self.ready.clear()
        with suppress(ProcessLookupError):
            os.kill(self.pid, how)

    async def exit_code(self) -> int:
        assert self._process
        assert self._listening
        async with asyncio.timeout(STOPPED_WITHIN):
            await self._listening
            return await self._process.wait()

    async def _end(self, how: signal.Signals) -> int:
        self.signal(how)
        code = await self.exit_code()
        self.ready.clear()  # the greeting may have come last
        return code

    def _command(self) -> list[str]:
        if self.settings:
            return [sys.executable, __file__, str(self.data), str(self.port), json.dumps(self.settings)]
        return [PALATINE, "serve", "--data", str(self.data), "--port", str(self.port), *self.options]

    async def _listen(self) -> None:
        assert self._process
        assert self._process.stderr
        async for line in self._process.stderr:
            self._hear(line.decode().rstrip())

    def _hear(self, line: str) -> None:
        greeting, _, port = line.rpartition(":")
        if greeting.startswith("palatine serves"):
            self.port = int(port)
            self.ready.set()
        elif line:
            self.said.append(line)


def greet(url: str) -> None:
    print(f"palatine serves {url}", file=sys.stderr, flush=True)  # noqa: T201


if __name__ == "__main__":
    create_server(Settings(data=Path(sys.argv[1]), port=int(sys.argv[2]), **json.loads(sys.argv[3])), greet).run()
