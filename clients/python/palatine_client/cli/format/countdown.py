"""How long somebody is still waited for, in words and figures."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator

from ...render.text.render_context import RenderContext
from ...table import Table

TICK = 1.0  # seconds between two looks at the clock
SHORT = 10.0  # seconds of one's own time that are worth a warning
MINUTE, HOUR, DAY = 60, 3_600, 86_400


async def ticks() -> AsyncIterator[None]:
    """One after every second."""
    while True:
        await asyncio.sleep(TICK)
        yield


def figures(seconds: float) -> str:
    """A time as a clock shows it: 0:09, 12:05, 1:00:00, 2 d 3 h."""
    whole = math.ceil(seconds)
    if whole >= DAY:
        return f"{whole // DAY} d {whole % DAY // HOUR} h"
    if whole >= HOUR:
        return f"{whole // HOUR}:{whole % HOUR // MINUTE:02}:{whole % MINUTE:02}"
    return f"{whole // MINUTE}:{whole % MINUTE:02}"


def timed(words: str, left: float | None) -> str:
    """Words with the time that is left for it, if that is limited."""
    return words if left is None else f"{words} ({figures(left)})"


def own_time(table: Table) -> float | None:
    """The seconds that are left for our own decision, if we are waited for and they are limited."""
    return table.clock_of(table.seat) if table.seat is not None and table.must_decide else None


def waited_for(table: Table, scene: RenderContext) -> str:
    """Who else is waited for, each with the time that is left; a pause stops everything."""
    if table.info.paused:
        return scene.label("paused")
    others = [timed(scene.name_player(seat), table.clock_of(seat)) for seat in scene.waiting if seat != table.seat]
    return scene.label("waiting", who=scene.join_words(others)) if others else scene.label("waiting for all")


def banks(table: Table, scene: RenderContext) -> str:
    """What everybody has in his bank, in a line; nothing where there are no banks."""
    clock = table.info.clock
    if clock is None or not clock.bank:
        return ""
    times = {seat: table.clock_of(seat) for seat in range(len(scene.people))}
    return " · ".join(f"{scene.names[seat]} {figures(left)}" for seat, left in times.items() if left is not None)
