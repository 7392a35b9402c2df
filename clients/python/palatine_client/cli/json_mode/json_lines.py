"""JSON input and output: one JSON object per line.

Output begins with `table`. Then come `snapshot` and `update` with the whole table as this viewer sees it, `talk` for
each chat line, `pointed` for what partners point at, `clock` with the seconds left for the players the table waits for,
and `connection` when the connection is lost or restored. Each line of input is answered by `done`, `refused`, or its
answer (`previewed`, `explained`, `described`, `invitation`). `over` ends the game.

Input: {"do": ...} answers the current offer, {"undo": true} undoes, {"start": true} fills the free seats with bots and
starts the game, {"quit": true} ends the program and keeps the seat. {"rematch": true} plays another game when this one
is over, and `table` follows again. The other commands are in `table_commands` and `host_commands`.
"""

from __future__ import annotations

import asyncio
import sys
from typing import Any

import msgspec
from msgspec import to_builtins

from ...exceptions import RequestRefused
from ...render.translations import label
from ...screen_text import screen_json
from ...table import Change, Table
from ..connection_status import follow_connection_status
from ..format.chat_lines import find_chat_line, select_missed_lines
from ..ui.terminal import MOST_LINES, read_lines
from .table_commands import TableRequest, find_request


def write(event: str, **values: Any) -> None:
    """Write one event as one line."""
    write_object({"event": event, **values})


def write_object(value: Any) -> None:
    sys.stdout.write(screen_json(msgspec.json.encode(value)) + "\n")
    sys.stdout.flush()


def write_table(table: Table, server: str) -> None:
    write("table", table=table.id, server=server, game=table.info.game, seat=table.seat)


class EventWriter:
    """Writes the changes of a table as events."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._last_line = 0  # the number of the last chat line that was written
        self._until: dict[int, int | None] = {}  # the deadlines of the players the table waits for

    def change(self, change: Change) -> None:
        """Write the whole table, with the news since the last event."""
        view = self.table.view
        shown = {"info": view.info, "board": view.board, "hand": view.hand, "offer": view.offer}
        event = "snapshot" if change.snapshot else "update"
        more = {"waiting": view.waiting, "can_undo": view.can_undo, "news": change.news}
        write(event, version=change.version, **shown, **more)
        self._talk(change)
        self._clock()

    def _talk(self, change: Change) -> None:
        said = [line for news in change.news if (line := find_chat_line(news, change.version))]
        for line in select_missed_lines(self.table.talk, self._last_line) if change.snapshot else said:
            self._last_line = line.line
            write("talk", **{"to": line.to, "seat": line.seat, **to_builtins(line)})

    def _clock(self) -> None:
        until = {waiting.seat: waiting.until for waiting in self.table.view.waiting}
        if until != self._until and any(until.values()):
            write("clock", left={seat: self.table.seconds_left(seat) for seat in until})
        self._until = until


def write_refused(refused: RequestRefused) -> None:
    write("refused", code=refused.code, sentence=refused.sentence, rule=refused.rule)


async def write_connection_status(table: Table) -> None:
    async for holds in follow_connection_status(table.connection):
        write("connection", holds=holds)


def write_over(table: Table) -> None:
    write("over", standings=table.standings)


async def write_pointed(table: Table) -> None:
    async for seat, action in table.pointers():
        write("pointed", seat=seat, action=action)


async def watch(table: Table, server: str) -> None:
    """Write every change of a table until the game is over."""
    write_table(table, server)
    telling = EventWriter(table)
    async with asyncio.TaskGroup() as tasks:
        beside = [tasks.create_task(write_connection_status(table)), tasks.create_task(write_pointed(table))]
        async for change in table.updates():
            telling.change(change)
        for task in beside:
            task.cancel()


class JsonPlayer:
    """Plays at a table for a program that reads events and writes commands."""

    def __init__(self, table: Table, server: str, lang: str, policy: str) -> None:
        self.table, self.server, self.lang, self.policy = table, server, lang, policy
        self._commands: asyncio.Queue[str | None] = asyncio.Queue(MOST_LINES)
        self._is_idle = asyncio.Event()  # set while no command is running
        self._wants_rematch = False  # whether the program asked to play again when this game is over

    async def play(self) -> None:
        """Write events and run commands until the game is over or the input ends."""
        read_lines(self._commands.put)
        await self._play_one()
        while self.table.is_over and self._wants_rematch:
            self._wants_rematch = False
            self.table = await self.table.rematch()
            await self._play_one()

    async def _play_one(self) -> None:
        async with asyncio.TaskGroup() as tasks:
            watching = tasks.create_task(watch(self.table, self.server))
            obeying = tasks.create_task(self._run_commands())
            await asyncio.wait([watching, obeying], return_when=asyncio.FIRST_COMPLETED)
            await self._is_idle.wait()
            for task in (watching, obeying):
                task.cancel()
        if self.table.is_over:
            write_over(self.table)

    async def _run_commands(self) -> None:
        """Run one command after the other until `quit` or the end of the input."""
        while (text := await self._next_line()) is not None:
            if text.strip() and not await self._run_command(text):
                break
        self._is_idle.set()

    async def _next_line(self) -> str | None:
        self._is_idle.set()
        text = await self._commands.get()
        self._is_idle.clear()
        return text

    async def _run_command(self, text: str) -> bool:
        """Run the command in a line; return False for `quit`."""
        command = parse_line(text)
        match command or {}:
            case {"quit": True}:
                return False
            case {"rematch": True}:
                self._wants_rematch = True
                write("done", version=self.table.version)
            case known if wanted := find_request(self.table, known, self.policy, self.lang):
                await self._write_answer(wanted)
            case _:
                key = "not json" if command is None else "not a command"
                write_refused(RequestRefused("malformed", label(self.lang, key)))
        return True

    async def _write_answer(self, request: TableRequest) -> None:
        try:
            match await request:
                case (str(event), dict(values)):
                    write(event, **values)
                case _:
                    write("done", version=self.table.version)
        except RequestRefused as refused:
            write_refused(refused)


def parse_line(text: str) -> dict[str, Any] | None:
    """Return the JSON object in a line; None if the line holds none."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return None
    return value if isinstance(value, dict) else None
