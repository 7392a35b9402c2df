"""The time that players have left, in words and figures."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator

from ...render.text.render_context import RenderContext
from ...table import Table

TICK = 1.0  # seconds
SHORT = 10.0  # seconds; the screen warns a player who has less time left
MINUTE, HOUR, DAY = 60, 3_600, 86_400


async def ticks() -> AsyncIterator[None]:
    """Yield once per second."""
    while True:
        await asyncio.sleep(TICK)
        yield


def format_time(seconds: float) -> str:
    """Return a time as a clock shows it: 0:09, 12:05, 1:00:00, 2 d 3 h."""
    whole = math.ceil(seconds)
    if whole >= DAY:
        return f"{whole // DAY} d {whole % DAY // HOUR} h"
    if whole >= HOUR:
        return f"{whole // HOUR}:{whole % HOUR // MINUTE:02}:{whole % MINUTE:02}"
    return f"{whole // MINUTE}:{whole % MINUTE:02}"


def add_time_left(words: str, left: float | None) -> str:
    """Append the time left to a text, if it is limited."""
    return words if left is None else f"{words} ({format_time(left)})"


def own_seconds_left(table: Table) -> float | None:
    """Return the seconds left for this player's decision; None if the table does not wait or time is unlimited."""
    return table.seconds_left(table.seat) if table.seat is not None and table.must_decide else None


def describe_wait(table: Table, scene: RenderContext) -> str:
    """Return a sentence about the players the table waits for, each with the time left, or about the pause."""
    if table.info.paused:
        return scene.label("paused")
    others = [
        add_time_left(scene.name_player(seat), table.seconds_left(seat)) for seat in scene.waiting if seat != table.seat
    ]
    return scene.label("waiting", who=scene.join_words(others)) if others else scene.label("waiting for all")


def describe_banks(table: Table, scene: RenderContext) -> str:
    """Return the banks of all players in one line; empty if the clock has no bank."""
    clock = table.info.clock
    if clock is None or not clock.bank:
        return ""
    times = {seat: table.seconds_left(seat) for seat in range(len(scene.people))}
    return " · ".join(f"{scene.names[seat]} {format_time(left)}" for seat, left in times.items() if left is not None)
