"""Erasure: a user leaves a table for good, with their name and their chat. Only the server itself asks for it."""

from __future__ import annotations

from palatine_protocol.messages import AtTable

from ...games.kit import Seat
from ..model import LogEntry, StoredNews
from ..state import Requester, TableState
from ..unchanged import Unchanged
from .seats import substitute

ERASED = "(erased)"  # stands in place of an erased name, as in a record


class EraseUser(AtTable, tag="erase_user"):
    """Erase the requester from the table. No client can send this, because the protocol does not list it."""


def erase_user(state: TableState, requester: Requester, request: EraseUser, now: int) -> LogEntry:
    """Free the user's seat or leave it to a bot, pass the host's powers on, and remove the user's name and chat."""
    user, secrets = requester.user, state.secrets
    if user in secrets.erased:
        raise Unchanged
    seat = state.seat_of(user)
    if seat is not None:
        _vacate(state, seat)
    secrets.reserved = [None if keeper == user else keeper for keeper in secrets.reserved]
    state.info.reserved = [number for number, keeper in enumerate(secrets.reserved) if keeper is not None]
    if secrets.host == user:
        _pass_on(state)
    secrets.talk = [line for line in secrets.talk if line.user != user]
    secrets.muted = [line for line in secrets.muted if line.user != user]
    secrets.erased = [*secrets.erased, user]
    state.run_clocks(now)
    news = [] if seat is None else [StoredNews({"news": "seat_left", "seat": seat, "name": ERASED})]
    return state.entry(now, "", {"do": "erase_user"}, seat, news)


def _vacate(state: TableState, seat: Seat) -> None:
    state.secrets.users[seat] = None
    if state.info.status == "open":
        state.info.seats[seat] = None
        return
    if state.info.status != "over":
        substitute(state, seat)
    state.reseat(seat, name=ERASED, substitute=False, host=False)


def _pass_on(state: TableState) -> None:
    """Make the first other player the host; a table without one has no host."""
    users = state.secrets.users
    heir = next((seat for seat, user in enumerate(users) if user is not None), None)
    state.secrets.host = "" if heir is None else users[heir] or ""
    state.info.host = ERASED if heir is None else state.require_seated(heir).name
    if heir is not None:
        state.reseat(heir, host=True)
