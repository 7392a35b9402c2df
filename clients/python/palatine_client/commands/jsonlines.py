"""Playing and watching for programs: a JSON object per line, in both directions.

Out: `table` first; then `snapshot` and `update` with the whole table as this viewer sees it; `done` or `refused` for
each line that came in; `connection` when it is lost or found; `over` at the end. In: {"do": ...} answers the current
offer, {"undo": true}, {"start": true} lets bots take the free seats and begins, {"quit": true}. The seat is kept.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Coroutine
from typing import Any

import msgspec

from ..exceptions import RequestRefused
from ..labels import label
from ..table import Change, Table
from .terminal import MOST_LINES, read_lines
from .weather import weather


def write(event: str, **values: Any) -> None:
    """One event on one line."""
    write_object({"event": event, **values})


def write_object(value: Any) -> None:
    sys.stdout.write(msgspec.json.encode(value).decode() + "\n")
    sys.stdout.flush()


def write_table(table: Table, server: str) -> None:
    write("table", table=table.id, server=server, game=table.info.game, seat=table.seat)


def write_change(table: Table, change: Change) -> None:
    """The whole table as it is now, and what happened since the last time."""
    view = table.view
    shown = {"info": view.info, "board": view.board, "hand": view.hand, "offer": view.offer, "waiting": view.waiting}
    event = "snapshot" if change.snapshot else "update"
    write(event, version=change.version, **shown, can_undo=view.can_undo, news=change.news)


def write_refused(refused: RequestRefused) -> None:
    write("refused", code=refused.code, sentence=refused.sentence, rule=refused.rule)


async def write_weather(table: Table) -> None:
    async for holds in weather(table.connection):
        write("connection", holds=holds)


def write_over(table: Table) -> None:
    write("over", standings=table.standings)


async def watch(table: Table, server: str) -> None:
    """Write everything that happens at a table until the game is over."""
    write_table(table, server)
    async with asyncio.TaskGroup() as tasks:
        looking_up = tasks.create_task(write_weather(table))
        async for change in table.updates():
            write_change(table, change)
        looking_up.cancel()


class Program:
    """A program at a table."""

    def __init__(self, table: Table, server: str, lang: str, policy: str) -> None:
        self.table, self.server, self.lang, self.policy = table, server, lang, policy
        self._commands: asyncio.Queue[str | None] = asyncio.Queue(MOST_LINES)
        self._at_rest = asyncio.Event()  # no line is being carried out

    async def play(self) -> None:
        """Write what happens and do what comes in, until the game is over or nothing more comes in."""
        read_lines(self._commands.put)
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(watch(self.table, self.server))
            obeying = tasks.create_task(self._obey())
            await asyncio.wait([watching, obeying], return_when=asyncio.FIRST_COMPLETED)
            await self._at_rest.wait()
            for task in (watching, obeying):
                task.cancel()
        if self.table.is_over:
            write_over(self.table)

    async def _obey(self) -> None:
        """Carry out one line after the other until told to quit."""
        while (text := await self._next()) is not None:
            if text.strip() and not await self._carry_out(text):
                break
        self._at_rest.set()

    async def _next(self) -> str | None:
        self._at_rest.set()
        text = await self._commands.get()
        self._at_rest.clear()
        return text

    async def _carry_out(self, text: str) -> bool:
        """Do what a line says; false if it says quit."""
        command = read(text)
        match command or {}:
            case {"quit": True}:
                return False
            case {"undo": True}:
                await self._report(self.table.undo())
            case {"start": True}:
                await self._report(self._start())
            case {"do": str()} as action:
                await self._report(self._act(action))
            case _:
                key = "not json" if command is None else "not a command"
                write_refused(RequestRefused("malformed", label(self.lang, key)))
        return True

    async def _report(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await request
            write("done", version=self.table.version)
        except RequestRefused as refused:
            write_refused(refused)

    async def _act(self, action: dict[str, Any]) -> None:
        offer = self.table.view.offer
        await self.table.act(offer.id if offer else 0, action)

    async def _start(self) -> None:
        await self.table.fill(self.policy)
        await self.table.start()


def read(text: str) -> dict[str, Any] | None:
    """A line as the object it stands for, if it does."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return value if isinstance(value, dict) else None
