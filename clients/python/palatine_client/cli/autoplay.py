"""A game that plays itself, for a terminal without a keyboard."""

from __future__ import annotations

import asyncio

from palatine_protocol.offers import drawn

from .ui.spectator_screen import show_to_spectator
from .ui.table_view import TableView
from .ui.terminal import Terminal

PACE = 0.3  # seconds between two decisions on a terminal; in a pipe there is no delay


async def run_demo(view: TableView, terminal: Terminal) -> None:
    """Play the user's seat at random, and show the game as a spectator sees it."""
    terminal.say(view.scene().label("demonstration"))
    pace = PACE if terminal.console.is_terminal else 0.0
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_randomly(view, pace))
        await show_to_spectator(view, terminal)


async def play_randomly(view: TableView, pace: float) -> None:
    """Choose at random at every turn, from the choices that a player at a keyboard would see."""
    async for turn in view.table:
        await asyncio.sleep(pace)
        choices = view.words.filter_choices(turn.offer.choices, view.scene())
        await turn.act(drawn(choices or turn.offer.choices, view.table.rng.randrange))
