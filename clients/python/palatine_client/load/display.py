"""What is seen of a load run while it goes on, and when it is over."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner

from ..commands.advice import Advice, single
from ..screen_console import ScreenConsole
from ..screen_text import screen_json
from .conducting import Conductor
from .plan import Plan
from .report import Report, shown
from .visitor import Trouble


async def carry_out(plan: Plan, pids: Sequence[int], as_json: bool) -> None:
    """Carry out the plan and print the report."""
    conductor = Conductor(plan, pids)
    try:
        report = await _watched(conductor, ScreenConsole(stderr=True))
    except* Trouble as group:
        trouble = single(group)
        assert isinstance(trouble, Trouble)
        raise Advice(trouble.sentence or trouble.code) from None
    _print(report, as_json)


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(screen_json(msgspec.json.encode(report)) + "\n")
    else:
        ScreenConsole().print(shown(report))


async def _watched(conductor: Conductor, console: Console) -> Report:
    """Carry out the plan before the eyes of whoever is there."""
    if not console.is_terminal:
        return await conductor.conduct()
    spinner = Spinner("dots")

    def view() -> RenderableType:
        spinner.update(text=conductor.stage)
        return Group(spinner, shown(conductor.report()))

    with Live(get_renderable=view, console=console, refresh_per_second=4, transient=True):
        return await asyncio.create_task(conductor.conduct())
