"""Playing: the game begins, people act and undo, and the house moves for bots and for those whose time is up."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from palatine_protocol.errors import Code
from palatine_protocol.messages import Act, Start, Undo

from ...games.kit import AGAIN, SETTLED, AddressedNews, Entry, Recorder, Seat, plain, record_draws, refuse
from .. import fairness
from ..deadlines import clocks
from ..model import Heard, LogEntry, Sealed
from ..state import BY_THE_RULES, Book, Who
from . import seats

BY_THE_HOUSE = ("bot", "overdue", "lapse")  # why it acts on a seat

# People


def start(book: Book, who: Who, request: Start, now: int) -> LogEntry:
    """Begin the game."""
    book.must_be_host(who.user)
    book.must_be_open()
    if None in book.info.seats:
        raise refuse(Code.SEATS_EMPTY)
    if not all(book.is_ready(seat) for seat in range(len(book.info.seats))):
        raise refuse(Code.NOT_READY)
    with record_draws() as drawings:
        play = book.game.begin(len(book.info.seats), book.game_seed(), book.info.options)
    news = [Heard({"news": "game_started"}), *heard(play.told)]
    book.recorder, book.info.status, book.secrets.edition = Recorder(play), "playing", book.game.edition
    book.secrets.clocks = clocks.wound(book.info.clock, len(book.info.seats))
    book.run_clocks(now)
    entry = book.entry(now, who.user, {"do": "start"}, None, news)
    entry.drawings = drawings
    return entry


def act(book: Book, who: Who, request: Act, now: int) -> LogEntry:
    """Answer the offer of one's seat."""
    seat = book.own_seat(who.user)
    recorder = book.running()
    if request.offer != book.secrets.answers[seat]:
        raise refuse(Code.STALE_OFFER)
    return _carried_out(book, recorder, recorder.act(seat, book.game.read_action(request.action)), who.user, "act", now)


def undo(book: Book, who: Who, request: Undo, now: int) -> LogEntry:
    """Take the last action of one's seat back."""
    seat = book.own_seat(who.user)
    recorder = book.running()
    done = recorder.undo(seat)
    clocks.reopen(book.secrets.clocks[seat], now)
    return _carried_out(book, recorder, done, who.user, "undo", now)


# The house


def play_for(book: Book, seat: Seat, action: Any, why: str, now: int) -> LogEntry:
    """What the house does on a seat: a bot's move, or the choice for somebody whose time is up. Nobody can undo it."""
    recorder = book.begun()
    done = recorder.act(seat, action)
    return _carried_out(book, recorder, done, "", why, now)


def overdue(book: Book, now: int) -> LogEntry | None:
    """What happens next because of seats whose time is up: the rules choose, or a house bot takes a seat."""
    ends = {seat: book.until(seat) for seat in book.waiting()}
    late = [seat for seat, end in ends.items() if end is not None and end <= now]
    if not late or book.recorder is None:
        return None
    if lapsed := [seat for seat in late if book.secrets.clocks[seat].lapses == ends[seat]]:
        return play_for(book, *book.game.overdue(book.recorder.play, lapsed), "lapse", now)
    if book.info.clock is None:
        return None
    if book.info.paused:
        return end_pause(book, "", now)
    if book.info.clock.overdue != BY_THE_RULES:
        return _taken_over(book, late[0], now)
    seat, action = book.game.overdue(book.recorder.play, late)
    return play_for(book, seat, action, "overdue", now)


def _taken_over(book: Book, seat: Seat, now: int) -> LogEntry:
    """Let a bot decide; whoever takes the seat back before it has decided goes on with the time that is up."""
    seats.substitute(book, seat)
    book.run_clocks(now)
    return book.entry(now, "", {"do": "take_over"}, seat, [Heard({"news": "time_ran_out", "seat": seat})])


def end_pause(book: Book, user: str, now: int) -> LogEntry:
    """Let the game and its clocks go on: the host says so, or the time of whoever paused it is up."""
    book.info.paused = False
    for seat in book.waiting():
        clocks.reopen(book.secrets.clocks[seat], now)
    book.run_clocks(now)
    return book.entry(now, user, {"do": "game_resumed"}, None, [Heard({"news": "game_resumed"})])


def put_clocks_back(book: Book, closed_for: int, now: int) -> LogEntry:
    """The house was closed: nobody pays for that."""
    by, book.secrets.closed_for = closed_for - book.secrets.closed_for, closed_for
    clocks.put_back(book.secrets.clocks, by)
    return book.entry(now, "", {"do": "put_clocks_back"}, None, [])


# What follows from an action


def _carried_out(book: Book, recorder: Recorder, done: Entry, user: str, why: str, now: int) -> LogEntry:
    book.secrets.answers[done.seat] += 1
    book.secrets.clocks[done.seat].lapses = None  # whatever the seat is asked now is another question
    book.info.taking_back = None
    if book.info.clock is not None and why != "undo":
        _note_decision(book, recorder, done.seat, why, now)
    if why in BY_THE_HOUSE:
        recorder.forget_past()
    if recorder.play.is_over:
        book.info.status, book.info.standings = "over", plain(book.game.standings(recorder.play))
    book.run_clocks(now)
    late = [Heard({"news": "time_ran_out", "seat": done.seat})] if why == "overdue" else []
    news = [*late, *heard(done.news), *_sealing(book, done)]
    return book.entry(now, user, {"do": why, "action": done.action}, done.seat, news, done)


def _note_decision(book: Book, recorder: Recorder, seat: Seat, why: str, now: int) -> None:
    """Settle the clocks of those whose decision has ended; what can be undone is settled later.

    A seat that must decide once more has ended a decision only if something was revealed: the rules may let it take
    back whatever it did otherwise.
    """
    hands, play, clock = book.secrets.clocks, recorder.play, book.info.clock
    assert clock is not None
    is_revealed = not recorder.may_undo(seat)
    has_decided = play.after in (None, SETTLED) or (play.after is AGAIN and is_revealed)
    if is_revealed or why in BY_THE_HOUSE:
        clocks.settle_decisions(clock, hands, play, seat if has_decided else None, now)
    if has_decided and play.answered is not None:
        clocks.note_decided(hands[seat], play.answered)


def _sealing(book: Book, done: Entry) -> list[Heard]:
    """Seal a secret choice, and open all of them when they are revealed."""
    secrets, game, news = book.secrets, book.game, list[Heard]()
    if not game.sealed:
        return news
    if done.action["do"] in game.sealed:
        choice = Sealed(book.version + 1, done.seat, done.action)
        secrets.sealed.append(choice)
        seal = fairness.seal_of(secrets.seed, choice)
        news.append(Heard({"news": "choice_sealed", "seat": done.seat, "seal": seal}))
    if {told.news.__struct_config__.tag for told in done.news} & set(game.sealed.values()):
        opened = [fairness.opened(secrets.seed, choice) for choice in secrets.sealed]
        news.append(Heard({"news": "choices_opened", "choices": opened}))
        secrets.sealed = []
    return news


def heard(told: Iterable[AddressedNews]) -> list[Heard]:
    """News of the game as the log keeps them."""
    return [Heard(plain(item.news), item.to) for item in told]
