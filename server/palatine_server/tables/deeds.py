"""Deeds: what each request does in the book. All of them are pure; each gives the entry to be stored."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from palatine_protocol import messages
from palatine_protocol.errors import Code

from ..games.kit import refuse
from . import hosting, playing, seating, taking_back, talking
from .book import Book, Who
from .log import LogEntry, Page

Deed = Callable[[Book, Who, Any, int], LogEntry]
LaterDeed = Callable[[Book, Who, Any, int, Page | None], LogEntry]

DEEDS: Final[dict[type, Deed]] = {
    messages.Sit: seating.sit,
    messages.Leave: seating.leave,
    messages.Show: seating.show,
    messages.AddBot: seating.add_bot,
    messages.RemoveBot: seating.send_away,
    messages.Kick: seating.send_away,
    messages.Ready: hosting.ready,
    messages.Contribute: hosting.contribute,
    messages.Invite: hosting.renew_invitation,
    messages.Reserve: hosting.reserve,
    messages.Change: hosting.change,
    messages.HandOver: hosting.hand_over,
    messages.Pause: hosting.pause,
    messages.Start: playing.start,
    messages.Act: playing.act,
    messages.Undo: playing.undo,
    messages.Say: talking.say,
    messages.Mute: talking.mute,
    messages.Report: talking.report,
}

# These need the page of an earlier version.
LATER_DEEDS: Final[dict[type, LaterDeed]] = {
    messages.TakeBack: taking_back.propose,
    messages.Agree: taking_back.agree,
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
