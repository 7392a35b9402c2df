"""Somebody who plays: he chooses from what is offered to him, in his own time.

News are printed at once; the menu only when the table has come to rest for a moment. A menu stands for the offer it was
made of: as soon as that changes, what is typed answers nothing until the new menu is shown.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from msgspec import Struct
from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.offers import Choice

from ...exceptions import ActionRefused, Disconnected, RequestRefused
from ...menu import Number, Partial
from ...render.terminal.layout import NUMBER
from ...render.text.render_context import RenderContext
from ...table import Change
from ..format.countdown import own_time, timed
from ..shell_hints import named, playing
from ..slash.explain import reworded
from ..slash.host import is_replaced
from ..slash.registry import LEAVE
from . import waiting_room
from .menu_state import Choosing, Offered
from .prompt import invitation
from .screen_events import Event, Outcome, Trouble
from .table_screen import Presence
from .table_view import Sight
from .terminal import NOTHING, Terminal

AT_REST, AT_ONCE = 0.08, 0.005  # seconds without news after which the menu is shown
START = "start"  # the one thing to be done at a table before the game


class Ended(Struct, frozen=True):
    """What we asked the server for is done, or was refused."""

    refused: RequestRefused | None = None


class Sitting(Presence):
    """Somebody sits at a table until the game is over or he goes."""

    def __init__(
        self,
        sight: Sight,
        terminal: Terminal,
        where: Sequence[str] = (),
        way_in: Sequence[str] = (),
        *,
        policy: str = "greedy",
    ) -> None:
        super().__init__(sight, terminal, where, way_in)
        self.policy = policy  # of the bots that take free seats
        self._said, self._is_sure = "", False  # whoever says the same again is sure
        self._choosing = Choosing(sight.words)
        self._is_acting = False
        self._was_choosing = False  # when the offer changed
        self._is_out_of_date = True
        self._told: int | None = None  # the last version of which news were told
        self._waited: list[int] = []  # of whom it was said that they are waited for

    # What happens

    async def _event(self) -> Event | None:
        """The next thing that happens; or nothing, when a menu is due and the table is at rest."""
        if self._is_acting or not self._is_out_of_date:
            return await super()._event()
        try:
            async with asyncio.timeout(self._rest()):
                return await super()._event()
        except TimeoutError:
            return None

    # While only we are waited for, nothing will happen.
    def _rest(self) -> float:
        return AT_ONCE if {waiting.seat for waiting in self.table.view.waiting} <= {self.table.seat} else AT_REST

    def _take(self, event: Event | None) -> None:
        match event:
            case None if self._told == self.table.version:  # or else news are on their way
                self._refresh()
            case Ended(refused):
                self._settle(refused)
            case _:
                super()._take(event)

    def _tell(self, change: Change) -> None:
        super()._tell(change)
        self._told = change.version
        if self._is_after:
            return
        self._is_out_of_date = True
        if not self._choosing.stands(self._now(), self.sight.scene()):
            self.terminal.expire()

    def _end(self) -> None:
        self._is_out_of_date = False
        self._choosing.close()
        super()._end()

    # The menu

    def _now(self) -> Offered:
        """What can be chosen now: before the game only that it begin."""
        if self.table.info.status == "open":
            people = waiting_room.told(self.table.info, self.table.seat, self.sight.lang)
            return Offered([Choice(START)] if self.is_host else [], is_awaited=True, people=people)
        offer = self.table.view.offer
        choices = self.sight.words.filter_choices(offer.choices, self.sight.scene()) if offer else []
        return Offered(choices, self.table.must_decide, offer.id if offer else 0)

    def _refresh(self) -> None:
        """Show the menu if it is another one than that on the screen."""
        self._is_out_of_date = False
        now, choosing = self._now(), self._choosing
        if choosing.generation and choosing.stands(now, self.sight.scene()):
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
            self.warn("changed")
        if was_choosing and choosing.steps:
            self.warn("kept")

    def _show(self) -> None:
        scene, choosing = self.sight.scene(), self._choosing
        if not choosing.steps:
            self.say(*self._surroundings(scene))
        if asked := choosing.ask(scene):
            choices, chosen = choosing.offered.choices, choosing.chosen
            menu = self._start_menu() if self._is_waiting_room else self.sight.menu(asked, choices, chosen, scene)
            self.say(menu, *([self._way_back()] if choosing.steps else []))
        self._prompt()

    def _surroundings(self, scene: RenderContext) -> list[RenderableType]:
        """Where we are, what has changed, and what to know before deciding."""
        if self._is_waiting_room:
            return self.sight.room()
        parts = [*self.sight.heading(scene), *self.sight.boards(scene)]
        parts += self.sight.clocks(scene) if parts else []
        if self._choosing.offered.choices:
            parts += [*self.sight.remarks(scene), *self._turn(scene)]
        return parts

    def _turn(self, scene: RenderContext) -> list[RenderableType]:
        """Whether the others wait for us, and for how long."""
        until = next((each.until for each in self.table.view.waiting if each.seat == scene.seat), None)
        title = Text(scene.label("your turn" if self._choosing.offered.is_awaited else "you may"), "bold green")
        if until:
            title.append("  " + scene.label("until", time=time.strftime("%H:%M:%S", time.localtime(until / 1000))))
        return [self.sight.title(title)]

    def _start_menu(self) -> RenderableType:
        key = "fill and start" if self.table.free_seats else "start now"
        return Text.assemble(("  1", NUMBER), " ", self.label(key))

    def _way_back(self) -> RenderableType:
        key = "u" if isinstance(self._choosing.asked, Number) else "0"
        return Text.assemble((f"  {key}", NUMBER), " ", (self.label("back"), "dim"))

    @property
    def _is_waiting_room(self) -> bool:
        return self.table.info.status == "open"

    def _invite(self) -> None:
        """Ask for a line: of him who is waited for, or of him who would like to say something."""
        choosing = self._choosing
        if self._is_out_of_date:
            return
        if choosing.asked and choosing.offered.is_awaited:
            self.terminal.ask(self._question(), choosing.generation)
        elif not self._is_acting:
            self._announce()
            self.terminal.idle(self._question(), choosing.generation if choosing.asked else NOTHING)

    def _announce(self) -> None:
        """Say who is waited for, where no prompt shows it all the time."""
        waited = [waiting.seat for waiting in self.table.view.waiting]
        if waited != self._waited and not self.terminal.draws_prompts:
            self.say(Text(self._question(), "dim"))
        self._waited = waited

    def _question(self) -> str:
        scene, choosing = self.sight.scene(), self._choosing
        if self._is_after:
            return super()._question()
        if self._is_acting:
            return "…"
        if choosing.asked and choosing.offered.is_awaited:
            return timed(invitation(choosing.asked, scene), own_time(self.table))
        if self._is_waiting_room:
            return waiting_room.waited_for(self.table.info, self.table.seat, scene.lang)
        return self.label("a bot plays") if is_replaced(self) else super()._question()

    # What is typed

    def _understand(self, typed: str, question: int) -> None:
        self._is_sure, self._said = typed == self._said, typed
        super()._understand(typed, question)

    def _commands(self) -> dict[str, Callable[[], None]]:
        own = {"u": self._undo, "h": self._show_hand, **dict.fromkeys(LEAVE.values(), self._leave)}
        is_number = isinstance(self._choosing.asked, Number)  # to which 0 may be an answer
        return {**({} if is_number else {"0": self._back}), **super()._commands(), **own}

    def _choose(self, typed: str, question: int) -> None:
        if self._choosing.asked is None:
            self.warn("nothing to choose")
        elif question == self._choosing.generation:
            self._decide(typed)
        elif self._is_out_of_date:
            self._was_choosing = True  # the new menu comes in a moment
        else:
            self.warn("changed")

    def _decide(self, typed: str) -> None:
        self._choosing.answer(typed)
        if self._choosing.is_whole:
            self._act(self._choosing.chosen)
        else:
            self._show()

    @property
    def may_choose(self) -> bool:
        return self._choosing.asked is not None and not self._is_waiting_room

    def meant(self, typed: str) -> Partial:
        return self._choosing.meant(typed)

    def _back(self) -> None:
        """One step back, or the same menu again."""
        if self._choosing.asked is None:
            self.warn("nothing to choose")
            return
        self._choosing.back()
        self._show()

    def _undo(self) -> None:
        if self._choosing.steps:
            self._back()
        elif self._can_go_back and not self._is_acting:
            self._do(self.table.undo())
        else:
            self.warn("cannot undo")

    @property
    def _can_go_back(self) -> bool:
        return bool(self._choosing.steps) or self.table.view.can_undo

    # What is asked of the server

    def _act(self, action: Partial) -> None:
        self._do(self._start() if self._is_waiting_room else self.carry_out(self._choosing.offered.id, action))

    async def carry_out(self, offer: int, action: Partial) -> None:
        """Answer an offer; what is refused can be asked about."""
        self.refused_action = action
        try:
            self.acted.append(await self.table.act(offer, action))
            self.refused_action = None
        except ActionRefused as refused:
            raise await reworded(self, action, refused) from None

    async def _start(self) -> None:
        await self.table.fill(self.policy)
        await self.table.start()

    def _leave(self) -> None:
        if self._is_sure:
            self._do(self._give_up())
        else:
            self.warn(self._consequence)
            self.terminal.dictate(playing(named(self.table.id, self.table.view.terms.invitation), self.where))

    @property
    def _consequence(self) -> str:
        """What happens if we leave."""
        if not self._is_waiting_room:
            return "leave running"
        return "leave host" if self.is_host else "leave open"

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
            self.say(self.refusal(refused))

    # What is shown when asked for

    def _show_hand(self) -> None:
        self.say(self.sight.hand())

    def _makes_sense(self, key: str) -> bool:
        choosing = self._choosing
        return {"1 2 …": choosing.asked is not None, "0": bool(choosing.steps), "u": self._can_go_back}.get(key, True)
