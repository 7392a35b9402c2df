"""Starts the image that deploy/build-image has built and plays a game of every kind in it: `make image`.

buildah runs the container in a chroot on the network of this machine, with the user, the environment and the entry
point that the image names. The players are clients outside of it.
"""

# ruff: noqa: T201 (a command that reports what it does)

from __future__ import annotations

import asyncio
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from store.redis_servers import free_port

from palatine_client import choose_randomly, connect, run_bot

IMAGE = "localhost/palatine:latest"
STORAGE = os.environ.get("PALATINE_IMAGE_STORAGE", "/var/tmp/palatine-image")
BUILDAH = [
    *("buildah", "--root", f"{STORAGE}/root", "--runroot", f"{STORAGE}/run"),
    *("--storage-driver", "vfs"),
]
USER = 10001
READY_WITHIN = STOPPED_WITHIN = 30.0  # seconds


def buildah(*words: str) -> str:
    """Run buildah and return what it prints."""
    done = subprocess.run([*BUILDAH, *words], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"buildah {' '.join(words)} failed:\n{done.stderr}")
    return done.stdout.strip()


class Container:
    """A container of the image."""

    def __init__(self) -> None:
        if not shutil.which("buildah"):
            sys.exit("buildah is missing: run deploy/build-image, which says what to install.")
        self.id = buildah("from", IMAGE)
        self.config = json.loads(buildah("inspect", self.id))["Docker"]["config"]
        self.port = free_port()

    def remove(self) -> None:
        buildah("rm", self.id)

    def command(self, *words: str) -> list[str]:
        """The command that runs these words in the container, as the image's user."""
        settings = {"PALATINE_PORT": self.port, "PALATINE_METRICS_PORT": free_port()}
        variables = [word for name, value in settings.items() for word in ("--env", f"{name}={value}")]
        return [*BUILDAH, "run", "--isolation", "chroot", *variables, self.id, "--", *words]

    def run(self, *words: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(self.command(*words), input=given, capture_output=True)

    def is_healthy(self) -> bool:
        """Whether the image's own health check says so."""
        kind, *words = self.config["Healthcheck"]["Test"]
        assert kind == "CMD", kind
        return self.run(*(word.replace("8080", str(self.port)) for word in words)).returncode == 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[str]:
        """Run the image's entry point; it must be ready in time, and stop when it is told to."""
        words = [*self.config["Entrypoint"], *self.config["Cmd"]]
        process = await asyncio.create_subprocess_exec(*self.command(*words), stderr=asyncio.subprocess.PIPE)
        assert process.stderr
        try:
            async with asyncio.timeout(READY_WITHIN):
                greeting = json.loads(await process.stderr.readline())
            yield greeting["url"].replace("0.0.0.0", "127.0.0.1")
        finally:
            if process.returncode is None:
                os.kill(server_below(process.pid), signal.SIGTERM)  # buildah itself would kill it
        async with asyncio.timeout(STOPPED_WITHIN):
            code = await process.wait()
        said = (await process.stderr.read()).decode()
        assert code == 0, f"the server ended with {code}:\n{said}"


def server_below(pid: int) -> int:
    """The server, which is the process of the image that runs under those of buildah."""
    while not Path(f"/proc/{pid}/cmdline").read_bytes().startswith(b"/opt/palatine"):
        children = [word for of in Path(f"/proc/{pid}/task").glob("*/children") for word in of.read_text().split()]
        pid = int(children[0])
    return pid


async def play(url: str, game: str) -> bytes:
    """Play one game with house bots to its end; the record of it."""
    async with connect(url, name="Ludwig") as client, asyncio.timeout(300):
        table = await client.create(game, seats=3)
        await table.sit()
        await table.fill("strong")
        await table.start()
        await run_bot(client, table, choose_randomly)
        scores = [row["score"] for row in table.info.standings or ()]
        assert len(scores) == 3
        async with httpx.AsyncClient(base_url=url, timeout=30) as http:
            answer = await http.get(f"/v1/tables/{table.id}/record")
            picture = await http.get(f"/v1/tables/{table.id}/board.png")
        assert answer.status_code == 200, answer.text
        assert (picture.status_code, picture.headers["content-type"]) == (200, "image/png"), picture.text
        print(f"{game}: played to its end, {table.version} entries, scores {scores}")
        return answer.content


async def main() -> None:
    container = Container()
    try:
        assert container.config["User"] == f"{USER}:{USER}"
        assert int(container.run("id", "-u").stdout) == USER
        compiled = container.run("python", "-c", "import palatine_server.tables.table as table; print(table.__file__)")
        assert compiled.stdout.strip().endswith(b".so"), compiled
        async with container.serving() as url:
            assert container.is_healthy()
            async with httpx.AsyncClient(base_url=url) as http:
                games = [game["game"] for game in (await http.get("/v1/games")).json()["games"]]
            assert games
            records = {game: await play(url, game) for game in games}
        assert not container.is_healthy()
        for game, record in records.items():
            path = Path("/data") / f"{game}.palatine"
            container.run(
                "python", "-c", f"import sys; open('{path}', 'wb').write(sys.stdin.buffer.read())", given=record
            )
            verified = container.run("palatine", "verify", str(path))
            assert verified.returncode == 0, verified.stdout + verified.stderr
            print(f"{game}: its record verifies in the image")
    finally:
        container.remove()
    print(f"{IMAGE} serves, plays and stops as it should.")


if __name__ == "__main__":
    asyncio.run(main())
