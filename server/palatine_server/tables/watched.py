"""A table that is watched: who is there, what they are told, how somebody begins to watch, and what he may ask.

What is told is what is in the log, in its order. If that is not possible, everybody is shown the whole table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple

from anyio import to_thread

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

from ..games.kit import Game, Refused, Seat, refuse
from ..metrics import Metrics
from ..settings import Settings
from ..store import Store, Unavailable
from .book import Book
from .calls import Call
from .gallery import Gallery, is_late
from .log import LogEntry, turned
from .pages import copied, encode, load, page_at, read
from .presence import Presence
from .questions import answer
from .recent import Recent
from .replaying import is_replay
from .telling import Audience, Viewer, sight_of, snapshot
from .whispers import as_whisper

Clock = Callable[[], int]
Describer = Callable[[Snapshot, list[dict[str, Any]], str], str]  # a view and its last news, in the words of a language


class House(NamedTuple):
    """What all tables of a node have in common."""

    store: Store
    settings: Settings
    clock: Clock
    metrics: Metrics
    closed_for: Callable[[], int | None]  # milliseconds altogether, as far as is known
    doubt_time: Callable[[], None]  # another node knows more of that
    changed: Callable[[str, Book], None]
    describer: Describer | None


class WatchedTable:
    """The book of a table and everybody who looks into it on this node."""

    def __init__(self, id: str, game: Game, book: Book, house: House, recent: Iterable[LogEntry] = ()) -> None:  # noqa: A002
        self.id, self.game, self.book, self.house = id, game, book, house
        self.store, self.settings, self.clock, self.metrics = house.store, house.settings, house.clock, house.metrics
        self.audience, self.gallery, self.presence = Audience(id, book), Gallery(id), Presence()
        self.is_closed = False
        self._pointed_to: dict[Seat, Collection[Seat]] = {}  # by the seat that points: the seats that were shown it
        self._recent = Recent(self.settings.tail, recent)
        self._since_snapshot = len(self._recent)
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

    def _tell(self, entry: LogEntry, encoded: bytes | None = None) -> None:
        self._recent.add_encoded(entry.version, encode(entry) if encoded is None else encoded)
        self.gallery.take(self.audience, self.book)
        self.audience.tell(self.book, entry)
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
        entries = await read(self.id, self.book.version, self.book.version + self.settings.tail, self.store)
        page = copied(self.book.page())
        for entry in entries:
            page = turned(page, entry)
        if entries:
            self.book = Book.read(self.game, page)
        for entry in entries:
            self._tell(entry)
        return len(entries) == self.settings.tail

    async def _read_again(self) -> None:
        """Forget what is not in the log, and tell what is in it but was not seen here."""
        try:
            page, entries = await load(self.id, self.store)
        except (Unavailable, Refused):
            self._lose_everybody()
            return
        book = self.book = Book.read(self.game, page)
        self._since_snapshot = len(entries)
        unseen = [entry for entry in entries if entry.version > self.audience.told]
        if len(unseen) == book.version - self.audience.told:
            for entry in unseen:
                self._tell(entry)
        else:
            self._recent.clear()
            self.audience.show_all(book)
            self.gallery.lose()
            self._begin_gallery()
        self.house.changed(self.id, book)

    def _lose_everybody(self) -> None:
        self.is_closed = True
        self.audience.lose()
        self.gallery.lose()

    # Beginning to watch, and ending

    async def _watch(self, call: Call, request: Watch) -> None:
        await self._reach(request.since or 0)
        self._must_be_shown(call.user, request.seat)
        if is_replay(request):
            self._show_again(call)
        elif is_late(self.book, call.user):
            await self._watch_late(call, request.seat)
        else:
            await self._watch_now(call, request)

    async def _watch_now(self, call: Call, request: Watch) -> None:
        missed = await self._missed(request.since)
        viewer = self._welcome(call)
        self.audience.wish(viewer, request.seat)
        self.presence.came(viewer.user)
        seat = self.book.seat_of(viewer.user)
        call.reply(Watching(re=call.request.id, table=self.id, version=self.book.version, seat=seat))
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
            coming = await read(self.id, version, self.book.version, self.store)
            page = await page_at(self.id, version, self.game, self.book.page(), self.store)
            self.gallery.open(page, coming)
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

    async def _missed(self, since: int | None) -> list[LogEntry] | None:
        """The entries after a version, or None if a snapshot is better."""
        if since is None or not 0 <= self.book.version - since <= self.settings.tail:
            return None
        await self._look_back(since)
        missed = self._recent.after(since)
        return missed if len(missed) == self.book.version - since else None

    async def _look_back(self, since: int) -> None:
        """Have all entries after a version at hand; what is read for one who comes back is there for the next."""
        known = self._recent.version - len(self._recent) if self._recent else self.book.version
        if since < known:
            self._recent.add_older(await read(self.id, since, known, self.store))

    # Questions, which change nothing

    async def _answer(self, call: Call, request: Preview | Explain | Describe) -> None:
        """Answer a question that changes nothing."""
        if isinstance(request, Describe):
            await self._describe(call, request)
        else:
            call.reply(answer(self.id, await self._book_of(call.user), call.user, request))

    async def _book_of(self, user: str) -> Book:
        """The book that somebody may ask about: who looks on late hears of nothing newer than he sees."""
        if not is_late(self.book, user):
            return self.book
        await self._open_gallery()
        assert self.gallery.page is not None
        return Book.read(self.game, copied(self.gallery.page))

    async def _describe(self, call: Call, request: Describe) -> None:
        """Say in words what somebody sees, and what led there; words are found in a thread, they take their time."""
        describer = self.house.describer
        if describer is None:
            raise refuse(Code.UNKNOWN_REQUEST)
        seen = await self._seen_by(call)
        entries = await read(self.id, seen.version - 1, seen.version, self.store) if seen.version else []
        news = [heard.news for entry in entries for heard in entry.news if heard.is_for(seen.seat)]
        text = await to_thread.run_sync(describer, seen, news, request.lang)
        call.reply(Described(re=request.id, table=self.id, version=seen.version, text=text))

    async def _seen_by(self, call: Call) -> Snapshot:
        """What somebody would be shown, or is: who looks on late sees an old page."""
        if is_late(self.book, call.user):
            await self._open_gallery()
            return self.gallery.seen_by(call.viewer)
        sight = self.audience.viewers.get(call.viewer) if call.viewer else None
        return snapshot(self.id, self.book, sight or sight_of(self.book, call.user, None))
