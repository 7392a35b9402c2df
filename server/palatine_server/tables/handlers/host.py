"""Hosting: what people settle before the game starts, and what the host may do."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from msgspec import UNSET

from palatine_protocol.errors import Code
from palatine_protocol.messages import Change, Contribute, HandOver, Invite, Pause, Ready, Reserve

from ...games.kit import Seat, refuse
from ..model import Heard, LogEntry
from ..state import Book, Who, must_be_playable
from ..unchanged import Unchanged
from .play import end_pause

TERMS = ("options", "visibility", "clock", "ready_check", "delay")
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # none that is taken for another


def new_invitation() -> str:
    """A code that can be read aloud, and that nobody guesses."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def ready(book: Book, who: Who, request: Ready, now: int) -> LogEntry:
    """Say that one is ready to start, or not any more."""
    book.must_be_open()
    seat = book.own_seat(who.user)
    if book.sitting(seat).ready == request.ready:
        raise Unchanged
    book.reseat(seat, ready=request.ready)
    return _told(book, who, now, "ready", seat, is_ready=request.ready)


def contribute(book: Book, who: Who, request: Contribute, now: int) -> LogEntry:
    """Add entropy to the seed; everybody sees it, and can check in the end that it was used."""
    book.must_be_open()
    seat = book.own_seat(who.user)
    if book.sitting(seat).entropy == request.entropy:
        raise Unchanged
    book.reseat(seat, entropy=request.entropy)
    return _told(book, who, now, "entropy_added", seat)


# The host


def renew_invitation(book: Book, who: Who, request: Invite, now: int) -> LogEntry:
    """Make the old invitation void."""
    book.must_be_host(who.user)
    book.secrets.invitation = new_invitation()
    return book.entry(now, who.user, {"do": "renew_invitation"}, None, [])


def reserve(book: Book, who: Who, request: Reserve, now: int) -> LogEntry:
    """Keep a free seat for somebody, or for nobody any more."""
    book.must_be_host(who.user)
    book.must_be_open()
    book.must_exist(request.seat)
    book.secrets.reserved = book.secrets.reserved or [None] * len(book.info.seats)
    book.secrets.reserved[request.seat] = request.user
    book.info.reserved = [seat for seat, user in enumerate(book.secrets.reserved) if user is not None]
    return _told(book, who, now, "seat_reserved", request.seat, reserved=request.user is not None)


def change(book: Book, who: Who, request: Change, now: int) -> LogEntry:
    """Change options, clock and visibility; who was ready must say so again."""
    book.must_be_host(who.user)
    book.must_be_open()
    changes = {name: getattr(request, name) for name in TERMS if getattr(request, name) is not UNSET}
    info = msgspec.structs.replace(book.info, **changes)
    must_be_playable(book.game, info)
    book.info = info
    for seat, sitting in enumerate(book.info.seats):
        if sitting is not None:
            book.reseat(seat, ready=False)
    return _told(book, who, now, "terms_changed", None, changed=sorted(changes))


def hand_over(book: Book, who: Who, request: HandOver, now: int) -> LogEntry:
    """Make somebody else the host."""
    book.must_be_host(who.user)
    heir, user = book.sitting(request.seat), book.secrets.users[request.seat]
    if user is None:
        raise refuse(Code.NO_SUCH_SEAT)
    book.secrets.host, book.info.host = user, heir.name
    for seat, sitting in enumerate(book.info.seats):
        if sitting is not None:
            book.reseat(seat, host=seat == request.seat)
    book.run_clocks(now)
    return _told(book, who, now, "host_changed", request.seat, name=heir.name)


def pause(book: Book, who: Who, request: Pause, now: int) -> LogEntry:
    """Stop the game and the clocks of all others, or let both go on from where they were."""
    book.must_be_host(who.user)
    book.must_be_playing()
    if not request.paused:
        return end_pause(book, who.user, now)
    book.info.paused, book.secrets.paused_by = True, who.user
    book.run_clocks(now)
    return _told(book, who, now, "game_paused", None)


def _told(book: Book, who: Who, now: int, news: str, seat: Seat | None, **more: Any) -> LogEntry:
    where = {} if seat is None else {"seat": seat}
    return book.entry(now, who.user, {"do": news}, seat, [Heard({"news": news, **where, **more})])
