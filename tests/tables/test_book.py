"""The book of a table: seats, the game, the clock, and that it can be rebuilt from its entries."""

from random import Random

import msgspec
from tables.books import GAME, SEED, T0, choose, code_of, copied, ends, opened, started, user

from palatine_server.tables.book import Book
from palatine_server.tables.log import LogEntry, turned

# Seats


def test_a_seat_is_taken_once() -> None:
    book = opened()
    assert book.sit("anna", "Anna", 1, T0).seat == 1
    assert code_of(book.sit, "berta", "Berta", 1, T0) == "seat_taken"
    assert code_of(book.sit, "anna", "Anna", None, T0) == "seat_taken"
    assert code_of(book.sit, "berta", "Berta", 3, T0) == "no_such_seat"


def test_without_a_wish_the_first_free_seat_is_taken() -> None:
    book = opened(2)
    assert [book.sit(user(seat), "x", None, T0).seat for seat in range(2)] == [0, 1]
    assert code_of(book.sit, "carla", "Carla", None, T0) == "no_seat_free"


def test_who_leaves_before_the_game_frees_the_seat() -> None:
    book = opened()
    book.sit("berta", "Berta", 2, T0)
    book.leave("berta", T0)
    assert book.info.seats[2] is None
    assert code_of(book.leave, "berta", T0) == "not_seated"


def test_only_the_host_fills_seats_with_bots_and_starts() -> None:
    book = opened()
    assert code_of(book.add_bot, "berta", "random", None, T0) == "not_the_host"
    assert code_of(book.start, "berta", T0) == "not_the_host"
    assert code_of(book.add_bot, "anna", "clairvoyant", None, T0) == "no_such_policy"
    assert book.add_bot("anna", "random", None, T0).seat == 0
    assert code_of(book.remove_bot, "anna", 1, T0) == "no_such_seat"
    assert code_of(book.remove_bot, "anna", 9, T0) == "no_such_seat"
    book.remove_bot("anna", 0, T0)
    assert book.info.seats == [None, None, None]


def test_the_game_starts_with_all_seats_taken_and_once() -> None:
    book = opened(2)
    assert code_of(book.start, "anna", T0) == "seats_empty"
    assert code_of(book.undo, "anna", T0) == "not_seated"
    book.sit("anna", "Anna", None, T0)
    assert code_of(book.act, "anna", 0, {"do": "choose"}, T0) == "not_started"
    book.add_bot("anna", "random", None, T0)
    book.start("anna", T0)
    assert code_of(book.start, "anna", T0) == "already_started"
    assert code_of(book.add_bot, "anna", "random", None, T0) == "already_started"
    assert code_of(book.sit, "berta", "Berta", None, T0) == "already_started"


# The game


def test_a_book_can_be_rebuilt_from_its_entries_without_rules() -> None:
    book = opened(4)
    page, rng, log = copied(book.page()), Random(4), []
    log += [book.sit(user(seat), "x", None, T0) for seat in range(3)]
    log += [book.add_bot("anna", "random", None, T0), book.start("anna", T0), book.leave("carla", T0)]
    while book.info.status == "playing":
        seat = rng.choice(book.waiting())
        assert book.scribe is not None
        log.append(book.play_for(seat, GAME.policies["random"](book.scribe.play, seat, rng.randrange), "bot", T0))
    for entry in log:
        page = turned(page, msgspec.msgpack.decode(msgspec.msgpack.encode(entry), type=LogEntry))
    assert page == book.page()
    assert Book.read(GAME, copied(page)).page() == book.page()
    assert [entry.version for entry in log] == list(range(1, len(log) + 1))
    assert book.info.standings


def test_an_answer_quotes_the_number_of_the_offer() -> None:
    book = started()
    choose(book, 1)
    assert book.secrets.answers == [0, 1, 0]
    assert code_of(book.act, "berta", 0, {"do": "choose", "tiles": []}, T0) == "stale_offer"
    choose(book, 0)
    assert book.secrets.answers == [1, 1, 0]


def test_a_refused_action_leaves_the_book_as_it_was() -> None:
    book = started()
    before = msgspec.msgpack.encode(book.page())
    for action in ({"do": "choose", "tiles": ["x", "y"]}, {"do": "dance"}, {}):
        code_of(book.act, "anna", 0, action, T0)
    assert msgspec.msgpack.encode(book.page()) == before
    assert book.version == 4


def test_users_and_seed_are_nowhere_to_be_seen() -> None:
    book = started()
    public = repr((book.page().info, book.page().board, book.page().hands))
    assert SEED not in public
    assert "berta" not in public


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
    assert book.overdue(T0 + 29_999) is None
    entry = book.overdue(T0 + 30_000)
    assert entry is not None
    assert (entry.user, entry.did["do"], entry.seat) == ("", "overdue", 0)
    assert entry.news[0].news == {"news": "time_ran_out", "seat": 0}
    assert book.secrets.answers == [1, 0, 0]


def test_a_late_answer_after_the_clock_is_stale() -> None:
    book = started(move_limit=30)
    assert book.scribe is not None
    tiles = book.scribe.play.document.hands[0].tiles[:2]
    book.overdue(T0 + 30_000)
    assert code_of(book.act, "anna", 0, {"do": "choose", "tiles": tiles}, T0 + 30_001) == "stale_offer"


def test_the_clock_survives_a_restart() -> None:
    book = started(move_limit=30)
    choose(book, 0, T0 + 5_000)
    assert ends(Book.read(GAME, copied(book.page()))) == [None, T0 + 30_000, T0 + 30_000]


def test_who_leaves_the_game_is_played_for_and_can_come_back() -> None:
    book = started(move_limit=30)
    book.leave("berta", T0)
    assert book.is_bot(1)
    assert book.bots_to_move() == [1]
    assert ends(book)[1] is None
    assert book.sit("berta", "Berta", None, T0 + 1_000).seat == 1
    assert not book.is_bot(1)
    assert ends(book)[1] == T0 + 31_000
    assert code_of(book.sit, "berta", "Berta", None, T0) == "seat_taken"
