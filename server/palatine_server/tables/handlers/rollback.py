"""Taking back by consent: further than undo goes, when all people who play agree. House bots agree to everything.

A bot that plays for a person agrees to nothing for them: the proposal waits for the person, until somebody acts.
"""

from __future__ import annotations

import msgspec

from palatine_protocol.errors import Code
from palatine_protocol.messages import Agree, TakeBack, TakingBack

from ...games.kit import Recorder, refuse
from ..deadlines import clocks
from ..model import Heard, LogEntry, Page, Sealed
from ..state import Book, Who


def propose(book: Book, who: Who, request: TakeBack, now: int, earlier: Page | None) -> LogEntry:
    """Propose to go back to an earlier version; without other people it is done at once."""
    seat = book.own_seat(who.user)
    book.must_be_playing()
    if earlier is None or earlier.hidden["game"] is None:
        raise refuse(Code.NO_SUCH_VERSION)
    book.info.taking_back = TakingBack(to=request.to, by=seat, agreed=[seat])
    return _settled(book, who, now, earlier, "take_back_proposed")


def agree(book: Book, who: Who, request: Agree, now: int, earlier: Page | None) -> LogEntry:
    """Agree, or end the matter."""
    seat, proposal = book.own_seat(who.user), book.info.taking_back
    if proposal is None or earlier is None:
        raise refuse(Code.NOTHING_PROPOSED)
    if not request.agree:
        book.info.taking_back = None
        return book.entry(now, who.user, {"do": "disagree"}, seat, [Heard({"news": "take_back_refused", "seat": seat})])
    agreed = sorted({*proposal.agreed, seat})
    book.info.taking_back = TakingBack(to=proposal.to, by=proposal.by, agreed=agreed)
    return _settled(book, who, now, earlier, "take_back_agreed")


def _settled(book: Book, who: Who, now: int, earlier: Page, news: str) -> LogEntry:
    seat, proposal = book.own_seat(who.user), book.info.taking_back
    assert proposal is not None
    people = {seat for seat in range(len(book.info.seats)) if book.is_person(seat)}
    told = Heard({"news": news, "seat": seat, "to": proposal.to})
    if people - set(proposal.agreed):
        return book.entry(now, who.user, {"do": news}, seat, [told])
    _go_back(book, earlier, now)
    done = Heard({"news": "taken_back", "to": proposal.to})
    return book.entry(now, who.user, {"do": "take_back", "to": proposal.to}, seat, [told, done])


def _go_back(book: Book, earlier: Page, now: int) -> None:
    """Put the game back to an earlier page; offers made since then cannot be answered any more."""
    document = {"board": earlier.board, "hands": earlier.hands, **earlier.hidden["game"]}
    book.recorder = Recorder(book.game.resume(document))
    book.secrets.answers = [count + 1 for count in book.secrets.answers]
    book.secrets.sealed = msgspec.convert(earlier.hidden.get("sealed", []), list[Sealed])
    book.info.taking_back = None
    for hand, then in zip(book.secrets.clocks, earlier.hidden["clocks"], strict=True):
        clocks.rewind(book.info.clock, hand, then.get("bank", 0), now)
    book.run_clocks(now)
