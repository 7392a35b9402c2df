"""The requests that a user can make at a table; each returns when the client's view shows its effect."""

from __future__ import annotations

import secrets
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
    Rollback,
    Say,
    Show,
    Sit,
    Start,
    Undo,
    Visibility,
)
from palatine_protocol.offers import Choice

from .exceptions import RequestRefused
from .offer import Action
from .session import NEW
from .watched_table import WatchedTable

ENTROPY_BYTES = 16  # bytes
R = TypeVar("R")


class TableRequests(WatchedTable):
    """A watched table with one method per request."""

    # Before the game

    async def sit(self, seat: int | None = None) -> int:
        """Take this seat, or the first free one, and add random bytes to the seed; return the seat."""
        done = await self._do(Sit(id=NEW, table=self.id, seat=seat, invitation=self.view.terms.invitation))
        assert done.seat is not None
        await self.add_entropy()
        return done.seat

    async def add_entropy(self) -> None:
        """Add random bytes to the seed, so that no other party can choose it; do nothing if they are there already."""
        sitting = None if self.seat is None else self.info.seats[self.seat]
        if self.info.status == "open" and self.info.commitment and sitting and not sitting.entropy:
            with suppress(RequestRefused):  # the game has started, or the host has removed this user
                await self.contribute(secrets.token_bytes(ENTROPY_BYTES))

    async def contribute(self, entropy: bytes) -> None:
        """Add these 16 bytes to the seed of the game; they replace earlier ones of this user."""
        await self._do(Contribute(id=NEW, table=self.id, entropy=entropy.hex()))

    async def ready(self, is_ready: bool = True) -> None:
        """Report that this user is ready to start, or no longer ready."""
        await self._do(Ready(id=NEW, table=self.id, ready=is_ready))

    async def leave(self) -> None:
        """Give up the seat; in a running game a house bot takes over."""
        await self._do(Leave(id=NEW, table=self.id))

    async def invite(self, *, renew: bool = False) -> str:
        """Return the invitation code of this table; with `renew` the host replaces it, which voids the old one."""
        return (await self._ask(Invite(id=NEW, table=self.id, renew=renew), Invitation)).invitation

    # The host

    async def add_bot(self, policy: str = "greedy", seat: int | None = None) -> None:
        """Put a house bot on this seat, or on the first free one."""
        await self._do(AddBot(id=NEW, table=self.id, policy=policy, seat=seat))

    async def remove_bot(self, seat: int) -> None:
        """Remove a house bot from a seat."""
        await self._do(RemoveBot(id=NEW, table=self.id, seat=seat))

    async def fill(self, policy: str = "greedy") -> None:
        """Put house bots on all seats that are free and not reserved."""
        while self.free_seats:
            try:
                await self.add_bot(policy)
            except RequestRefused as refused:
                await self._catch_up_if_full(refused)

    async def _catch_up_if_full(self, refused: RequestRefused) -> None:
        """Catch up if another player took the last seat; raise any other refusal."""
        if refused.code != Code.NO_SEAT_FREE:
            raise refused
        await self.catch_up()

    async def kick(self, seat: int) -> None:
        """Remove a player from a seat before the game starts."""
        await self._do(Kick(id=NEW, table=self.id, seat=seat))

    async def reserve(self, seat: int, user: str | None) -> None:
        """Reserve a free seat for a user; None ends the reservation."""
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
        """Change settings of the table before the game starts; settings that are not given stay the same."""
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
        """Make the player on this seat the host."""
        await self._do(HandOver(id=NEW, table=self.id, seat=seat))

    async def start(self) -> None:
        """Start the game."""
        await self._do(Start(id=NEW, table=self.id))

    async def pause(self) -> None:
        """Stop the game and all clocks."""
        await self._do(Pause(id=NEW, table=self.id))

    async def resume(self) -> None:
        """End a pause."""
        await self._do(Pause(id=NEW, table=self.id, paused=False))

    # The game

    async def act(self, offer: int, action: Action) -> int:
        """Answer the offer with this id and return the new version; `Turn.act` is more convenient."""
        return (await self._do(Act(id=NEW, table=self.id, offer=offer, action=dict(action)))).version

    async def undo(self) -> None:
        """Undo the user's last action."""
        await self._do(Undo(id=NEW, table=self.id))

    async def rollback(self, to: int) -> None:
        """Propose to return to this version; the table does so when all players agree."""
        await self._do(Rollback(id=NEW, table=self.id, to=to))

    async def agree(self) -> None:
        """Agree to what `info.rollback` proposes."""
        await self._do(Agree(id=NEW, table=self.id))

    async def disagree(self) -> None:
        """Reject what `info.rollback` proposes."""
        await self._do(Agree(id=NEW, table=self.id, agree=False))

    async def show_hand(self) -> None:
        """Let spectators see this user's hand."""
        await self._do(Show(id=NEW, table=self.id))

    async def cover_hand(self) -> None:
        """Hide this user's hand from spectators again."""
        await self._do(Show(id=NEW, table=self.id, shown=False))

    # Chat

    async def say(self, text: str, to: Channel = "table") -> None:
        """Send a chat line to the table; the lines of spectators reach spectators only."""
        await self._do(Say(id=NEW, table=self.id, text=text, to=to))

    async def mute(self, line: int) -> None:
        """Mute the author of a chat line; only the host may."""
        await self._do(Mute(id=NEW, table=self.id, line=line))

    async def unmute(self, line: int) -> None:
        """Unmute the author of a chat line."""
        await self._do(Mute(id=NEW, table=self.id, line=line, muted=False))

    async def report(self, line: int, why: str = "") -> None:
        """Report a chat line; the report goes to the log of the table, and no player sees it."""
        await self._do(Report(id=NEW, table=self.id, line=line, why=why))

    async def point(self, action: Action | None) -> None:
        """Point partners at an action this user might choose; None stops pointing. The server stores nothing."""
        await self._ask(Point(id=NEW, table=self.id, action=None if action is None else dict(action)), Noted)

    # Questions

    async def preview(self, action: Action) -> Previewed:
        """Return what this action would change for this user."""
        return await self._ask(Preview(id=NEW, table=self.id, action=dict(action)), Previewed)

    async def list_questions(self) -> list[Choice]:
        """Return the questions that `explain` can answer now."""
        return (await self.list_topics()).questions

    async def list_topics(self, lang: Language = "en") -> Explained:
        """Return the questions that `explain` can answer now, each with its text."""
        return await self._ask(Explain(id=NEW, table=self.id, lang=lang), Explained)

    async def explain(self, question: Action, lang: Language = "en") -> Explained:
        """Return the reason for a score, a majority or a price, with the rules behind it."""
        return await self._ask(Explain(id=NEW, table=self.id, question=dict(question), lang=lang), Explained)

    async def why_not(self, action: Action, lang: Language = "en") -> Explained:
        """Return why this user may not choose an action."""
        return await self._ask(Explain(id=NEW, table=self.id, action=dict(action), lang=lang), Explained)

    async def describe(self, lang: Language = "en") -> str:
        """Return the user's view of the table as text."""
        return (await self._ask(Describe(id=NEW, table=self.id, lang=lang), Described)).text

    async def _do(self, request: AnyRequest) -> Done:
        done = await self._ask(request, Done)
        await self.until(lambda: self.view.is_current)
        return done

    async def _ask(self, request: AnyRequest, kind: type[R]) -> R:
        return await self.connection.ask(request, kind)
