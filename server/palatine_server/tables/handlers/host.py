"""Requests before the game starts, and requests of the host."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec
from msgspec import UNSET

from palatine_protocol.errors import Code
from palatine_protocol.messages import Change, Contribute, HandOver, Invite, Pause, Ready, Reserve

from ...games.kit import Seat, refuse
from ..model import LogEntry, StoredNews
from ..state import Requester, TableState, must_be_playable
from ..unchanged import Unchanged
from .play import end_pause

TERMS = ("options", "visibility", "clock", "ready_check", "delay")
LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"  # without characters that look alike


def make_invitation() -> str:
    """Return a random code that can be read aloud."""
    return "".join(secrets.choice(LETTERS) for _ in range(12))


def ready(state: TableState, requester: Requester, request: Ready, now: int) -> LogEntry:
    """Mark a seat as ready to start, or as not ready."""
    state.must_be_open()
    seat = state.own_seat(requester.user)
    if state.require_seated(seat).ready == request.ready:
        raise Unchanged
    state.reseat(seat, ready=request.ready)
    return _build_news_entry(state, requester, now, "ready", seat, is_ready=request.ready)


def contribute(state: TableState, requester: Requester, request: Contribute, now: int) -> LogEntry:
    """Add a seat's entropy to the seed; all viewers see it, and can check after the game that it was used."""
    state.must_be_open()
    seat = state.own_seat(requester.user)
    if state.require_seated(seat).entropy == request.entropy:
        raise Unchanged
    state.reseat(seat, entropy=request.entropy)
    return _build_news_entry(state, requester, now, "entropy_added", seat)


# The host


def renew_invitation(state: TableState, requester: Requester, request: Invite, now: int) -> LogEntry:
    """Replace the invitation; the old one is no longer valid."""
    state.must_be_host(requester.user)
    state.secrets.invitation = make_invitation()
    return state.entry(now, requester.user, {"do": "renew_invitation"}, None, [])


def reserve(state: TableState, requester: Requester, request: Reserve, now: int) -> LogEntry:
    """Reserve a free seat for a user, or free it again."""
    state.must_be_host(requester.user)
    state.must_be_open()
    state.must_exist(request.seat)
    state.secrets.reserved = state.secrets.reserved or [None] * len(state.info.seats)
    state.secrets.reserved[request.seat] = request.user
    state.info.reserved = [seat for seat, user in enumerate(state.secrets.reserved) if user is not None]
    return _build_news_entry(state, requester, now, "seat_reserved", request.seat, reserved=request.user is not None)


def change(state: TableState, requester: Requester, request: Change, now: int) -> LogEntry:
    """Change options, clock, visibility and other terms; players who were ready must say so again."""
    state.must_be_host(requester.user)
    state.must_be_open()
    changes = {name: getattr(request, name) for name in TERMS if getattr(request, name) is not UNSET}
    if "options" in changes:
        changes["options"] = state.game.select_options(changes["options"])
    info = msgspec.structs.replace(state.info, **changes)
    must_be_playable(state.game, info)
    state.info = info
    for seat, sitting in enumerate(state.info.seats):
        if sitting is not None:
            state.reseat(seat, ready=False)
    return _build_news_entry(state, requester, now, "terms_changed", None, changed=sorted(changes))


def hand_over(state: TableState, requester: Requester, request: HandOver, now: int) -> LogEntry:
    """Make another player the host."""
    state.must_be_host(requester.user)
    heir, user = state.require_seated(request.seat), state.secrets.users[request.seat]
    if user is None:
        raise refuse(Code.NO_SUCH_SEAT)
    state.secrets.host, state.info.host = user, heir.name
    for seat, sitting in enumerate(state.info.seats):
        if sitting is not None:
            state.reseat(seat, host=seat == request.seat)
    state.run_clocks(now)
    return _build_news_entry(state, requester, now, "host_changed", request.seat, name=heir.name)


def pause(state: TableState, requester: Requester, request: Pause, now: int) -> LogEntry:
    """Stop the game and all clocks but the host's, or let both go on from where they were."""
    state.must_be_host(requester.user)
    state.must_be_playing()
    if not request.paused:
        return end_pause(state, requester.user, now)
    state.info.paused, state.secrets.paused_by = True, requester.user
    state.run_clocks(now)
    return _build_news_entry(state, requester, now, "game_paused", None)


def _build_news_entry(
    state: TableState, requester: Requester, now: int, news: str, seat: Seat | None, **more: Any
) -> LogEntry:
    where = {} if seat is None else {"seat": seat}
    return state.entry(now, requester.user, {"do": news}, seat, [StoredNews({"news": news, **where, **more})])
