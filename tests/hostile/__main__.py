"""A long run of hostile frames against a server of its own: `PYTHONPATH=tests python -m hostile --frames 1000000`.

Memory is judged in calm. A table stays open for half a minute after the last look at it, so how much memory a server
has under fire depends on how fast it is attacked; both figures are therefore taken when the attack has rested for
longer than that. The first one is taken after a quarter of the frames, when every cache has been filled and every path
was taken. From then on nothing may grow with the number of frames: 8 MiB over 750,000 frames are 11 bytes each, less
than any object that could be forgotten, and leave room for what a heap does by itself and for budgets of users, which
are bounded by their number.
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
A_LINE = 50_000  # frames
REST = 1.5 * Settings().idle  # seconds
console = Console(highlight=False)


class AttackRun:
    """One assault and what is to be said of it."""

    def __init__(self, served: ServerProcess, attack: Attack, bystanders: Bystanders) -> None:
        self.served, self.attack, self.bystanders = served, attack, bystanders
        self.memory: list[float] = []
        self.began = monotonic()

    async def go(self, frames: int) -> None:
        """A quarter of it, then the rest; what is in memory is looked at before and after each."""
        self.memory.append(self.served.memory())
        for part in (frames // 4, frames - frames // 4):
            await self.attack.wave(part, self.bystanders)
            await self._rest()
            self.memory.append(self.served.memory())

    async def _rest(self) -> None:
        """Until tables that nobody looks at are put away; the bystanders must be heard of meanwhile."""
        until = monotonic() + REST
        while monotonic() < until:
            for peer in self.bystanders.peers:
                await peer.do(Ping)
            await anyio.sleep(5)

    def find_failures(self) -> list[str]:
        """Everything that should not be."""
        growth = self.memory[2] - self.memory[1]
        return [
            *(["the server has exited"] if not self.served.is_alive else []),
            *(f"the server said: {line}" for line in self.served.said[:20]),
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
            console.print("✓ no exit, no unhandled exception, every frame answered in its place, nobody else disturbed")


class FrameProgress(Progress):
    """How far the assault is: a bar on a terminal, and elsewhere a line now and then."""

    def __init__(self, frames: int) -> None:
        columns = TextColumn("frames"), BarColumn(bar_width=None), MofNCompleteColumn(), TimeElapsedColumn()
        super().__init__(*columns, TimeRemainingColumn(), console=console, disable=not console.is_terminal)
        self.frames, self.sent = self.add_task("frames", total=frames), 0

    def print_result(self, sent: int) -> None:
        self.advance(self.frames, sent)
        if not console.is_terminal and self.sent // A_LINE < (self.sent + sent) // A_LINE:
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
    frames: Annotated[int, typer.Option(help="How many frames.", min=1000)] = 1_000_000,
    seed: Annotated[int, typer.Option(help="Another seed, other frames.")] = 11,
) -> None:
    """Attack a server of our own with hostile frames through real sockets, and judge how it bore it."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        is_well = runner.run(run_attack(frames, seed))
    raise typer.Exit(0 if is_well else 1)


typer.run(main)
