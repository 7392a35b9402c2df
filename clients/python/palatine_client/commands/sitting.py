"""Somebody at a table: he sees what happens, and chooses from what is offered to him, in his own time.

Everything that happens comes through one inbox: what is typed, what the table tells, how an action ended, whether the
connection holds. News are printed at once; the menu only when the table has come to rest for a moment. A menu stands
for the offer it was made of: as soon as that changes, what is typed answers nothing until the new menu is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine
from enum import Enum
from typing import Any

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.offers import Choice

from ..drawing.arranging import NUMBER
from ..exceptions import Disconnected, RequestRefused
from ..labels import label, refusal
from ..table import Change
from ..words.menu import Mistake, Number, Partial
from ..words.scene import Scene
from .choosing import Choosing, Offered
from .screen import invitation
from .sight import Sight
from .terminal import NOTHING, Line, Terminal
from .weather import weather

AT_REST, AT_ONCE = 0.08, 0.005  # seconds without news after which the menu is shown
MOST_EVENTS = 64  # that wait to be looked at; whoever brings more has to wait too
START = "start"  # the one thing to be done at a table before the game


class Outcome(Enum):
    """How somebody came to stand up."""

    OVER = "the game is over"
    QUIT = "he comes back later"
    LEFT = "he gave his seat up"


class Holds(Struct, frozen=True):
    """The connection is lost, or holds again."""

    now: bool


class Ended(Struct, frozen=True):
    """What we asked the server for is done, or was refused."""

    refused: RequestRefused | None = None


class Trouble(Struct, frozen=True):
    """We are cut off from the table for good."""

    error: Exception


Event = Line | Change | Holds | Ended | Trouble


class Sitting:
    """Somebody sits at a table until the game is over or he goes."""

    def __init__(self, sight: Sight, terminal: Terminal, *, may_start: bool = False, policy: str = "greedy") -> None:
        self.sight, self.table, self.terminal = sight, sight.table, terminal
        self.may_start, self.policy = may_start, policy
        self.outcome: Outcome | None = None
        self._inbox: asyncio.Queue[Event] = asyncio.Queue(MOST_EVENTS)
        self._tasks: asyncio.TaskGroup
        self._running: list[asyncio.Task[None]] = []
        self._trouble: Exception | None = None
        self._choosing = Choosing(sight.words)
        self._is_acting = False
        self._was_choosing = False  # when the offer changed
        self._is_out_of_date = True

    async def play(self) -> Outcome:
        """Play until the end."""
        async with asyncio.TaskGroup() as self._tasks:
            for pump in (self._listen, self._type, self._look_up):
                self._begin(pump())
            while self.outcome is None and self._trouble is None:
                self._take(await self._event())
            for task in self._running:
                task.cancel()
        if self._trouble:
            raise self._trouble
        assert self.outcome
        return self.outcome

    def _begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Let something run beside us until it is done or we go."""
        self._running = [task for task in self._running if not task.done()]
        self._running.append(self._tasks.create_task(work))

    # What happens

    async def _listen(self) -> None:
        try:
            async for change in self.table.updates():
                await self._inbox.put(change)
        except (Disconnected, RequestRefused) as error:
            await self._inbox.put(Trouble(error))

    async def _type(self) -> None:
        while True:
            await self._inbox.put(await self.terminal.line())

    async def _look_up(self) -> None:
        async for holds in weather(self.table.connection):
            await self._inbox.put(Holds(holds))

    async def _event(self) -> Event | None:
        """The next thing that happens; or nothing, when a menu is due and the table is at rest."""
        if self._is_acting or not self._is_out_of_date:
            return await self._inbox.get()
        try:
            async with asyncio.timeout(self._rest()):
                return await self._inbox.get()
        except TimeoutError:
            return None

    # While only we are waited for, nothing will happen.
    def _rest(self) -> float:
        return AT_ONCE if {waiting.seat for waiting in self.table.view.waiting} <= {self.table.seat} else AT_REST

    def _take(self, event: Event | None) -> None:
        match event:
            case None:
                self._refresh()
            case Change():
                self._tell(event)
            case Line():
                self._read(event)
            case Holds(now):
                self._say(Text(self._label("found" if now else "lost"), "green" if now else "yellow"))
            case Ended(refused):
                self._settle(refused)
            case Trouble(error):
                self._trouble = error

    def _tell(self, change: Change) -> None:
        self._say(*self.sight.news(change))
        self._is_out_of_date = True
        if not self._choosing.stands(self._now(), self.sight.scene()):
            self.terminal.expire()

    # The menu

    def _now(self) -> Offered:
        """What can be chosen now: before the game only that it begin."""
        if self.table.info.status == "open":
            people = self.sight.scene().people
            return Offered([Choice(START)] if self.may_start else [], is_awaited=True, people=people)
        offer = self.table.view.offer
        choices = self.sight.words.visible(offer.choices, self.sight.scene()) if offer else []
        return Offered(choices, self.table.must_decide, offer.id if offer else 0)

    def _refresh(self) -> None:
        """Show the menu if it is another one than that on the screen."""
        self._is_out_of_date = False
        now, choosing = self._now(), self._choosing
        if self.table.is_over:
            self.outcome = Outcome.OVER
        elif choosing.generation and choosing.stands(now, self.sight.scene()):
            choosing.offered = now
            self._prompt()
        else:
            self._renew(now)
            self._show()

    def _renew(self, now: Offered) -> None:
        """Make a new menu, and tell somebody who was choosing what has become of his choice."""
        choosing = self._choosing
        is_typing = self.terminal.is_typing and bool(choosing.offered.choices)
        was_choosing, self._was_choosing = self._was_choosing or bool(choosing.steps) or is_typing, False
        choosing.renew(now)
        if was_choosing:
            self._warn("changed")
        if was_choosing and choosing.steps:
            self._warn("kept")

    def _show(self) -> None:
        scene, choosing = self.sight.scene(), self._choosing
        if not choosing.steps:
            self._say(*self._surroundings(scene))
        if asked := choosing.ask(scene):
            choices, chosen = choosing.offered.choices, choosing.chosen
            menu = self._start_menu() if self._is_waiting_room else self.sight.menu(asked, choices, chosen, scene)
            self._say(menu, *([self._way_back()] if choosing.steps else []))
        self._prompt()

    def _surroundings(self, scene: Scene) -> list[RenderableType]:
        """Where we are, what has changed, and what to know before deciding."""
        if self._is_waiting_room:
            return [Text(self.sight.people())]
        parts = [*self.sight.heading(scene), *self.sight.boards(scene)]
        if self._choosing.offered.choices:
            parts += [*self.sight.remarks(scene), *self._turn(scene)]
        return parts

    def _turn(self, scene: Scene) -> list[RenderableType]:
        """Whether the others wait for us, and for how long."""
        until = next((each.until for each in self.table.view.waiting if each.seat == scene.seat), None)
        title = Text(scene.label("your turn" if self._choosing.offered.is_awaited else "you may"), "bold green")
        if until:
            title.append("  " + scene.label("until", time=time.strftime("%H:%M:%S", time.localtime(until / 1000))))
        return [self.sight.title(title)]

    def _start_menu(self) -> RenderableType:
        key = "fill and start" if None in self.table.info.seats else "start now"
        return Text.assemble(("  1", NUMBER), " ", self._label(key))

    def _way_back(self) -> RenderableType:
        key = "u" if isinstance(self._choosing.asked, Number) else "0"
        return Text.assemble((f"  {key}", NUMBER), " ", (self._label("back"), "dim"))

    @property
    def _is_waiting_room(self) -> bool:
        return self.table.info.status == "open"

    def _prompt(self) -> None:
        """Ask for a line: of him who is waited for, or of him who would like to say something."""
        scene, choosing = self.sight.scene(), self._choosing
        if choosing.asked and choosing.offered.is_awaited:
            self.terminal.ask(invitation(choosing.asked, scene), choosing.generation)
        elif not self._is_acting:
            self.terminal.idle(self._waiting(scene), choosing.generation if choosing.asked else NOTHING)

    def _waiting(self, scene: Scene) -> str:
        if self._is_waiting_room:
            host = self.table.info.host
            return scene.label("wait for players" if None in self.table.info.seats else "wait for host", host=host)
        others = [scene.name(seat) for seat in scene.waiting if seat != scene.seat]
        return scene.label("waiting", who=scene.listed(others)) if others else scene.label("waiting for all")

    # What is typed

    def _read(self, line: Line) -> None:
        if line.text is None:
            self.outcome = Outcome.QUIT
            return
        word = line.text.strip()
        command = self._commands().get(word.lower())
        if command and not (word == "0" and isinstance(self._choosing.asked, Number)):
            command()
        elif word:
            self._choose(word, line.question)
        if self.outcome is None and not self._is_out_of_date:
            self._prompt()

    def _commands(self) -> dict[str, Callable[[], None]]:
        return {
            "0": self._back,
            "u": self._undo,
            "b": self._show_boards,
            "h": self._show_hand,
            "s": self._show_log,
            "?": self._show_help,
            "q": self._quit,
            "leave": self._leave,
        }

    def _choose(self, word: str, generation: int) -> None:
        if self._choosing.asked is None:
            self._warn("nothing to choose")
        elif generation == self._choosing.generation:
            self._answer(word)
        elif self._is_out_of_date:
            self._was_choosing = True  # the new menu comes in a moment
        else:
            self._warn("changed")

    def _answer(self, word: str) -> None:
        try:
            self._choosing.answer(word)
        except Mistake as mistake:
            self._warn(mistake.label, **mistake.values)
            return
        if self._choosing.is_whole:
            self._act(self._choosing.chosen)
        else:
            self._show()

    def _back(self) -> None:
        """One step back, or the same menu again."""
        if self._choosing.asked is None:
            self._warn("nothing to choose")
            return
        self._choosing.back()
        self._show()

    def _undo(self) -> None:
        if self._choosing.steps:
            self._back()
        elif self.table.view.can_undo and not self._is_acting:
            self._do(self.table.undo())
        else:
            self._warn("cannot undo")

    def _quit(self) -> None:
        self.outcome = Outcome.QUIT

    # What is asked of the server

    def _act(self, action: Partial) -> None:
        self._do(self._start() if self._is_waiting_room else self.table.act(self._choosing.offered.id, action))

    async def _start(self) -> None:
        await self.table.fill(self.policy)
        await self.table.start()

    def _leave(self) -> None:
        self._do(self._give_up())

    async def _give_up(self) -> None:
        await self.table.leave()
        self.outcome = Outcome.LEFT

    def _do(self, request: Coroutine[Any, Any, None]) -> None:
        self._is_acting = True
        self._choosing.pause()
        self.terminal.idle("…")
        self._begin(self._carry_out(request))

    async def _carry_out(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await request
            await self._inbox.put(Ended())
        except RequestRefused as refused:
            await self._inbox.put(Ended(refused))
        except Disconnected as error:
            await self._inbox.put(Trouble(error))

    def _settle(self, refused: RequestRefused | None) -> None:
        self._is_acting, self._is_out_of_date = False, True
        self._choosing.close()
        if refused:
            sentence = refusal(self.sight.lang, refused.code, refused.sentence)
            self._warn("refused", sentence=sentence)

    # What is shown when asked for

    def _show_boards(self) -> None:
        self._say(self.sight.all_boards())

    def _show_hand(self) -> None:
        self._say(self.sight.hand())

    def _show_log(self) -> None:
        self._say(*self.sight.log())

    def _show_help(self) -> None:
        keys = {key: self._label(f"help {key}") for key in self._commands()}
        self._say(*self.sight.help({"1 2 …": self._label("help numbers"), **keys}))

    # Speaking

    def _label(self, key: str, **values: object) -> str:
        return label(self.sight.lang, key, **values)

    def _warn(self, key: str, **values: object) -> None:
        self._say(Text(self._label(key, **values), "yellow"))

    def _say(self, *what: RenderableType) -> None:
        if what:
            self.terminal.say(*what)
