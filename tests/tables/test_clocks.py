"""Clocks on a clock that the test holds in its hands."""

from tables.books import GAME, T0, TABLE, ask, choose, copied, ends, place, started, tick, undo

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.tables.book import Book
from palatine_server.tables.playing import overdue, put_clocks_back
from palatine_server.tables.seating import note_away

SECOND, DAY = 1000, 86_400_000


def banks(book: Book) -> list[int | None]:
    return [seated.bank if seated else None for seated in book.info.seats]


def test_without_a_clock_nobody_is_hurried_but_everybody_sees_since_when() -> None:
    book = started()
    assert ends(book) == [None] * 3
    assert [hand.since for hand in book.secrets.clocks] == [T0] * 3
    assert overdue(book, T0 + 1000 * DAY) is None


def test_slow_play_has_days_per_move() -> None:
    book = started(clock=Clock(move=3 * 86_400))
    assert ends(book) == [T0 + 3 * DAY] * 3


def test_a_bank_is_used_when_the_time_of_the_decision_is() -> None:
    book = started(clock=Clock(move=10, bank=60, increment=5))
    assert ends(book) == [T0 + 70 * SECOND] * 3
    choose(book, 0, T0 + 4 * SECOND)  # within its own time
    choose(book, 1, T0 + 30 * SECOND)  # 20 seconds more
    assert banks(book)[:2] == [65 * SECOND, 45 * SECOND]


def test_a_bank_alone_runs_from_the_first_second() -> None:
    book = started(clock=Clock(bank=60))
    choose(book, 0, T0 + 15 * SECOND)
    assert banks(book)[0] == 45 * SECOND


def test_only_those_pay_who_hold_the_table_up() -> None:
    book = started(clock=Clock(bank=60))
    choose(book, 0, T0 + 5 * SECOND)
    choose(book, 1, T0 + 6 * SECOND)
    choose(book, 2, T0 + 50 * SECOND)  # the others wait, at no cost
    assert banks(book) == [55 * SECOND, 54 * SECOND, 10 * SECOND]


def test_doing_and_undoing_gains_no_time() -> None:
    book = started(clock=Clock(move=10, bank=20, increment=5))
    for second in range(1, 9):
        tick(book, 0, T0 + second * SECOND)
        undo(book, 0, T0 + second * SECOND)
    assert ends(book)[0] == T0 + 30 * SECOND


def test_a_decision_that_is_undone_runs_on() -> None:
    book = started(clock=Clock(move=30))
    for seat in range(3):
        choose(book, seat, T0)
    place(book, 0, T0 + 10 * SECOND)
    place(book, 0, T0 + 20 * SECOND)
    assert ends(book)[0] is None
    undo(book, 0, T0 + 25 * SECOND)
    assert ends(book)[0] == T0 + 25 * SECOND + 10 * SECOND  # 20 of 30 seconds were used


def test_when_time_is_up_a_house_bot_takes_the_seat_until_its_player_comes_back() -> None:
    book = started(clock=Clock(move=30, overdue="random"))
    entry = overdue(book, T0 + 30 * SECOND)
    assert entry is not None
    assert (entry.seat, entry.news[0].news["news"]) == (0, "time_ran_out")
    assert book.bots_to_move() == [0]
    sitting = book.info.seats[0]
    assert sitting is not None
    assert (sitting.policy, sitting.substitute) == ("random", True)
    ask(book, 0, messages.Sit(**TABLE), T0 + 31 * SECOND)
    assert book.bots_to_move() == []
    assert ends(book)[0] == T0 + 61 * SECOND


def test_a_pause_keeps_what_is_left() -> None:
    book = started(clock=Clock(move=30))
    ask(book, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(book) == [None] * 3
    assert overdue(book, T0 + DAY) is None
    ask(book, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
    assert ends(book) == [T0 + DAY + 20 * SECOND] * 3


def test_nobody_pays_for_a_closed_house() -> None:
    book = Book.read(GAME, copied(started(clock=Clock(move=30)).page()))
    put_clocks_back(book, 5 * DAY, T0 + 5 * DAY)
    assert ends(book) == [T0 + 5 * DAY + 30 * SECOND] * 3
    put_clocks_back(book, 5 * DAY, T0 + 5 * DAY)
    assert ends(book) == [T0 + 5 * DAY + 30 * SECOND] * 3


def test_grace_for_who_is_not_connected_is_not_the_clock() -> None:
    book = started(clock=Clock(move=100, grace=20))
    note_away(book, 1, True, None, T0 + 50 * SECOND)
    assert ends(book) == [T0 + 100 * SECOND, T0 + 70 * SECOND, T0 + 100 * SECOND]
    note_away(book, 1, False, None, T0 + 60 * SECOND)
    assert ends(book) == [T0 + 100 * SECOND] * 3  # the drop cost nothing, and nobody else anything


def test_grace_begins_when_somebody_is_waited_for() -> None:
    book = started(clock=Clock(grace=20))
    choose(book, 1, T0 + SECOND)
    note_away(book, 1, True, None, T0 + 2 * SECOND)
    assert ends(book)[1] is None
    choose(book, 0, T0 + 50 * SECOND)
    choose(book, 2, T0 + 50 * SECOND)
    assert ends(book) == [None, T0 + 70 * SECOND, None]


def test_nobody_gains_time_by_leaving_and_coming_back() -> None:
    for clock in (Clock(move=60), Clock(bank=60, increment=10), Clock(move=20, bank=40, increment=5)):
        book = started(clock=clock)
        for now in (T0 + 25 * SECOND, T0 + 50 * SECOND):
            ask(book, 1, messages.Leave(**TABLE), now)
            ask(book, 1, messages.Sit(**TABLE), now)
            assert ends(book) == [T0 + 60 * SECOND] * 3
        ask(book, 0, messages.Pause(**TABLE), T0 + 50 * SECOND)
        ask(book, 1, messages.Leave(**TABLE), T0 + 50 * SECOND)
        ask(book, 1, messages.Sit(**TABLE), T0 + 50 * SECOND)
        assert ends(book) == [None] * 3
        ask(book, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
        assert ends(book) == [T0 + DAY + 10 * SECOND] * 3
