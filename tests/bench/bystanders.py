"""Strangers: what players wait for who have nothing to do with the load beside them.

A benchmark measures them alone and beside a load, in turn, each time on a new server. It compares the medians of all
rounds: the 99th percentile may rise by 20 % or 2 ms, whichever is more.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from statistics import median

import msgspec
from rich.console import Console
from server.process import PALATINE, ServerProcess
from server_fixture import Peer
from websockets.asyncio.client import connect

from palatine_client.load.report import Report
from palatine_protocol.codec import MSGPACK

RISE, RISE_MS = 0.20, 2.0  # the 99th percentile may rise by this share or by so many milliseconds
console = Console(width=130)


async def play(port: int, tables: int, seconds: float) -> Report:
    """Let strangers play for a while, in processes of their own; what they waited."""
    plan = ["--tables", str(tables), "--players", "4", "--think", "0.1", "0.3", "--seconds", str(seconds)]
    command = [PALATINE, "load", "--server", f"http://127.0.0.1:{port}", "--json", *plan]
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE, env=os.environ)
    said, _ = await process.communicate()
    assert process.returncode == 0, said
    return msgspec.json.decode(said, type=Report)


def compare(alone: list[float], beside: list[float], load: str) -> bool:
    """Print the medians of the 99th percentiles, in milliseconds; whether the bar is met."""
    before, after = median(alone), median(beside)
    allowed = before + max(RISE * before, RISE_MS)
    is_met = after <= allowed
    verdict = "[green]met[/]" if is_met else "[red]not met[/]"
    console.print(
        f"median p99 of strangers: {before:.2f} ms alone, {after:.2f} ms beside {load}: "
        f"{after / before:.2f} ×, {after - before:+.2f} ms; at most {allowed:.2f} ms: {verdict}"
    )
    return is_met


@asynccontextmanager
async def guest(served: ServerProcess, name: str = "Guest", token: str = "") -> AsyncIterator[Peer]:
    """A connection of a guest who makes the load; with a token, of one who is known already."""
    async with connect(served.socket, subprotocols=[MSGPACK], compression=None) as socket:  # type: ignore[list-item]
        peer = Peer(socket, MSGPACK, token or served.token(name))
        await peer.hello()
        yield peer
