"""The display of a load run: its progress, and its report."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Sequence

import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.spinner import Spinner

from ..cli.errors import CommandError, unwrap_group
from ..screen_console import ScreenConsole
from ..screen_text import screen_json
from .coordinator import Coordinator
from .load_client import LoadError
from .plan import Plan
from .report import Report, render_comparison, render_report


async def run_plans(plans: Sequence[Plan], pids: Sequence[int], as_json: bool) -> None:
    """Run the plans one after the other, and print each report; after several plans, also a comparison."""
    reports = []
    for plan in plans:
        reports.append(await _run(plan, pids))
        _print(reports[-1], as_json)
    if len(reports) > 1 and not as_json:
        ScreenConsole().print(render_comparison(reports))


async def _run(plan: Plan, pids: Sequence[int]) -> Report:
    try:
        return await _watch(Coordinator(plan, pids), ScreenConsole(stderr=True))
    except* LoadError as group:
        error = unwrap_group(group)
        assert isinstance(error, LoadError)
        raise CommandError(error.sentence or error.code) from None


def _print(report: Report, as_json: bool) -> None:
    if as_json:
        sys.stdout.write(screen_json(msgspec.json.encode(report)) + "\n")
        sys.stdout.flush()
    else:
        ScreenConsole().print(render_report(report))


async def _watch(coordinator: Coordinator, console: Console) -> Report:
    """Run a plan; on a terminal, show its progress."""
    if not console.is_terminal:
        return await coordinator.run()
    spinner = Spinner("dots")

    def view() -> RenderableType:
        spinner.update(text=coordinator.stage)
        return Group(spinner, render_report(coordinator.report()))

    with Live(get_renderable=view, console=console, refresh_per_second=4, transient=True):
        return await asyncio.create_task(coordinator.run())
