"""The game: how it begins, which offer an action answers, and what the clock decides."""

from typing import Any

import msgspec
from tables.state_fixtures import GAME, T0, TABLE, act, ask, choose, code_of, copied, ends, opened, started, undo

from palatine_protocol.messages import AddBot, Leave, Pause, Say, Sit, Start
from palatine_server.games.kit import plain
from palatine_server.tables.handlers.play import overdue
from palatine_server.tables.state import Book


def test_the_game_starts_with_all_seats_taken_and_once() -> None:
    book = opened(2)
    assert code_of(ask, book, 1, Start(**TABLE)) == "not_the_host"
    assert code_of(ask, book, 0, Start(**TABLE)) == "seats_empty"
    assert code_of(undo, book, 0) == "not_seated"
    ask(book, 0, Sit(**TABLE))
    assert code_of(act, book, 0, {"do": "choose"}) == "not_started"
    ask(book, 0, AddBot(**TABLE, policy="random"))
    ask(book, 0, Start(**TABLE))
    for seat, request in ((0, Start(**TABLE)), (0, AddBot(**TABLE)), (1, Sit(**TABLE))):
        assert code_of(ask, book, seat, request) == "already_started"


def test_an_answer_quotes_the_number_of_the_offer() -> None:
    book = started()
    choose(book, 1)
    assert book.secrets.answers == [0, 1, 0]
    assert code_of(act, book, 1, {"do": "choose", "tiles": []}, T0, 0) == "stale_offer"
    choose(book, 0)
    assert book.secrets.answers == [1, 1, 0]


def test_a_refused_action_leaves_the_book_as_it_was() -> None:
    book = started()
    before = msgspec.msgpack.encode(book.page())
    for action in ({"do": "choose", "tiles": ["x", "y"]}, {"do": "dance"}, {}):
        code_of(act, book, 0, action)
    assert msgspec.msgpack.encode(book.page()) == before
    assert book.version == 4


# The clock


def test_without_a_limit_nobody_has_a_deadline() -> None:
    assert started().deadline() is None


def test_everybody_who_is_waited_for_has_his_own_time() -> None:
    book = started(move_limit=30)
    assert ends(book) == [T0 + 30_000] * 3
    choose(book, 1, T0 + 20_000)
    assert ends(book) == [T0 + 30_000, None, T0 + 30_000]


def test_anothers_action_neither_shortens_nor_lengthens_my_time() -> None:
    book = started(move_limit=30)
    choose(book, 0, T0 + 10_000)
    choose(book, 1, T0 + 29_000)
    assert ends(book)[2] == T0 + 30_000


def test_a_new_decision_brings_new_time() -> None:
    book = started(move_limit=30)
    for seat in range(3):
        choose(book, seat, T0 + 10_000)
    assert ends(book) == [T0 + 40_000] * 3


def test_when_time_is_up_the_rules_choose() -> None:
    book = started(move_limit=30)
    assert overdue(book, T0 + 29_999) is None
    entry = overdue(book, T0 + 30_000)
    assert entry is not None
    assert (entry.user, entry.did["do"], entry.seat) == ("", "overdue", 0)
    assert entry.news[0].news == {"news": "time_ran_out", "seat": 0}
    assert book.secrets.answers == [1, 0, 0]


def test_a_late_answer_after_the_clock_is_stale() -> None:
    book = started(move_limit=30)
    tiles = book.begun().play.document.hands[0].tiles[:2]
    overdue(book, T0 + 30_000)
    assert code_of(act, book, 0, {"do": "choose", "tiles": tiles}, T0 + 30_001, 0) == "stale_offer"


def test_the_clock_survives_a_restart() -> None:
    book = started(move_limit=30)
    choose(book, 0, T0 + 5_000)
    assert ends(Book.read(GAME, copied(book.page()))) == [None, T0 + 30_000, T0 + 30_000]


# Offers that lapse: the last to place may correct for a moment (B2C-PP-10)


def all_placed(**more: Any) -> Book:
    """A table without a clock at which every tile lies; somebody was the last to place."""
    book = started(**more)
    for seat in range(3):
        choose(book, seat)
    play = book.begun().play
    while play.board.correcting is None:
        seat, action = GAME.overdue(play, play.waiting_for())
        act(book, seat, plain(action))
    return book


def last(book: Book) -> int:
    seat = book.begun().play.board.correcting
    assert seat is not None
    return int(seat)


def test_an_offer_lapses_also_without_a_clock() -> None:
    book = all_placed()
    seat = last(book)
    assert book.deadline() == book.until(seat) == T0 + 3_000
    assert overdue(book, T0 + 2_999) is None
    entry = overdue(book, T0 + 3_000)
    assert entry is not None
    assert (entry.did, entry.seat, entry.user) == ({"do": "lapse", "action": {"do": "ready"}}, seat, "")
    assert "time_ran_out" not in str(entry.news)
    assert (book.begun().play.board.phase, book.deadline()) == ("choose", None)


def test_an_offer_lapses_anew_when_it_is_made_anew() -> None:
    book = all_placed()
    seat = last(book)
    undo(book, seat, T0 + 2_000)
    assert book.until(seat) is None
    play = book.begun().play
    _, action = GAME.overdue(play, [seat])
    act(book, seat, plain(action), T0 + 2_500)
    assert book.until(seat) == T0 + 5_500


def test_what_others_do_does_not_prolong_an_offer_that_lapses() -> None:
    book = all_placed()
    seat = last(book)
    ask(book, (seat + 1) % 3, Say(**TABLE, text="Well placed."), T0 + 1_000)
    assert book.until(seat) == T0 + 3_000


def test_a_bot_needs_no_grace_and_a_pause_stops_it() -> None:
    book = all_placed()
    seat = last(book)
    ask(book, 0, Pause(**TABLE), T0 + 1_000)
    assert book.deadline() is None
    ask(book, 0, Pause(**TABLE, paused=False), T0 + 60_000)
    assert book.until(seat) == T0 + 63_000
    ask(book, seat, Leave(**TABLE), T0 + 60_500)  # a bot takes the seat
    assert (book.bots_to_move(), book.deadline()) == ([seat], None)


def test_a_lapsing_offer_survives_a_restart() -> None:
    book = all_placed()
    assert Book.read(GAME, copied(book.page())).deadline() == T0 + 3_000
