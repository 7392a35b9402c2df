"""The screen of a player, who chooses from the offers of the table.

The screen prints news at once, but the menu only when no news have arrived for a moment. A menu belongs to one offer:
when the offer changes, typed numbers answer nothing until the new menu is shown.
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
from ...menu import Number, Partial, Question
from ...render.terminal.layout import NUMBER
from ...render.text.render_context import RenderContext
from ...table import Change
from ..format.countdown import add_time_left, own_seconds_left
from ..shell_hints import add_invitation, build_play_command
from ..slash.explain import translate_refusal
from ..slash.host import is_replaced
from ..slash.registry import LEAVE
from . import waiting_room
from .menu_state import MenuOffer, MenuState
from .prompt import describe_expected_input
from .screen_events import Outcome, ScreenEvent, TableFailure
from .table_screen import TableScreen
from .table_view import TableView
from .terminal import NOTHING, Terminal

AT_REST, AT_ONCE = 0.08, 0.005  # seconds without news after which the menu is shown
START = "start"  # the only choice before the game


class RequestEnded(Struct, frozen=True):
    """A request of the player was carried out or refused."""

    refused: RequestRefused | None = None


class PlayerScreen(TableScreen):
    """Shows a table to a player until the game is over or the player quits."""

    def __init__(
        self,
        view: TableView,
        terminal: Terminal,
        where: Sequence[str] = (),
        guest_arguments: Sequence[str] = (),
        *,
        policy: str = "greedy",
    ) -> None:
        super().__init__(view, terminal, where, guest_arguments)
        self.policy = policy  # the policy of the bots that fill free seats
        self._last_typed, self._is_repeated = "", False  # repeating a command confirms it
        self._menu = MenuState(view.words)
        self._is_request_pending = False
        self._choice_interrupted = False  # the offer changed while the player was choosing
        self._is_out_of_date = True
        self._shown_version: int | None = None  # the last version whose news were printed
        self._announced_seats: list[int] = []  # the seats of the last announcement

    # Events

    async def _next_event(self) -> ScreenEvent | None:
        """Return the next event; None if a menu is due and no news have arrived for a moment."""
        if self._is_request_pending or not self._is_out_of_date:
            return await super()._next_event()
        try:
            async with asyncio.timeout(self._menu_delay()):
                return await super()._next_event()
        except TimeoutError:
            return None

    # While the table waits only for this player, no news will arrive.
    def _menu_delay(self) -> float:
        return AT_ONCE if {waiting.seat for waiting in self.table.view.waiting} <= {self.table.seat} else AT_REST

    def _handle_event(self, event: ScreenEvent | None) -> None:
        match event:
            case None if self._shown_version == self.table.version:  # in every other case news are about to arrive
                self._refresh_menu()
            case RequestEnded(refused):
                self._finish_request(refused)
            case _:
                super()._handle_event(event)

    def _show_change(self, change: Change) -> None:
        super()._show_change(change)
        self._shown_version = change.version
        if self._is_game_over:
            return
        self._is_out_of_date = True
        if not self._menu.is_valid_for(self._build_offer(), self.view.scene()):
            self.terminal.expire()

    def _end_game(self) -> None:
        self._is_out_of_date = False
        self._menu.close()
        super()._end_game()

    # The menu

    def _build_offer(self) -> MenuOffer:
        """Return the offer that the player can answer now; before the game, the only choice is to start it."""
        if self.table.info.status == "open":
            people = waiting_room.describe_room(self.table.info, self.table.seat, self.view.lang)
            return MenuOffer([Choice(START)] if self.is_host else [], is_awaited=True, people=people)
        offer = self.table.view.offer
        choices = self.view.words.filter_choices(offer.choices, self.view.scene()) if offer else []
        return MenuOffer(choices, self.table.must_decide, offer.id if offer else 0)

    def _refresh_menu(self) -> None:
        """Show the menu if it differs from the one on the screen."""
        self._is_out_of_date = False
        now, menu = self._build_offer(), self._menu
        if menu.generation and menu.is_valid_for(now, self.view.scene()):
            menu.offered = now
            self._update_prompt()
        else:
            self._renew_menu(now)
            self._show_menu()

    def _renew_menu(self, now: MenuOffer) -> None:
        """Build a new menu, and warn a player who was choosing that it changed."""
        menu = self._menu
        is_typing = self.terminal.is_typing and bool(menu.offered.choices)
        was_choosing, self._choice_interrupted = self._choice_interrupted or bool(menu.steps) or is_typing, False
        menu.renew(now)
        if was_choosing:
            self.warn("changed")
        if was_choosing and menu.steps:
            self.warn("kept")

    def _show_menu(self) -> None:
        scene, menu = self.view.scene(), self._menu
        if not menu.steps:
            self.say(*self._render_surroundings(scene))
        if asked := menu.ask(scene):
            self.say(self._render_menu(asked, scene), *([self._render_way_back()] if menu.steps else []))
        self._update_prompt()

    def _render_menu(self, asked: Question, scene: RenderContext) -> RenderableType:
        if self._is_waiting_room:
            return self._render_start_menu()
        return self.view.render_menu(asked, self._menu.offered.choices, self._menu.chosen, scene)

    def _render_surroundings(self, scene: RenderContext) -> list[RenderableType]:
        """Render the heading, the changed boards, and the remarks that a player needs before a decision."""
        if self._is_waiting_room:
            return self.view.render_room()
        parts = [*self.view.render_heading(scene), *self.view.render_changed_boards(scene)]
        parts += self.view.render_clocks(scene) if parts else []
        if self._menu.offered.choices:
            parts += [*self.view.render_remarks(scene), *self._render_turn(scene)]
        return parts

    def _render_turn(self, scene: RenderContext) -> list[RenderableType]:
        """Render the title of the menu: whether the table waits for this player, and until when."""
        until = next((each.until for each in self.table.view.waiting if each.seat == scene.seat), None)
        title = Text(scene.label("your turn" if self._menu.offered.is_awaited else "you may"), "bold green")
        if until:
            title.append("  " + scene.label("until", time=time.strftime("%H:%M:%S", time.localtime(until / 1000))))
        return [self.view.render_title(title)]

    def _render_start_menu(self) -> RenderableType:
        key = "fill and start" if self.table.free_seats else "start now"
        return Text.assemble(("  1", NUMBER), " ", self.label(key))

    def _render_way_back(self) -> RenderableType:
        key = "u" if isinstance(self._menu.asked, Number) else "0"
        return Text.assemble((f"  {key}", NUMBER), " ", (self.label("back"), "dim"))

    @property
    def _is_waiting_room(self) -> bool:
        return self.table.info.status == "open"

    def _ask_for_line(self) -> None:
        """Ask for a choice if the table waits for this player, otherwise for any command."""
        menu = self._menu
        if self._is_out_of_date:
            return
        if menu.asked and menu.offered.is_awaited:
            self.terminal.ask(self._prompt_text(), menu.generation)
        elif not self._is_request_pending:
            self._announce_wait()
            self.terminal.idle(self._prompt_text(), menu.generation if menu.asked else NOTHING)

    def _announce_wait(self) -> None:
        """Print for whom the table waits, if the terminal has no permanent prompt."""
        waited = [waiting.seat for waiting in self.table.view.waiting]
        if waited != self._announced_seats and not self.terminal.draws_prompts:
            self.say(Text(self._prompt_text(), "dim"))
        self._announced_seats = waited

    def _prompt_text(self) -> str:
        scene, menu = self.view.scene(), self._menu
        if self._is_game_over:
            return super()._prompt_text()
        if self._is_request_pending:
            return "…"
        if menu.asked and menu.offered.is_awaited:
            return add_time_left(describe_expected_input(menu.asked, scene), own_seconds_left(self.table))
        if self._is_waiting_room:
            return waiting_room.describe_wait(self.table.info, self.table.seat, scene.lang)
        return self.label("a bot plays") if is_replaced(self) else super()._prompt_text()

    # Input

    def _interpret(self, typed: str, question: int) -> None:
        self._is_repeated, self._last_typed = typed == self._last_typed, typed
        super()._interpret(typed, question)

    def _commands(self) -> dict[str, Callable[[], None]]:
        own = {"u": self._undo, "h": self._show_hand, **dict.fromkeys(LEAVE.values(), self._leave)}
        is_number = isinstance(self._menu.asked, Number)  # 0 may be an answer to it
        return {**({} if is_number else {"0": self._back}), **super()._commands(), **own}

    def _choose(self, typed: str, question: int) -> None:
        if self._menu.asked is None:
            self.warn("nothing to choose")
        elif question == self._menu.generation:
            self._decide(typed)
        elif self._is_out_of_date:
            self._choice_interrupted = True  # the new menu follows in a moment
        else:
            self.warn("changed")

    def _decide(self, typed: str) -> None:
        self._menu.answer(typed)
        if self._menu.is_complete:
            self._act(self._menu.chosen)
        else:
            self._show_menu()

    @property
    def may_choose(self) -> bool:
        return self._menu.asked is not None and not self._is_waiting_room

    def parse_action(self, typed: str) -> Partial:
        return self._menu.parse_action(typed)

    def _back(self) -> None:
        """Drop the last answer, or show the same menu again."""
        if self._menu.asked is None:
            self.warn("nothing to choose")
            return
        self._menu.back()
        self._show_menu()

    def _undo(self) -> None:
        if self._menu.steps:
            self._back()
        elif self._can_go_back and not self._is_request_pending:
            self._send_request(self.table.undo())
        else:
            self.warn("cannot undo")

    @property
    def _can_go_back(self) -> bool:
        return bool(self._menu.steps) or self.table.view.can_undo

    # Requests

    def _act(self, action: Partial) -> None:
        self._send_request(self._start() if self._is_waiting_room else self.act_on_offer(self._menu.offered.id, action))

    async def act_on_offer(self, offer: int, action: Partial) -> None:
        """Answer an offer; /why explains a refused action."""
        self.refused_action = action
        try:
            self.acted.append(await self.table.act(offer, action))
            self.refused_action = None
        except ActionRefused as refused:
            raise await translate_refusal(self, action, refused) from None

    async def _start(self) -> None:
        await self.table.fill(self.policy)
        await self.table.start()

    def _leave(self) -> None:
        if self._is_repeated:
            self._send_request(self._leave_table())
        else:
            self.warn(self._leave_warning)
            self.terminal.dictate(
                build_play_command(add_invitation(self.table.id, self.table.view.terms.invitation), self.where)
            )

    @property
    def _leave_warning(self) -> str:
        """The key of the warning that says what happens if the player leaves."""
        if not self._is_waiting_room:
            return "leave running"
        return "leave host" if self.is_host else "leave open"

    async def _leave_table(self) -> None:
        await self.table.leave()
        self.outcome = Outcome.LEFT

    def _send_request(self, request: Coroutine[Any, Any, None]) -> None:
        self._is_request_pending = True
        self._menu.pause()
        self.terminal.idle("…")
        self._run_task(self._run_request(request))

    async def _run_request(self, request: Coroutine[Any, Any, None]) -> None:
        try:
            await request
            await self._inbox.put(RequestEnded())
        except RequestRefused as refused:
            await self._inbox.put(RequestEnded(refused))
        except Disconnected as error:
            await self._inbox.put(TableFailure(error))

    def _finish_request(self, refused: RequestRefused | None) -> None:
        self._is_request_pending, self._is_out_of_date = False, True
        self._menu.close()
        if refused:
            self.say(self.refusal(refused))

    # On request

    def _show_hand(self) -> None:
        self.say(self.view.render_hand())

    def _is_key_available(self, key: str) -> bool:
        menu = self._menu
        return {"1 2 …": menu.asked is not None, "0": bool(menu.steps), "u": self._can_go_back}.get(key, True)
