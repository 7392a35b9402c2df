"""The runner: it carries the steps of the core out, with a server behind it and a memory beside it.

Rendering takes a few milliseconds, so each stretch of the core between two steps runs in a worker thread. There is one
such thread: more would not render faster, because they share the interpreter, and each would slow the event loop down.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, ParamSpec, Protocol, TypeVar

from msgspec.structs import replace

from palatine_protocol.messages import AnyReply, AnyRequest, Refused

from .chat_events import ChatEvent, Person
from .chat_memory import ChatMemory, TableRecord
from .clicks import handle_event
from .messages.chat_messages import ChatAnswer
from .steps import (
    AddTable,
    AskServer,
    ChangeMember,
    ChatView,
    FindPerson,
    FindTable,
    GameFacts,
    Handling,
    ListTableRecords,
    SavePerson,
    SeeGame,
    SeeTable,
    Step,
)

P = ParamSpec("P")
T = TypeVar("T")


class ServerAway(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """The game server does not answer now."""


class ChatBackend(Protocol):
    """The game server, as the people of a chat."""

    async def ask(self, person: Person, request: AnyRequest) -> AnyReply:
        """Send a request as a person; raise ServerAway."""

    async def see(self, table: str, person: Person | None, invitation: str = "") -> ChatView | Refused:
        """Return what a person, or a spectator, sees of a table; raise ServerAway."""

    async def see_game(self, game: str, lang: str) -> GameFacts | Refused:
        """Return the facts of a game; raise ServerAway."""


class TableNotes(Protocol):
    """Is told about new tables, so that it can post them."""

    def note_table(self, record: TableRecord) -> None:
        """Follow this table from now on."""


class ChatRunner:
    """Handles the events of a chat network."""

    def __init__(self, backend: ChatBackend, memory: ChatMemory, notes: TableNotes | None = None) -> None:
        self.backend, self.memory, self.notes = backend, memory, notes
        self._thread = ThreadPoolExecutor(1, "palatine-chat")
        self._changes = asyncio.Lock()  # a record is read and written again without another change in between

    async def handle(self, event: ChatEvent) -> ChatAnswer:
        """Return the answer of the core to an event; raise ServerAway."""
        handling, result = handle_event(event), None
        while True:
            step = await self.render(advance, handling, result)
            if isinstance(step, Finished):
                return step.answer
            result = await self.carry_out(step)

    async def render(self, work: Callable[P, T], *values: P.args, **named: P.kwargs) -> T:
        """Return the result of work that takes longer than a millisecond, which runs outside of the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, partial(work, *values, **named))

    async def carry_out(self, step: Step) -> Any:
        """Carry one step out, and return its result."""
        match step:
            case AskServer(person, request):
                return await self.backend.ask(person, request)
            case SeeTable(table, viewer, invitation):
                return await self.backend.see(table, viewer, invitation)
            case SeeGame(game, lang):
                return await self.backend.see_game(game, lang)
            case _:
                return await self.use_memory(step)

    async def use_memory(self, step: Step) -> Any:
        match step:
            case FindTable(table):
                return await self.memory.find_table(table)
            case ListTableRecords(community, channel):
                return select_records(await self.memory.list_tables(), community, channel)
            case AddTable(record):
                await self.add_table(record)
            case ChangeMember(table, person, is_member):
                await (self.memory.add_member if is_member else self.memory.remove_member)(table, person)
            case FindPerson(person):
                return await self.memory.find_person(person)
            case SavePerson(saved):
                await self.memory.save_person(saved)
        return None

    async def add_table(self, record: TableRecord) -> None:
        await self.memory.add_table(record)
        if self.notes:
            self.notes.note_table(record)

    async def change_record(self, table: str, **changes: Any) -> TableRecord | None:
        """Change some fields of a record, and return it; None if the table is forgotten."""
        async with self._changes:
            record = await self.memory.find_table(table)
            if record is not None:
                record = replace(record, **changes)
                await self.memory.save_table(record)
            return record


class Finished:
    """The end of a handling."""

    def __init__(self, answer: ChatAnswer) -> None:
        self.answer = answer


def advance(handling: Handling, result: Any) -> Step | Finished:
    """Go on to the next step, or to the answer."""
    try:
        return handling.send(result)
    except StopIteration as stop:
        return Finished(stop.value)


def select_records(records: list[TableRecord], community: str, channel: str) -> list[TableRecord]:
    """Return the table of a thread, or else the tables of a channel."""
    of_thread = [record for record in records if record.thread == channel and channel]
    return of_thread or [record for record in records if (record.community, record.channel) == (community, channel)]
