"""Deeds: what each request does in the book. All of them are pure; each gives the entry to be stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from palatine_protocol import messages
from palatine_protocol.errors import Code

from ...games.kit import refuse
from ..model import LogEntry, Page
from ..state import Book, Who
from . import chat, host, play, rollback, seats

Deed = Callable[[Book, Who, Any, int], LogEntry]
LaterDeed = Callable[[Book, Who, Any, int, Page | None], LogEntry]

DEEDS: Final[dict[type, Deed]] = {
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
}

# These need the page of an earlier version.
LATER_DEEDS: Final[dict[type, LaterDeed]] = {
    messages.TakeBack: rollback.propose,
    messages.Agree: rollback.agree,
}


def earlier_version(book: Book, request: messages.Request) -> int | None:
    """The version whose page a deed needs, if it needs one and the book had it."""
    match request:
        case messages.TakeBack(to=to):
            return to if to < book.version else None
        case messages.Agree():
            return book.info.taking_back.to if book.info.taking_back else None
    return None


def do(book: Book, who: Who, request: messages.Request, now: int, earlier: Page | None) -> LogEntry:
    """Carry a request out in the book, or refuse it and change nothing."""
    if type(request) in LATER_DEEDS:
        return LATER_DEEDS[type(request)](book, who, request, now, earlier)
    if type(request) not in DEEDS:
        raise refuse(Code.UNKNOWN_REQUEST)
    return DEEDS[type(request)](book, who, request, now)
