"""A game that plays itself, for a terminal without a keyboard."""

from __future__ import annotations

import asyncio

from palatine_protocol.offers import drawn

from ..ui.spectator_screen import watch
from ..ui.table_view import TableView
from ..ui.terminal import Terminal

PACE = 0.3  # seconds between two decisions, if somebody looks on


async def demonstrate(view: TableView, terminal: Terminal) -> None:
    """Play at random, and show it."""
    terminal.say(view.scene().label("demonstration"))
    pace = PACE if terminal.console.is_terminal else 0.0
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_at_random(view, pace))
        await watch(view, terminal)


async def play_at_random(view: TableView, pace: float) -> None:
    """Decide whenever the table waits for us, leaving out what nobody would choose at a keyboard."""
    async for turn in view.table:
        await asyncio.sleep(pace)
        choices = view.words.visible(turn.offer.choices, view.scene())
        await turn.act(drawn(choices or turn.offer.choices, view.table.rng.randrange))
