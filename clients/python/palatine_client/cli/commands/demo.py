"""A game that plays itself, for a terminal without a keyboard."""

from __future__ import annotations

import asyncio

from palatine_protocol.offers import drawn

from ..ui.spectator_screen import watch
from ..ui.table_view import Sight
from ..ui.terminal import Terminal

PACE = 0.3  # seconds between two decisions, if somebody looks on


async def demonstrate(sight: Sight, terminal: Terminal) -> None:
    """Play at random, and show it."""
    terminal.say(sight.scene().label("demonstration"))
    pace = PACE if terminal.console.is_terminal else 0.0
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(play_at_random(sight, pace))
        await watch(sight, terminal)


async def play_at_random(sight: Sight, pace: float) -> None:
    """Decide whenever the table waits for us, leaving out what nobody would choose at a keyboard."""
    async for turn in sight.table:
        await asyncio.sleep(pace)
        choices = sight.words.filter_choices(turn.offer.choices, sight.scene())
        await turn.act(drawn(choices or turn.offer.choices, sight.table.rng.randrange))
