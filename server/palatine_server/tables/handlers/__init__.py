"""Handlers: what each request changes in the state of a table. They are pure; each returns the entry to be stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from palatine_protocol import messages
from palatine_protocol.errors import Code

from ...games.kit import refuse
from ..model import LogEntry, TableSnapshot
from ..state import Requester, TableState
from . import chat, erasure, host, play, rollback, seats

Handler = Callable[[TableState, Requester, Any, int], LogEntry]
SnapshotHandler = Callable[[TableState, Requester, Any, int, TableSnapshot | None], LogEntry]

HANDLERS: Final[dict[type, Handler]] = {
    messages.Sit: seats.sit,
    messages.Leave: seats.leave,
    messages.Show: seats.show,
    messages.AddBot: seats.add_bot,
    messages.RemoveBot: seats.send_away,
    messages.Kick: seats.send_away,
    messages.Ready: host.ready,
    messages.Contribute: host.contribute,
    messages.Invite: host.renew_invitation,
    messages.Reserve: host.reserve,
    messages.Change: host.change,
    messages.HandOver: host.hand_over,
    messages.Pause: host.pause,
    messages.Start: play.start,
    messages.Act: play.act,
    messages.Undo: play.undo,
    messages.Say: chat.say,
    messages.Mute: chat.mute,
    messages.Report: chat.report,
    erasure.EraseUser: erasure.erase_user,
}

# These handlers need the snapshot of an earlier version.
SNAPSHOT_HANDLERS: Final[dict[type, SnapshotHandler]] = {
    messages.Rollback: rollback.propose,
    messages.Agree: rollback.agree,
}


def find_earlier_version(state: TableState, request: messages.Request) -> int | None:
    """Return the version whose snapshot a handler needs, if it needs one and the table had it."""
    match request:
        case messages.Rollback(to=to):
            return to if to < state.version else None
        case messages.Agree():
            return state.proposal.to if state.proposal else None
    return None


def handle_request(
    state: TableState, requester: Requester, request: messages.Request, now: int, earlier: TableSnapshot | None
) -> LogEntry:
    """Apply a request to the state and return the entry, or refuse it and change nothing."""
    if type(request) in SNAPSHOT_HANDLERS:
        return SNAPSHOT_HANDLERS[type(request)](state, requester, request, now, earlier)
    if type(request) not in HANDLERS:
        raise refuse(Code.UNKNOWN_REQUEST)
    return HANDLERS[type(request)](state, requester, request, now)
