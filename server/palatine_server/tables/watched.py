"""A table that is watched: who is there, what they are told, how somebody begins to watch, and what he may ask.

What is told is what is in the log, in its order. If that is not possible, everybody is shown the whole table: so it is
when the store went back in time, and what was shown before is not in its log any more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection
from functools import partial
from typing import Any, NamedTuple

from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    Describe,
    Described,
    Done,
    Explain,
    Pointed,
    Preview,
    Snapshot,
    Watch,
    Watching,
)

from ..bots.turns import BotScheduler
from ..games.kit import Game, Refused, Seat, refuse
from ..metrics import Metrics
from ..settings import Settings
from ..store import Head, Span, Store, Unavailable
from ..store.hash_chain import link
from .answers import Answers
from .book import Book
from .calls import Call
from .compatibility import NewerTable, UnreadableTable
from .descriptions import Descriptions, View, view_of
from .gallery import Gallery, is_late
from .history import History
from .log import LogEntry
from .pages import Loaded, copied, encode, fold, load_with_log, open_book, page_and_rest, read, read_entry
from .presence import Presence
from .questions import answer_to
from .replaying import is_replay
from .telling import Audience, Viewer, sight_of, snapshot
from .whispers import as_whisper

log = logging.getLogger("palatine.tables")
Clock = Callable[[], int]


class House(NamedTuple):
    """What all tables of a node have in common."""

    store: Store
    settings: Settings
    clock: Clock
    metrics: Metrics
    closed_for: Callable[[], int | None]  # milliseconds altogether, as far as is known
    doubt_time: Callable[[], None]  # another node knows more of that
    changed: Callable[[str, Book], None]
    answers: Answers
    descriptions: Descriptions | None
    bots: BotScheduler


class WatchedTable:
    """The book of a table and everybody who looks into it on this node."""

    def __init__(self, id: str, game: Game, book: Book, house: House, log: Span) -> None:  # noqa: A002
        self.id, self.game, self.book, self.house = id, game, book, house
        self.store, self.settings, self.clock, self.metrics = house.store, house.settings, house.clock, house.metrics
        self.audience, self.gallery, self.presence = Audience(id, book), Gallery(id), Presence()
        self.is_closed = False
        self._pointed_to: dict[Seat, Collection[Seat]] = {}  # by the seat that points: the seats that were shown it
        self._shelf = {game.name: game}
        self.history = History(id, self.store, self.settings.tail, log, book.secrets.seed, self.clock)
        self.audience.fork = self.history.fork()
        self._since_snapshot = len(log.entries)
        self._begin_gallery()

    def _begin_gallery(self) -> None:
        """When the game starts, those who do not play go on from the page they see now."""
        if self.book.info.status == "open":
            self.gallery.open(copied(self.book.page()), ())

    # Who is there

    def leave(self, viewer: Viewer) -> None:
        """Somebody watches no longer."""
        self.audience.leave(viewer)
        self.gallery.leave(viewer)
        is_player = self.book.seat_of(viewer.user) is not None
        if is_player and not any(other.user == viewer.user for other in self.audience.viewers):
            self.presence.left(viewer.user, self.clock())

    @property
    def has_grace(self) -> bool:
        """Whether it matters who is here."""
        clock = self.book.info.clock
        return clock is not None and clock.grace is not None

    def attending(self) -> list[str]:
        """Who is waited for and is here."""
        return self.presence.attending(self.book, self.audience.viewers)

    def missing(self) -> list[str]:
        """Who is waited for and may be at another node, or nowhere."""
        return self.presence.missing(self.book, self.audience.viewers)

    def is_watched_by(self, viewer: Viewer) -> bool:
        return viewer in self.audience.viewers or viewer in self.gallery.viewers

    @property
    def viewers(self) -> set[Viewer]:
        return {*self.audience.viewers, *self.gallery.viewers}

    # Telling

    def _tell(self, entry: LogEntry, head: Head, encoded: bytes | None = None) -> None:
        """Tell everybody an entry that is in the log, which has this head now."""
        self.history.add(encode(entry) if encoded is None else encoded, head)
        self.gallery.take(self.audience, self.book)
        self.audience.tell(self.book, entry, self.history.fork())
        for viewer in self.gallery.tell(self.book, entry):
            self.audience.take_in(viewer, self.book, entry)
        self.house.changed(self.id, self.book)

    def pass_on(self, words: bytes) -> None:
        """Show what a seat points at, here or on another node, and withdraw it from seats that were shown more before.

        Nobody else gets a message: already the fact that a seat points at something of a castle is for its deciders.
        """
        whisper = as_whisper(words)
        self._send_pointed(whisper.seat, whisper.action, whisper.to)
        self._send_pointed(whisper.seat, None, set(self._pointed_to.pop(whisper.seat, ())) - set(whisper.to))
        if whisper.action is not None:
            self._pointed_to[whisper.seat] = whisper.to

    def _send_pointed(self, seat: Seat, action: Any, to: Collection[Seat]) -> None:
        pointed = Pointed(table=self.id, seat=seat, action=action)
        for viewer, sight in list(self.audience.viewers.items()):
            if sight.is_own and sight.seat in to:
                viewer.send(viewer.wire.encode(pointed))

    # The log

    async def _read_on(self) -> bool:
        """Take in what another node has added to the log; whether there may be more."""
        try:
            added = (await self.history.read_on()).entries
            entries = list(map(read_entry, added))
            if entries:
                self.book = open_book(self._shelf, fold(encode(self.book.page()), entries))
        except NewerTable as why:
            self._lose_everybody(why)
            raise
        except UnreadableTable as why:  # what we hold may be wrong, and not what is stored
            await self._read_again()
            if self.is_closed:
                raise why from None
            return False
        self._tell_all(entries, added)
        return len(entries) == self.settings.tail

    def _tell_all(self, entries: list[LogEntry], stored: list[bytes]) -> None:
        for entry, encoded in zip(entries, stored, strict=True):
            self._tell(entry, link(self.history.head, encoded), encoded)

    async def _read_again(self) -> None:
        """Forget what is not in the log, and tell what is in it but was not seen here."""
        try:
            loaded = await load_with_log(self.id, self.store)
            is_continued = await self.history.is_continued_by(loaded.log)
            book = open_book(self._shelf, loaded.page)
        except (NewerTable, UnreadableTable) as why:
            self._lose_everybody(why)
            return
        except (Unavailable, Refused):
            self._lose_everybody()
            return
        self.book = book
        self._since_snapshot = len(loaded.entries)
        unseen = book.version - self.history.head.version
        if is_continued and unseen <= len(loaded.entries):
            first = len(loaded.entries) - unseen
            self._tell_all(loaded.entries[first:], loaded.log.entries[first:])
        else:
            if not is_continued:
                self._note_lost_history(loaded)
            self.history.start_over(loaded.log)
            await self._show_everybody()
        self.house.changed(self.id, book)

    def _note_lost_history(self, loaded: Loaded) -> None:
        """The store went back: say so, and forget what was known of entries that are not in the log any more."""
        held, version = self.history.head.version, loaded.log.end.version
        log.warning(
            "the store went back to version %d, and %d was shown here: everybody is shown the table anew",
            version,
            held,
            extra={"table": self.id, "version": version},
        )
        self.metrics.went_back()

    async def _show_everybody(self) -> None:
        """Show the whole table to all who watch, each in the place where they belong now."""
        viewers = {**self.audience.dismiss(), **self.gallery.dismiss()}
        self.audience.told, self.audience.fork = self.book.version, self.history.fork()
        self._begin_gallery()
        late = {viewer: seat for viewer, seat in viewers.items() if is_late(self.book, viewer.user)}
        for viewer in [viewer for viewer in viewers if viewer not in late]:
            self.audience.wish(viewer, viewers[viewer])
            self.audience.show(viewer, self.book)
        try:
            await self._open_gallery() if late else None
        except Unavailable:
            for viewer in late:
                viewer.lose(self.id)
            return
        for viewer, seat in late.items():
            self.gallery.seat(viewer, seat)

    def _lose_everybody(self, why: Refused | None = None) -> None:
        self.is_closed = True
        self.audience.lose(why)
        self.gallery.lose(why)

    # Beginning to watch, and ending

    async def _watch(self, call: Call, request: Watch) -> None:
        await self.history.must_be_the_stores()
        await self._reach(request.since or 0)
        self._must_be_shown(call.user, request.seat)
        if is_replay(request):
            self._show_again(call)
        elif is_late(self.book, call.user):
            await self._watch_late(call, request.seat)
        else:
            await self._watch_now(call, request)

    async def _watch_now(self, call: Call, request: Watch) -> None:
        missed = await self.history.missed(request.since, request.fork)
        viewer = self._welcome(call)
        self.audience.wish(viewer, request.seat)
        self.presence.came(viewer.user)
        seat = self.book.seat_of(viewer.user)
        fork = self.audience.fork
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat, fork=fork))
        self.metrics.resumed(request.since, missed)
        if missed is None or request.seat is not None:
            self.audience.show(viewer, self.book)
        else:
            self.audience.catch_up(viewer, self.book, missed)

    def _welcome(self, call: Call) -> Viewer:
        """Who wants to watch, if he is still there and there is room."""
        viewer, viewers = call.viewer, self.viewers
        if viewer is None or (len(viewers) >= self.settings.viewers_per_table and viewer not in viewers):
            raise refuse(Code.TRY_AGAIN)
        return viewer

    def _must_be_shown(self, user: str, seat: Seat | None) -> None:
        if seat not in (None, self.book.seat_of(user)) and not self.book.shows(seat):
            raise refuse(Code.NOT_SHOWN)

    def _show_again(self, call: Call) -> None:
        """Whoever watches a game that is over is told it apart from the others."""
        if self.book.info.status != "over":
            raise refuse(Code.NOT_OVER)
        seat = self.book.seat_of(self._welcome(call).user)
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat))

    async def _watch_late(self, call: Call, seat: Seat | None) -> None:
        """Seat somebody in the gallery."""
        version = await self._open_gallery()
        viewer = self._welcome(call)
        call.reply(Watching(re=call.request.id, table=self.id, version=version, seat=None))
        self.gallery.seat(viewer, seat)

    async def _open_gallery(self) -> int:
        """Open the gallery for the first one who looks on late; the version that is shown there."""
        version = max(0, self.book.version - self.book.info.delay)
        if self.gallery.page is None:
            given = self.id, version, self.book.page(), self.history.head, self.store
            page, coming = await page_and_rest(*given)
            self.gallery.open(page, map(read_entry, coming))
        assert self.gallery.page is not None
        return self.gallery.page.version

    def _unwatch(self, call: Call) -> None:
        if call.viewer is not None:
            self.leave(call.viewer)
        call.reply(Done(re=call.request.id, table=self.id, version=self.book.version))

    async def _reach(self, version: int) -> None:
        """Who comes from another node may have seen more of the log than this one; nobody is shown less than he saw."""
        while self.book.version < version and await self._read_on():
            pass

    # Questions, which change nothing

    async def _answer(self, call: Call, request: Preview | Explain | Describe) -> None:
        """Answer a question that changes nothing."""
        await self.history.must_be_the_stores()
        if isinstance(request, Describe):
            await self._describe(call, request)
        else:
            find = answer_to(self.id, await self._book_of(call.user), call.user, request)
            self.house.answers.answer_later(call, self.game.name, find)

    async def _book_of(self, user: str) -> Book:
        """The book that somebody may ask about: who looks on late hears of nothing newer than he sees."""
        if not is_late(self.book, user):
            return self.book
        await self._open_gallery()
        assert self.gallery.page is not None
        return Book.read(self.game, copied(self.gallery.page))

    async def _describe(self, call: Call, request: Describe) -> None:
        """Say in words what somebody sees, and what led there; words that are not known yet are found later."""
        descriptions = self.house.descriptions
        if descriptions is None:
            raise refuse(Code.UNKNOWN_REQUEST)
        seen = await self._seen_by(call)
        view = view_of(seen, await self._news_for(seen), request.lang)
        described = Described(re=request.id, table=self.id, version=seen.version, text=descriptions.known(view) or "")
        if described.text:
            call.reply(described)
        else:
            self.house.answers.answer_later(call, self.game.name, partial(find_words, descriptions, view, described))

    async def _news_for(self, seen: Snapshot) -> list[dict[str, Any]]:
        """What led to the version that somebody sees, as far as they are told."""
        entry = self.history.entry_at(seen.version)
        if entry is not None:
            entries = [entry]
        else:
            entries = await read(self.id, seen.version - 1, seen.version, self.store) if seen.version else []
        return [heard.news for entry in entries for heard in entry.news if heard.is_for(seen.seat)]

    async def _seen_by(self, call: Call) -> Snapshot:
        """What somebody would be shown, or is: who looks on late sees an old page."""
        if is_late(self.book, call.user):
            await self._open_gallery()
            return self.gallery.seen_by(call.viewer)
        sight = self.audience.viewers.get(call.viewer) if call.viewer else None
        return snapshot(self.id, self.book, sight or sight_of(self.book, call.user, None))


def find_words(descriptions: Descriptions, view: View, described: Described) -> Described:
    """Put the words for a view into the reply; in a worker thread."""
    described.text = descriptions.find(view)
    return described
