"""What somebody does at a table: requests, each of which returns when our own view shows what came of it."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, TypeVar

from msgspec import UNSET, UnsetType

from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    Act,
    AddBot,
    Agree,
    AnyRequest,
    Change,
    Channel,
    Clock,
    Contribute,
    Describe,
    Described,
    Done,
    Explain,
    Explained,
    HandOver,
    Invitation,
    Invite,
    Kick,
    Language,
    Leave,
    Mute,
    Noted,
    Pause,
    Point,
    Preview,
    Previewed,
    Ready,
    RemoveBot,
    Report,
    Reserve,
    Say,
    Show,
    Sit,
    Start,
    TakeBack,
    Undo,
    Visibility,
)
from palatine_protocol.offers import Choice

from .exceptions import RequestRefused
from .session import NEW
from .watched_table import WatchedTable

Action = Mapping[str, Any]
ENTROPY_BYTES = 16  # bytes
R = TypeVar("R")


class TableRequests(WatchedTable):
    """A table at which something can be done."""

    # Before the game

    async def sit(self, seat: int | None = None) -> int:
        """Take a seat, or the first that is free, and add our own chance to the game."""
        done = await self._do(Sit(id=NEW, table=self.id, seat=seat, invitation=self.view.terms.invitation))
        assert done.seat is not None
        await self.add_entropy()
        return done.seat

    async def add_entropy(self) -> None:
        """Add random bytes to the seed if we have not done so, so that nobody else can have chosen it."""
        sitting = None if self.seat is None else self.info.seats[self.seat]
        if self.info.status == "open" and self.info.commitment and sitting and not sitting.entropy:
            with suppress(RequestRefused):  # the game has started, or we were sent away
                await self.contribute(secrets.token_bytes(ENTROPY_BYTES))

    async def contribute(self, entropy: bytes) -> None:
        """Add these 16 bytes to the seed of the game, instead of those we added before."""
        await self._do(Contribute(id=NEW, table=self.id, entropy=entropy.hex()))

    async def ready(self, is_ready: bool = True) -> None:
        """Say that we are ready to start, or not any more."""
        await self._do(Ready(id=NEW, table=self.id, ready=is_ready))

    async def leave(self) -> None:
        """Give the seat up; in a running game a house bot plays on."""
        await self._do(Leave(id=NEW, table=self.id))

    async def invite(self, *, renew: bool = False) -> str:
        """The invitation to this table; the host may make a new one, and the old one is void."""
        return (await self._ask(Invite(id=NEW, table=self.id, renew=renew), Invitation)).invitation

    # The host

    async def add_bot(self, policy: str = "greedy", seat: int | None = None) -> None:
        """Put a house bot on a seat, or on the first that is free."""
        await self._do(AddBot(id=NEW, table=self.id, policy=policy, seat=seat))

    async def remove_bot(self, seat: int) -> None:
        """Send a house bot away."""
        await self._do(RemoveBot(id=NEW, table=self.id, seat=seat))

    async def fill(self, policy: str = "greedy") -> None:
        """Put house bots on all seats that are free and not kept for anybody."""
        while self.free_seats:
            try:
                await self.add_bot(policy)
            except RequestRefused as refused:
                await self._catch_up_if_full(refused)

    async def _catch_up_if_full(self, refused: RequestRefused) -> None:
        """Somebody sat down before we saw it."""
        if refused.code != Code.NO_SEAT_FREE:
            raise refused
        await self.catch_up()

    async def kick(self, seat: int) -> None:
        """Send somebody away before the game starts."""
        await self._do(Kick(id=NEW, table=self.id, seat=seat))

    async def reserve(self, seat: int, user: str | None) -> None:
        """Keep a free seat for a user, or for nobody any more."""
        await self._do(Reserve(id=NEW, table=self.id, seat=seat, user=user))

    async def change(
        self,
        *,
        options: dict[str, Any] | UnsetType = UNSET,
        visibility: Visibility | UnsetType = UNSET,
        clock: Clock | UnsetType | None = UNSET,
        ready_check: bool | UnsetType = UNSET,
        delay: int | UnsetType = UNSET,
    ) -> None:
        """Change the terms of the table before the game starts; what is not given stays."""
        request = Change(
            id=NEW,
            table=self.id,
            options=options,
            visibility=visibility,
            clock=clock,
            ready_check=ready_check,
            delay=delay,
        )
        await self._do(request)

    async def hand_over(self, seat: int) -> None:
        """Make whoever sits there the host."""
        await self._do(HandOver(id=NEW, table=self.id, seat=seat))

    async def start(self) -> None:
        """Begin the game."""
        await self._do(Start(id=NEW, table=self.id))

    async def pause(self) -> None:
        """Stop the game and all clocks."""
        await self._do(Pause(id=NEW, table=self.id))

    async def resume(self) -> None:
        """Go on after a pause."""
        await self._do(Pause(id=NEW, table=self.id, paused=False))

    # The game

    async def act(self, offer: int, action: Action) -> int:
        """Answer the offer with this number, and tell which version that became; turns are more comfortable."""
        return (await self._do(Act(id=NEW, table=self.id, offer=offer, action=dict(action)))).version

    async def undo(self) -> None:
        """Take our last action back."""
        await self._do(Undo(id=NEW, table=self.id))

    async def take_back(self, to: int) -> None:
        """Propose to go back to this version; it is done when all players agree."""
        await self._do(TakeBack(id=NEW, table=self.id, to=to))

    async def agree(self) -> None:
        """Agree to what `info.taking_back` proposes."""
        await self._do(Agree(id=NEW, table=self.id))

    async def disagree(self) -> None:
        """Refuse it."""
        await self._do(Agree(id=NEW, table=self.id, agree=False))

    async def show_hand(self) -> None:
        """Let spectators look over our shoulder."""
        await self._do(Show(id=NEW, table=self.id))

    async def cover_hand(self) -> None:
        """Let them do so no longer."""
        await self._do(Show(id=NEW, table=self.id, shown=False))

    # Talk

    async def say(self, text: str, to: Channel = "table") -> None:
        """Say something at the table; spectators are heard by spectators only."""
        await self._do(Say(id=NEW, table=self.id, text=text, to=to))

    async def mute(self, line: int) -> None:
        """Silence whoever said this line, as the host."""
        await self._do(Mute(id=NEW, table=self.id, line=line))

    async def unmute(self, line: int) -> None:
        """Let him speak again."""
        await self._do(Mute(id=NEW, table=self.id, line=line, muted=False))

    async def report(self, line: int, why: str = "") -> None:
        """Note a complaint about a line in the log of the table; nobody at the table hears of it."""
        await self._do(Report(id=NEW, table=self.id, line=line, why=why))

    async def point(self, action: Action | None) -> None:
        """Show our partners what we might do, or nothing any more; nothing is stored."""
        await self._ask(Point(id=NEW, table=self.id, action=None if action is None else dict(action)), Noted)

    # Questions

    async def preview(self, action: Action) -> Previewed:
        """What this action would change for us."""
        return await self._ask(Preview(id=NEW, table=self.id, action=dict(action)), Previewed)

    async def list_questions(self) -> list[Choice]:
        """What can be asked to be explained now."""
        return (await self.list_topics()).questions

    async def list_topics(self, lang: Language = "en") -> Explained:
        """The same with each question in words."""
        return await self._ask(Explain(id=NEW, table=self.id, lang=lang), Explained)

    async def explain(self, question: Action, lang: Language = "en") -> Explained:
        """The reason for a score, a majority, a price, with the rules it rests on."""
        return await self._ask(Explain(id=NEW, table=self.id, question=dict(question), lang=lang), Explained)

    async def why_not(self, action: Action, lang: Language = "en") -> Explained:
        """Why we may not do this."""
        return await self._ask(Explain(id=NEW, table=self.id, action=dict(action), lang=lang), Explained)

    async def describe(self, lang: Language = "en") -> str:
        """What we see, in words."""
        return (await self._ask(Describe(id=NEW, table=self.id, lang=lang), Described)).text

    async def _do(self, request: AnyRequest) -> Done:
        done = await self._ask(request, Done)
        await self.until(lambda: self.view.is_current)
        return done

    async def _ask(self, request: AnyRequest, kind: type[R]) -> R:
        return await self.connection.ask(request, kind)
