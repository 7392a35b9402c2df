"""The screen of a table, for players and spectators.

All events come through one queue: typed lines, changes of the table, answers to slash commands, the state of the
connection. The screen prints news at once. When the game is over, a user at a keyboard may go on with chat and
questions, and is asked about a rematch.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from ...exceptions import Disconnected, RequestRefused
from ...menu import InputError, Partial
from ...render.translations import label
from ...table import Change, Table
from ...view import WatchTerms
from ..connection_status import follow_connection_status
from ..format import countdown
from ..slash import SLASH_COMMANDS, agreements
from ..slash.explain import explain_result
from ..slash.registry import build_help, find_command
from .screen_events import (
    ClockTicked,
    CommandAnswered,
    ConnectionChanged,
    Outcome,
    PointerChanged,
    ScreenEvent,
    TableFailure,
)
from .table_view import TableView
from .terminal import NOTHING, Terminal, TypedLine

MOST_EVENTS = 64  # events in the queue; at the limit, their sources wait
MOST_ACTED = 100  # actions of this player that are remembered
YES, NO = {"y", "yes", "j", "ja"}, {"", "n", "no", "nein"}


class TableScreen:
    """Shows a table and handles input until the game is over or the user quits."""

    def __init__(
        self, view: TableView, terminal: Terminal, where: Sequence[str] = (), guest_arguments: Sequence[str] = ()
    ) -> None:
        self.view, self.table, self.terminal = view, view.table, terminal
        self.where = where  # the arguments with which this user reaches the server
        self.guest_arguments = guest_arguments  # the same for other users
        self.outcome: Outcome | None = None
        self._inbox: asyncio.Queue[ScreenEvent] = asyncio.Queue(MOST_EVENTS)
        self._tasks: asyncio.TaskGroup
        self._running: list[asyncio.Task[None]] = []
        self._failure: Exception | None = None
        self._running_commands = 0
        self.acted: deque[int] = deque(maxlen=MOST_ACTED)  # the versions of this player's actions
        self.refused_action: Partial | None = None  # the last refused action, which /why explains
        self.wants_rematch, self.next = False, self.table  # `next` becomes the table of the rematch
        self._is_game_over = False
        self._warned: int | None = None  # the deadline for which the screen has warned

    async def stay(self) -> Outcome:
        """Show the table until the game is over or the user quits; return how it ended."""
        async with asyncio.TaskGroup() as self._tasks:
            for pump in (
                self._read_changes,
                self._read_lines,
                self._read_connection_status,
                self._read_clock,
                self._read_pointers,
            ):
                self._run_task(pump())
            while self.outcome is None and self._failure is None:
                self._handle_event(await self._next_event())
            for task in self._running:
                task.cancel()
        if self._failure:
            raise self._failure
        assert self.outcome
        return self.outcome

    def _run_task(self, work: Coroutine[Any, Any, None]) -> None:
        """Run a task until it is done or the screen ends."""
        self._running = [task for task in self._running if not task.done()]
        self._running.append(self._tasks.create_task(work))

    # Events

    async def _read_changes(self) -> None:
        try:
            async for change in self.table.updates(after_end=True):
                await self._inbox.put(change)
        except (Disconnected, RequestRefused) as error:
            await self._inbox.put(TableFailure(error))

    async def _read_lines(self) -> None:
        while True:
            await self._inbox.put(await self.terminal.line())

    async def _read_connection_status(self) -> None:
        async for holds in follow_connection_status(self.table.connection):
            await self._inbox.put(ConnectionChanged(holds))

    async def _read_clock(self) -> None:
        async for _ in countdown.ticks():
            await self._inbox.put(ClockTicked())

    async def _read_pointers(self) -> None:
        with suppress(Disconnected, RequestRefused):  # `_read_changes` reports it
            async for seat, action in self.table.pointers():
                await self._inbox.put(PointerChanged(seat, action))

    async def _next_event(self) -> ScreenEvent | None:
        return await self._inbox.get()

    def _handle_event(self, event: ScreenEvent | None) -> None:
        match event:
            case Change():
                self._show_change(event)
            case TypedLine():
                self._handle_line(event)
            case ConnectionChanged(now):
                self.say(Text(self.label("found" if now else "lost"), "green" if now else "yellow"))
            case CommandAnswered(shown):
                self._show_answer(shown)
            case PointerChanged(seat, action):
                self.say(*self.view.render_pointer(seat, action))
            case ClockTicked():
                self._tick()
            case TableFailure(error):
                self._failure = error

    def _show_change(self, change: Change) -> None:
        self.say(*self.view.render_news(change))
        for news in change.news:
            agreements.forget_undone(self.acted, news, self.table.seat)
        if agreements.is_asked(self) and (change.snapshot or agreements.is_proposed(change)):
            self.warn("asked to go back")
        if change.over and not self._is_game_over:
            self._end_game()

    # The screen warns once per decision. Without a clock, only an optional offer has a deadline. The player loses
    # nothing when it passes, and the menu names the time.
    def _tick(self) -> None:
        """Update the time left in the prompt, and warn when it gets short."""
        left = countdown.own_seconds_left(self.table)
        until = self.table.own_deadline
        has_clock = self.table.info.clock is not None
        if has_clock and left is not None and left <= countdown.SHORT and until != self._warned:
            self._warned = until
            self.warn("time is short", left=countdown.format_time(left))
        self.terminal.remind(self._prompt_text())

    def _prompt_text(self) -> str:
        """Return the prompt."""
        return self.label("once more") if self._is_game_over else countdown.describe_wait(self.table, self.view.scene())

    # Input

    def _handle_line(self, line: TypedLine) -> None:
        if line.text is None:
            self._quit()
            return
        try:
            self._interpret(line.text.strip(), line.question)
        except InputError as mistake:
            self.warn(mistake.label, **mistake.values)
        if self.outcome is None:
            self._update_prompt()

    def _interpret(self, typed: str, question: int) -> None:
        if self._is_game_over and typed.lower() in YES | NO:
            self._answer_rematch(typed.lower() in YES)
        elif command := self._commands().get(typed.lower()):
            command()
        elif found := find_command(SLASH_COMMANDS, typed):
            self._start_command(found[0].run(self, found[1]))
        elif typed:
            self._choose(typed, question)

    def _commands(self) -> dict[str, Callable[[], None]]:
        """Return the commands that are single keys or words."""
        return {"b": self._show_boards, "s": self._show_log, "?": self._show_help, "q": self._quit}

    def _choose(self, typed: str, question: int) -> None:
        self.warn("nothing to choose")

    def _update_prompt(self) -> None:
        """Ask for a line, unless a slash command is still running."""
        if self._running_commands or self.outcome:
            return
        if self._is_game_over:
            self._offer_rematch()
        else:
            self._ask_for_line()

    def _ask_for_line(self) -> None:
        self.terminal.idle(self._prompt_text())

    def _quit(self) -> None:
        self.outcome = Outcome.OVER if self._is_game_over else Outcome.QUIT

    # After the game

    def _end_game(self) -> None:
        """Show the result and its explanation, and ask about a rematch."""
        self._is_game_over = True
        self.terminal.expire()
        self.say(self.view.render_ending())
        self._start_command(explain_result(self))

    def _offer_rematch(self) -> None:
        if self.wants_rematch:
            self._start_command(agreements.start_rematch(self, ""))
        elif self.terminal.is_attended:
            self.terminal.ask(self._prompt_text(), NOTHING)
        else:
            self.outcome = Outcome.OVER

    def _answer_rematch(self, more: bool) -> None:
        if more:
            self._start_command(agreements.start_rematch(self, ""))
        else:
            self._quit()

    async def join_rematch(self) -> None:
        """Join the table of the rematch, as a player or again as a spectator."""
        self.next = await (self._join_next_table() if self.table.seat is None else self.table.rematch())
        await self.table.unwatch()
        self.outcome = Outcome.AGAIN

    async def _join_next_table(self) -> Table:
        if self.table.info.next is None:
            raise InputError("no next game")
        return await Table.join(self.table.connection, self.table.info.next, WatchTerms())

    # Slash commands

    def _start_command(self, work: Coroutine[Any, Any, RenderableType | None]) -> None:
        """Run a slash command beside the game, and show its answer."""
        self._running_commands += 1
        self._run_task(self._run_command(work))

    async def _run_command(self, work: Coroutine[Any, Any, RenderableType | None]) -> None:
        try:
            await self._inbox.put(CommandAnswered(await work))
        except RequestRefused as refused:
            await self._inbox.put(CommandAnswered(self.refusal(refused)))
        except InputError as mistake:
            await self._inbox.put(CommandAnswered(self.warning(mistake.label, **mistake.values)))
        except Disconnected as error:
            await self._inbox.put(TableFailure(error))

    def _show_answer(self, shown: RenderableType | None) -> None:
        self._running_commands -= 1
        if shown is not None:
            self.say(shown)
        self._update_prompt()

    @property
    def may_choose(self) -> bool:
        """Whether the user can choose an action now."""
        return False

    def parse_action(self, typed: str) -> Partial:
        """Return the action that these numbers would choose."""
        raise InputError("nothing to choose")

    # On request

    def _show_boards(self) -> None:
        self.say(self.view.render_all_boards())

    def _show_log(self) -> None:
        self.say(*self.view.render_log())

    def _show_help(self) -> None:
        self.say(*self.view.render_help(self._help()))

    def _help(self) -> dict[str, dict[str, str]]:
        """Return the commands that the user can type now, with their descriptions, by the title of their group."""
        keys = [key for key in ("1 2 …", *self._commands()) if self._is_key_available(key)]
        commands = [command for command in SLASH_COMMANDS if command.is_available(self)]
        return build_help(keys, commands, self.view.lang)

    def _is_key_available(self, key: str) -> bool:
        """Return whether this key does something now."""
        return key != "1 2 …"

    @property
    def is_host(self) -> bool:
        """Whether this user is the host."""
        sitting = None if self.table.seat is None else self.table.info.seats[self.table.seat]
        return sitting.host if sitting else self.table.info.host == self.table.connection.welcome.name

    # Output

    def label(self, key: str, **values: object) -> str:
        return label(self.view.lang, key, **values)

    def warning(self, key: str, **values: object) -> Text:
        return Text(self.label(key, **values), "yellow")

    def warn(self, key: str, **values: object) -> None:
        self.say(self.warning(key, **values))

    def refusal(self, refused: RequestRefused) -> Text:
        """Render a refusal, with its rule if there is one."""
        return self.view.render_refusal(refused)

    def say(self, *what: RenderableType) -> None:
        if what:
            self.terminal.say(*what)
