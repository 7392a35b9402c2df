"""The poster: one thread and one message for each table, edited in place, and short reminders.

It follows every table as a spectator, so a move made in a browser or a terminal changes the message too. Webhooks of
the server would not do: they tell only of turns of players who are not connected, they may be lost, and they need an
address that the server reaches. A table with many changes in a row is posted once, as it is at the end of them.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from msgspec.structs import replace

from ...exceptions import Disconnected, RequestRefused
from ...render.svg.view import PictureView
from ..chat_events import Person
from ..chat_memory import TableRecord
from ..client_backend import ClientBackend
from ..messages.chat_messages import RoomMessage
from ..messages.scenes import Scene
from ..messages.table_post import build_announcement, build_ping, build_table_post
from ..messages.text_limits import cut_text
from ..reminders import WaitingPerson, list_due, note_pings
from ..runner import ChatRunner, ServerAway
from ..steps import ChatView, GameFacts
from .payloads import build_message
from .rest_client import DiscordBusy, DiscordRefused
from .routes import DiscordRoutes

log = logging.getLogger("palatine.discord")

GONE = {"no_such_table", "table_unreadable", "not_allowed"}
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE = 10003, 10008
CHECK_EVERY = 2.0  # seconds between two checks for reminders and for tables of other processes
RETRY_AFTER = 5.0  # seconds after a failure of the server or of Discord
FIRST_PAUSE, LONGEST_PAUSE = 60.0, 600.0  # seconds after a refusal, doubled each time: Discord bans who insists
MOST_FOLLOWED = 2_000  # tables
MOST_LOSSES = 5  # deleted messages and threads of one table that are posted again
KEEP_FINISHED = 600.0  # seconds for which a finished table is followed, because its rematch changes the message

Draw = Callable[[PictureView, str], Awaitable[bytes | None]]  # the picture as PNG; None if it cannot be drawn now


async def post_always() -> bool:
    """An app that is alone always posts."""
    return True


class PublicTable:
    """A table that is followed: its newest public view, and whether it must be posted."""

    def __init__(self) -> None:
        self.view: ChatView | None = None
        self.changed = asyncio.Event()
        self.refusals = 0  # of Discord, in a row
        self.ends: float | None = None  # when it is not followed any more
        self.tasks: list[asyncio.Task[None]] = []
        self.seating: tuple[object, dict[str, int]] = (None, {})  # the seats of people, and for which members and info


class DiscordPoster:
    """Posts all tables of the app."""

    def __init__(
        self,
        runner: ChatRunner,
        backend: ClientBackend,
        routes: DiscordRoutes,
        draw: Draw,
        now: Callable[[], float] = time.time,
        may_post: Callable[[], Awaitable[bool]] = post_always,
    ) -> None:
        self._runner, self._backend, self._routes, self._draw, self._now = runner, backend, routes, draw, now
        self._may_post, self._is_active = may_post, True
        self._tables: dict[str, PublicTable] = {}
        runner.notes = self

    async def run(self) -> None:
        """Follow all tables and remind people, for as long as this app is the one that posts, until cancelled."""
        try:
            while True:
                await self._check()
                await asyncio.sleep(CHECK_EVERY)
        finally:
            await self._stop()

    async def _check(self) -> None:
        try:
            self._is_active = await self._may_post()
            if self._is_active:
                await self.follow_all()
                await self.remind_everybody()
            else:
                await self._stop()
        except Exception:  # the store or the server may be away for a while; the next check tries again
            log.exception("tables could not be checked")

    async def follow_all(self) -> None:
        """Follow all tables that are known and not finished, also those that another process has opened."""
        for table, followed in list(self._tables.items()):
            if followed.ends is not None and self._now() >= followed.ends:
                await self._drop(table)
        for record in await self._runner.memory.list_tables():
            if not (record.is_finished or record.is_lost):
                self.note_table(record)

    async def _stop(self) -> None:
        """Follow nothing any more."""
        for table in list(self._tables):
            await self._drop(table)

    async def _drop(self, table: str) -> None:
        """Follow a table no longer."""
        tasks = followed.tasks if (followed := self._tables.pop(table, None)) else []
        others = [task for task in tasks if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def note_table(self, record: TableRecord) -> None:
        """Follow a table from now on."""
        if not self._is_active or record.table in self._tables or len(self._tables) >= MOST_FOLLOWED:
            return
        self._tables[record.table] = followed = PublicTable()
        for work in (self._follow(record, followed), self._keep_posted(record.table, followed)):
            task = asyncio.create_task(work)
            followed.tasks.append(task)
            task.add_done_callback(partial(self._note_end, followed))

    def _note_end(self, followed: PublicTable, task: asyncio.Task[None]) -> None:
        """After an error that nobody expected, log it and follow the table anew, but not at once."""
        if not task.cancelled() and (error := task.exception()):
            log.error("a table was not followed any more; report it", exc_info=error)
            followed.ends = self._now() + FIRST_PAUSE

    # Following

    async def _follow(self, record: TableRecord, followed: PublicTable) -> None:
        """Note every change of a table, until it does not exist any more."""
        while record.table in self._tables:
            try:
                async for view in self._backend.follow(record.table, record.invitation):
                    followed.view = view
                    followed.changed.set()
            except RequestRefused as refused:
                if refused.code in GONE:
                    await self._runner.memory.remove_table(record.table)
                    await self._drop(record.table)
                    return
                await asyncio.sleep(RETRY_AFTER)
            except (Disconnected, ServerAway, TimeoutError):
                await asyncio.sleep(RETRY_AFTER)

    # Posting

    async def _keep_posted(self, table: str, followed: PublicTable) -> None:
        """Post the newest view of a table whenever it has changed."""
        while table in self._tables:
            await followed.changed.wait()
            followed.changed.clear()
            if followed.view is None:
                continue
            try:
                await self._post(table, followed, followed.view)
                followed.refusals = 0
            except DiscordRefused as refused:
                await self._recover(table, followed, refused)
            except (DiscordBusy, ServerAway):
                await asyncio.sleep(RETRY_AFTER)
                followed.changed.set()

    async def _recover(self, table: str, followed: PublicTable, refused: DiscordRefused) -> None:
        """Post again what was deleted; wait longer and longer where the app may not post."""
        log.warning("Discord refuses the message of a table: %s", refused)
        record = await self._runner.memory.find_table(table)
        if refused.code in (UNKNOWN_CHANNEL, UNKNOWN_MESSAGE) and record:
            lost = list_lost(record, refused.code)
            is_lost = not lost or record.losses >= MOST_LOSSES
            await self._change(record, **lost, posted=-1, losses=record.losses + 1, is_lost=is_lost)
            if is_lost:
                await self._drop(table)
        elif refused.status in (401, 403):
            await asyncio.sleep(min(FIRST_PAUSE * 2**followed.refusals, LONGEST_PAUSE))
            followed.refusals += 1
        else:
            return  # Discord dislikes this content; the next change has other content
        followed.changed.set()

    async def _post(self, table: str, followed: PublicTable, view: ChatView) -> None:
        record = await self._runner.memory.find_table(table)
        if record is None or record.posted == view.version:
            return
        facts = await self._backend.see_game(record.game, record.lang)
        if not isinstance(facts, GameFacts):
            return
        scene = Scene(view, facts, record.lang)
        record = await self._place(record, scene)
        message = await self._runner.render(build_table_post, scene)
        await self._show(record, message)
        await self._announce(record, scene)
        is_over = view.info.status == "over"
        record = await self._change(record, posted=view.version, is_finished=is_over)
        if is_over:
            followed.ends = followed.ends or self._now() + KEEP_FINISHED
            await self._clear_ping(record)

    async def _place(self, record: TableRecord, scene: Scene) -> TableRecord:
        """Make the announcement and the thread of a table, unless they are there. Each step can be repeated."""
        if not record.announcement:
            body = build_message(build_announcement(scene, scene.view.info.host))
            posted = await self._routes.post(record.channel, body, name_post("a", record))
            record = await self._change(record, announcement=posted, announced=scene.view.info.status)
        if not record.thread:
            name = cut_text(f"{scene.facts.title} · {scene.view.info.host}", 90)
            thread = await self._routes.open_thread(record.channel, record.announcement, name)
            record = await self._change(record, thread=thread)
        return record

    async def _announce(self, record: TableRecord, scene: Scene) -> None:
        """Let the announcement say that the game has begun, or is over; the thread does not need it."""
        status = scene.view.info.status
        if record.announced == status:
            return
        body = build_message(build_announcement(scene, scene.view.info.host))
        try:
            await self._routes.edit(record.channel, record.announcement, body)
        except DiscordRefused as refused:
            log.info("an announcement stays as it is: %s", refused)
        await self._change(record, announced=status)

    async def _change(self, record: TableRecord, **changes: object) -> TableRecord:
        return await self._runner.change_record(record.table, **changes) or replace(record, **changes)

    async def _show(self, record: TableRecord, message: RoomMessage) -> None:
        """Post the message of a table, or edit it."""
        picture = await self._draw(message.picture, record.table) if message.picture else None
        body = {"attachments": [], **build_message(message, has_picture=picture is not None)}
        if record.message:
            await self._routes.edit(record.thread, record.message, body, picture)
            return
        posted = await self._routes.post(record.thread, body, name_post("t", record), picture)
        await self._change(record, message=posted)

    # Reminders

    async def remind_everybody(self) -> None:
        """Remind everybody who is due."""
        for table, followed in list(self._tables.items()):
            view = followed.view
            if view is None or view.info.status != "playing" or followed.refusals:
                continue
            try:
                await self._remind(table, followed, view)
            except DiscordRefused:  # the thread may be gone: post again, which finds out and recovers
                followed.refusals += 1
                await self._runner.change_record(table, posted=-1)
                followed.changed.set()
            except (DiscordBusy, ServerAway) as error:
                log.info("people could not be reminded: %s", error)

    async def _remind(self, table: str, followed: PublicTable, view: ChatView) -> None:
        record, now = await self._runner.memory.find_table(table), int(1000 * self._now())
        if record is None or not record.thread:
            return
        waiting = await self._list_waiting(record, followed, view)
        if due := list_due(record, waiting, now):
            body = build_message(build_ping(record.lang, due))
            ping = await self._routes.post(record.thread, body, name_ping(record, due))
            await self._change(record, ping=ping, **note_pings(record, waiting, due, now))
            await self._delete_ping(record)
        elif record.ping and not {each.person for each in waiting} & {*record.pinged}:
            await self._clear_ping(record)

    async def _list_waiting(self, record: TableRecord, followed: PublicTable, view: ChatView) -> list[WaitingPerson]:
        """Return the people of this chat whom the table waits for."""
        since = {each.seat: each.since for each in view.waiting if each.since is not None}
        found = []
        for person, seat in (await self._find_seats(record, followed, view)).items() if since else ():
            when = since.get(seat)
            if when is not None:
                minutes = (await self._runner.memory.find_person(person)).minutes
                found.append(WaitingPerson(person, when, minutes))
        return found

    async def _find_seats(self, record: TableRecord, followed: PublicTable, view: ChatView) -> dict[str, int]:
        """Return where the people of this chat sit. Only they can ask, so the answer is kept until a seat changes."""
        members = await self._runner.memory.list_members(record.table)
        present = members, [seated and (seated.name, seated.bot, seated.substitute) for seated in view.info.seats]
        known, seats = followed.seating
        if known != present:
            seats = {}
            for person in members:
                seen = await self._backend.see(record.table, Person(person, ""), record.invitation)
                if isinstance(seen, ChatView) and seen.seat is not None:
                    seats[person] = seen.seat
            followed.seating = present, seats
        return seats

    async def _clear_ping(self, record: TableRecord) -> None:
        """Delete the last reminder, which is of no use any more."""
        if record.ping:
            await self._change(record, ping="", pinged={}, turns={})
            await self._delete_ping(record)

    async def _delete_ping(self, record: TableRecord) -> None:
        if record.ping:
            try:
                await self._routes.delete(record.thread, record.ping)
            except DiscordRefused:  # somebody has deleted it
                log.debug("a reminder is gone already")


def name_post(kind: str, record: TableRecord) -> str:
    """Return the nonce of a post: a repeated post is the same message, but a deleted one is posted anew."""
    return f"{kind}{record.losses}{record.table}"


def name_ping(record: TableRecord, due: list[str]) -> str:
    """Return the nonce of a reminder; it follows from the reminders before."""
    content = msgspec.json.encode([record.table, sorted(due), record.pinged, record.turns], order="sorted")
    return "r" + hashlib.sha256(content).hexdigest()[:20]


def list_lost(record: TableRecord, code: int) -> dict[str, str]:
    """Return what is forgotten of a place that Discord does not know any more; nothing if its channel is gone."""
    if not record.thread:
        return {"announcement": ""} if code == UNKNOWN_MESSAGE else {}
    if code == UNKNOWN_MESSAGE:
        return {"message": ""}
    return {"announcement": "", "thread": "", "message": ""}
