"""Looking on: news as they come, boards when there is time to look at them, and the end."""

from __future__ import annotations

import asyncio

from rich.text import Text

from ..table import Change
from .sight import Sight
from .terminal import Terminal
from .weather import weather


async def watch(sight: Sight, terminal: Terminal) -> None:
    """Show a table until its game is over."""
    terminal.say(Text(sight.people()))
    async with asyncio.TaskGroup() as tasks:
        looking_up = tasks.create_task(report_weather(sight, terminal))
        async for change in sight.table.updates():
            show(sight, terminal, change)
        looking_up.cancel()
    terminal.say(sight.ending())


def show(sight: Sight, terminal: Terminal, change: Change) -> None:
    """What a change is worth: sentences, and the boards that changed."""
    scene = sight.scene()
    terminal.say(*sight.news(change))
    if scene.board and not sight.table.is_over:
        terminal.say(*sight.heading(scene), *sight.boards(scene))


async def report_weather(sight: Sight, terminal: Terminal) -> None:
    async for holds in weather(sight.table.connection):
        terminal.say(Text(sight.scene().label("found" if holds else "lost"), "green" if holds else "yellow"))
