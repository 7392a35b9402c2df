"""A long attack with hostile frames on a new server: `PYTHONPATH=tests python -m hostile --frames 1000000`.

The run measures memory while the attack pauses. A table stays open for half a minute after its last use, so the memory
of a server under attack depends on the speed of the attack; each pause is longer than that. The first measurement comes
after a quarter of the frames, when all caches are full and all paths were taken. From then on memory may not grow with
the number of frames: 8 MiB over 750,000 frames are 11 bytes each, less than any leaked object, and leave room for
fragmentation and for the bounded rate limits of users.
"""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import AsyncExitStack
from pathlib import Path
from time import monotonic
from typing import Annotated

import anyio
import typer
import uvloop
from hostile.assault import Attack, Bystanders, connect_peer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from server.process import ServerProcess

from palatine_protocol.messages import Ping
from palatine_server.settings import Settings

LATER_GROWTH = 8.0  # MiB from the first quarter to the end
FRAMES_PER_LINE = 50_000  # frames
REST = 1.5 * Settings().idle  # seconds
console = Console(highlight=False)


class AttackRun:
    """An attack, and what it measured."""

    def __init__(self, served: ServerProcess, attack: Attack, bystanders: Bystanders) -> None:
        self.served, self.attack, self.bystanders = served, attack, bystanders
        self.memory: list[float] = []
        self.began = monotonic()

    async def go(self, frames: int) -> None:
        """Send a quarter of the frames, then the rest; measure memory before, between and after."""
        self.memory.append(self.served.memory())
        for part in (frames // 4, frames - frames // 4):
            await self.attack.wave(part, self.bystanders)
            await self._rest()
            self.memory.append(self.served.memory())

    async def _rest(self) -> None:
        """Wait until unused tables are closed; the bystanders send pings, so that they stay connected."""
        until = monotonic() + REST
        while monotonic() < until:
            for peer in self.bystanders.peers:
                await peer.do(Ping)
            await anyio.sleep(5)

    def find_failures(self) -> list[str]:
        """Return a sentence for each failure of the server."""
        growth = self.memory[2] - self.memory[1]
        return [
            *(["the server has exited"] if not self.served.is_alive else []),
            *(f"the server wrote: {line}" for line in self.served.said[:20]),
            *([f"memory grew by {growth:.1f} MiB after the first quarter"] if growth > LATER_GROWTH else []),
        ]

    def print_result(self) -> None:
        before, quarter, end = self.memory
        seconds = monotonic() - self.began
        console.print(f"{self.attack} in {seconds:,.0f} s")
        console.print(self.bystanders)
        console.print(f"memory: {before:.1f} MiB, {quarter:.1f} after a quarter, {end:.1f} at the end")
        for fault in self.find_failures():
            console.print(f"✗ {fault}", style="red", markup=False)
        if not self.find_failures():
            console.print("✓ no exit, no unhandled exception, every frame answered in order, no bystander disturbed")


class FrameProgress(Progress):
    """The progress of the attack: a bar on a terminal, otherwise a line for every 50,000 frames."""

    def __init__(self, frames: int) -> None:
        columns = TextColumn("frames"), BarColumn(bar_width=None), MofNCompleteColumn(), TimeElapsedColumn()
        super().__init__(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal)
        self.frames, self.sent = self.add_task("frames", total=frames), 0

    def print_result(self, sent: int) -> None:
        self.advance(self.frames, sent)
        if not console.is_terminal and self.sent // FRAMES_PER_LINE < (self.sent + sent) // FRAMES_PER_LINE:
            console.print(f"{self.sent + sent:,} frames")
        self.sent += sent


async def run_attack(frames: int, seed: int) -> bool:
    async with AsyncExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        served = await stack.enter_async_context(ServerProcess(data))
        peers = [await stack.enter_async_context(connect_peer(served, served.token(name))) for name in "ABCD"]
        bar = stack.enter_context(FrameProgress(frames))
        run = AttackRun(served, Attack(served, seed, bar.print_result), Bystanders(peers))
        await run.go(frames)
        bar.stop()
        run.print_result()
        return not run.find_failures()


def main(
    frames: Annotated[int, typer.Option(help="Number of frames to send.", min=1000)] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Seed of the frames.")] = 11,
) -> None:
    """Start a server, send it hostile frames over real sockets, and check that it survives.

    Four bystanders play meanwhile. The exit code is 1 if the server exits, logs an error or leaks memory.
    """
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        has_survived = runner.run(run_attack(frames, seed))
    raise typer.Exit(0 if has_survived else 1)


typer.run(main)
