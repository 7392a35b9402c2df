"""Requests that read from the store and change nothing: to watch a table, and to ask about it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from palatine_protocol.errors import Code
from palatine_protocol.messages import Describe, Described, Explain, Preview, Snapshot, Watch, Watching

from ...games.kit import Seat, refuse
from ..queries.descriptions import Descriptions, View, view_of
from ..queries.explanations import answer_to
from ..requests import Call
from ..state import Book
from ..storage.loader import open_gallery, reach
from ..storage.persistence import copied, read
from .delayed_viewers import is_late
from .replay import is_replay
from .updates import Viewer, sight_of, snapshot

if TYPE_CHECKING:
    from ..table import Table

# Watching


async def watch(table: Table, call: Call) -> None:
    """Begin to send a viewer the entries of a table, after what it missed."""
    request = call.request
    assert isinstance(request, Watch)
    await table.history.must_be_the_stores()
    await reach(table, request.since or 0)
    _must_be_shown(table.book, call.user, request.seat)
    if is_replay(request):
        _allow_replay(table, call)
    elif is_late(table.book, call.user):
        await _watch_late(table, call, request.seat)
    else:
        await _watch_now(table, call, request)


async def _watch_now(table: Table, call: Call, request: Watch) -> None:
    missed = await table.history.missed(request.since, request.fork)
    viewer, audience, book = _admit(table, call), table.broadcaster.audience, table.book
    audience.wish(viewer, request.seat)
    table.presence.came(viewer.user)
    seat, fork = book.seat_of(viewer.user), audience.fork
    table.reply(call, Watching(re=request.id, table=table.id, version=book.version, seat=seat, fork=fork))
    table.services.metrics.count_resume(request.since, missed)
    if missed is None or request.seat is not None:
        audience.show(viewer, book)
    else:
        audience.catch_up(viewer, book, missed)


async def _watch_late(table: Table, call: Call, seat: Seat | None) -> None:
    version = await open_gallery(table)
    viewer = _admit(table, call)
    table.reply(call, Watching(re=call.request.id, table=table.id, version=version, seat=None))
    table.broadcaster.gallery.seat(viewer, seat)


def _allow_replay(table: Table, call: Call) -> None:
    """Let somebody see a game again that is over; the connection sends it apart from what others are sent."""
    if table.book.info.status != "over":
        raise refuse(Code.NOT_OVER)
    seat = table.book.seat_of(_admit(table, call).user)
    table.reply(call, Watching(re=call.request.id, table=table.id, version=table.book.version, seat=seat))


def _admit(table: Table, call: Call) -> Viewer:
    """Return who wants to watch, if the connection is still there and the table has room."""
    viewer, viewers = call.viewer, table.broadcaster.viewers
    if viewer is None or (len(viewers) >= table.services.settings.viewers_per_table and viewer not in viewers):
        raise refuse(Code.TRY_AGAIN)
    return viewer


def _must_be_shown(book: Book, user: str, seat: Seat | None) -> None:
    if seat not in (None, book.seat_of(user)) and not book.shows(seat):
        raise refuse(Code.NOT_SHOWN)


# Questions


async def answer(table: Table, call: Call) -> None:
    """Answer a question that changes nothing."""
    request = call.request
    await table.history.must_be_the_stores()
    if isinstance(request, Describe):
        await _describe(table, call, request)
    elif isinstance(request, Preview | Explain):
        find = answer_to(table.id, await _book_for(table, call.user), call.user, request)
        table.services.answers.answer_later(call, table.game.name, find)


async def _book_for(table: Table, user: str) -> Book:
    """Return the book that a user may ask about: a late viewer hears of nothing newer than they see."""
    if not is_late(table.book, user):
        return table.book
    await open_gallery(table)
    assert table.broadcaster.gallery.page is not None
    return Book.read(table.game, copied(table.broadcaster.gallery.page))


async def _describe(table: Table, call: Call, request: Describe) -> None:
    """Say in words what a user sees, and what led there; words that are not known yet are found later."""
    descriptions = table.services.descriptions
    if descriptions is None:
        raise refuse(Code.UNKNOWN_REQUEST)
    seen = await _find_view(table, call)
    view = view_of(seen, await _find_news(table, seen), request.lang)
    described = Described(re=request.id, table=table.id, version=seen.version, text=descriptions.known(view) or "")
    if described.text:
        table.reply(call, described)
    else:
        find = partial(find_words, descriptions, view, described)
        table.services.answers.answer_later(call, table.game.name, find)


async def _find_news(table: Table, seen: Snapshot) -> list[dict[str, Any]]:
    """Return what led to the version that a user sees, as far as they are told."""
    entry = table.history.entry_at(seen.version)
    if entry is not None:
        entries = [entry]
    else:
        entries = await read(table.id, seen.version - 1, seen.version, table.services.store) if seen.version else []
    return [heard.news for entry in entries for heard in entry.news if heard.is_for(seen.seat)]


async def _find_view(table: Table, call: Call) -> Snapshot:
    """Return what a user would be shown, or is: a late viewer sees an old page."""
    broadcaster = table.broadcaster
    if is_late(table.book, call.user):
        await open_gallery(table)
        return broadcaster.gallery.seen_by(call.viewer)
    sight = broadcaster.audience.viewers.get(call.viewer) if call.viewer else None
    return snapshot(table.id, table.book, sight or sight_of(table.book, call.user, None))


def find_words(descriptions: Descriptions, view: View, described: Described) -> Described:
    """Put the words for a view into the reply; in a worker thread."""
    described.text = descriptions.find(view)
    return described
