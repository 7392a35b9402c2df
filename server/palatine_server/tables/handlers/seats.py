"""Seating: who sits down and gets up, on which seat, and for whom a house bot plays."""

from __future__ import annotations

from palatine_protocol.errors import Code
from palatine_protocol.messages import AddBot, Kick, Leave, RemoveBot, Seated, Show, Sit

from ...games.kit import Seat, refuse
from ..deadlines import clocks
from ..model import Heard, LogEntry
from ..state import BY_THE_RULES, Book, Who
from ..unchanged import Unchanged

OBJECTION = 2_000  # milliseconds for the node to which somebody is connected to say that they are not away
SUBSTITUTE = "greedy"  # how a house bot plays for somebody who left, unless the clock names another policy


def sit(book: Book, who: Who, request: Sit, now: int) -> LogEntry:
    """Take a seat, or take one's own seat back from the house bot that plays on it."""
    own = book.seat_of(who.user)
    if own is not None:
        return _return_to(book, own, who, request.seat, now)
    book.must_be_open()
    seat = _free_seat(book, request.seat, who.user)
    book.info.seats[seat] = Seated(name=who.name, host=who.user == book.secrets.host)
    book.secrets.users[seat] = who.user
    return _taken(book, who, "sit", seat, who.name, now)


def _return_to(book: Book, own: Seat, who: Who, wanted: Seat | None, now: int) -> LogEntry:
    sitting = book.info.seats[own]
    if sitting is None or not sitting.substitute or wanted not in (None, own):
        raise refuse(Code.SEAT_TAKEN)
    book.must_not_be_over()
    book.reseat(own, name=who.name, bot=False, policy="", substitute=False)
    if not book.info.paused:  # what the bot has not decided is still the same decision
        clocks.reopen(book.secrets.clocks[own], now)
    return _taken(book, who, "sit", own, who.name, now)


def leave(book: Book, who: Who, request: Leave, now: int) -> LogEntry:
    """Give the seat up; in a running game a house bot plays on, and the seat can be taken back."""
    seat = book.own_seat(who.user)
    book.must_not_be_over()
    name = book.sitting(seat).name
    if book.info.status == "open":
        book.info.seats[seat] = book.secrets.users[seat] = None
    else:
        substitute(book, seat)
    return _left(book, who, "leave", seat, name, now)


def substitute(book: Book, seat: Seat) -> None:
    """Let a house bot play on this seat until its player comes back."""
    clock = book.info.clock
    policy = clock.overdue if clock and clock.overdue != BY_THE_RULES else SUBSTITUTE
    book.reseat(seat, bot=True, policy=policy, substitute=True)


def note_away(book: Book, seat: Seat, is_away: bool, since: int | None, now: int) -> LogEntry:
    """Somebody who is waited for lost the connection, or is back."""
    grace = 1000 * (book.info.clock.grace or 0) if book.info.clock else 0
    known = max(since or now, now + OBJECTION - grace)  # however late we notice it
    book.secrets.clocks[seat].away = known if is_away else None
    book.reseat(seat, away=is_away)
    news = {"news": "player_away" if is_away else "player_back", "seat": seat}
    return book.entry(now, "", {"do": "note_away"}, seat, [Heard(news)])


def show(book: Book, who: Who, request: Show, now: int) -> LogEntry:
    """Let spectators look over one's shoulder, or not any more."""
    seat = book.own_seat(who.user)
    if book.sitting(seat).shown == request.shown:
        raise Unchanged
    book.reseat(seat, shown=request.shown)
    news = {"news": "hand_shown" if request.shown else "hand_covered", "seat": seat}
    return book.entry(now, who.user, {"do": "show"}, seat, [Heard(news)])


# The host


def add_bot(book: Book, who: Who, request: AddBot, now: int) -> LogEntry:
    """Put a house bot on a free seat."""
    book.must_be_host(who.user)
    book.must_be_open()
    if request.policy not in book.game.policies:
        raise refuse(Code.NO_SUCH_POLICY)
    seat = _free_seat(book, request.seat, "")
    name = f"Bot {seat + 1}"
    book.info.seats[seat] = Seated(name=name, bot=True, policy=request.policy)
    return _taken(book, who, "add_bot", seat, name, now)


def send_away(book: Book, who: Who, request: Kick | RemoveBot, now: int) -> LogEntry:
    """Send a bot or somebody away before the game starts; a new invitation keeps him out of a private table."""
    book.must_be_host(who.user)
    book.must_be_open()
    sitting = book.sitting(request.seat)
    if isinstance(request, RemoveBot) and not sitting.bot:
        raise refuse(Code.NO_SUCH_SEAT)
    book.info.seats[request.seat] = book.secrets.users[request.seat] = None
    return _left(book, who, "send_away", request.seat, sitting.name, now)


# Which seat


def _free_seat(book: Book, wanted: Seat | None, user: str) -> Seat:
    """The seat wanted, the one kept for this user, or the first that is free for everybody."""
    if wanted is None:
        return _any_seat(book, user)
    book.must_exist(wanted)
    if book.info.seats[wanted] is not None:
        raise refuse(Code.SEAT_TAKEN)
    if _kept_for(book, wanted) not in (None, user):
        raise refuse(Code.SEAT_RESERVED)
    return wanted


def _any_seat(book: Book, user: str) -> Seat:
    free = [seat for seat, sitting in enumerate(book.info.seats) if sitting is None]
    for keeper in (user, None):
        for seat in free:
            if _kept_for(book, seat) == keeper:
                return seat
    raise refuse(Code.NO_SEAT_FREE)


def _kept_for(book: Book, seat: Seat) -> str | None:
    return book.secrets.reserved[seat] if book.secrets.reserved else None


# Telling


def _taken(book: Book, who: Who, did: str, seat: Seat, name: str, now: int) -> LogEntry:
    book.run_clocks(now)
    return book.entry(now, who.user, {"do": did}, seat, [Heard({"news": "seat_taken", "seat": seat, "name": name})])


def _left(book: Book, who: Who, did: str, seat: Seat, name: str, now: int) -> LogEntry:
    book.run_clocks(now)
    return book.entry(now, who.user, {"do": did}, seat, [Heard({"news": "seat_left", "seat": seat, "name": name})])
