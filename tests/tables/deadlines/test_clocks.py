"""Clocks on a clock that the test holds in its hands."""

from random import Random

from tables.state_fixtures import GAME, T0, TABLE, act, ask, choose, code_of, copied, ends, place, started, tick, undo

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.between_two_castles.seats import deciders
from palatine_server.tables.handlers.play import overdue, play_for, put_clocks_back
from palatine_server.tables.handlers.seats import note_away
from palatine_server.tables.state import Book

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
    ask(book, 0, messages.Sit(**TABLE), T0 + 31 * SECOND)  # the bot has not decided: the time is still up
    assert book.bots_to_move() == []
    assert ends(book)[0] == T0 + 31 * SECOND
    again = overdue(book, T0 + 31 * SECOND)
    assert again is not None
    assert again.did["do"] == "take_over"


def test_a_pause_keeps_what_is_left() -> None:
    book = started(clock=Clock(move=30))
    choose(book, 0, T0 + 5 * SECOND)
    ask(book, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(book) == [None] * 3
    assert overdue(book, T0 + DAY) is None
    ask(book, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
    assert ends(book) == [None, *[T0 + DAY + 20 * SECOND] * 2]


def test_a_pause_does_not_stop_the_clock_of_whoever_paused() -> None:
    book = started(clock=Clock(move=30))
    ask(book, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(book) == [T0 + 30 * SECOND, None, None]
    ask(book, 0, messages.HandOver(**TABLE, seat=1), T0 + 12 * SECOND)
    assert ends(book) == [T0 + 30 * SECOND, T0 + 12 * SECOND + 20 * SECOND, None]  # nor that of who could end it
    resumed = overdue(book, T0 + 30 * SECOND)
    assert resumed is not None
    assert (resumed.news[0].news, book.info.paused) == ({"news": "game_resumed"}, False)
    assert ends(book) == [T0 + 30 * SECOND, T0 + 32 * SECOND, T0 + 50 * SECOND]
    late = overdue(book, T0 + 30 * SECOND)
    assert late is not None
    assert (late.seat, late.news[0].news["news"]) == (0, "time_ran_out")


def test_leaving_before_a_pause_does_not_stop_the_clock_either() -> None:
    book = started(clock=Clock(move=30))
    ask(book, 0, messages.Leave(**TABLE), T0 + 10 * SECOND)
    ask(book, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(book)[0] == T0 + 30 * SECOND
    ask(book, 0, messages.Sit(**TABLE), T0 + 20 * SECOND)
    ask(book, 0, messages.Pause(**TABLE, paused=False), T0 + 25 * SECOND)
    assert ends(book)[0] == T0 + 30 * SECOND


def test_proposing_again_earns_nothing() -> None:
    """B2C-JOINT-3: a new proposal replaces the old one as often as its decider likes, but it decides nothing."""
    book, castle, (one, other), (first, theirs, second) = with_a_joint_question(Clock(move=30, bank=60, increment=10))
    now = T0 + 3600 * SECOND
    banks_before = banks(book)
    propose(book, one, castle, first, now)
    propose(book, other, castle, theirs, now + SECOND)
    until = ends(book)
    assert until[one] is not None
    for moment in range(now + 2 * SECOND, now + 20 * SECOND, SECOND):  # both are waited for: they do not agree
        propose(book, one, castle, second, moment)
        act(book, one, {"do": "call_tiebreak", "castle": castle}, moment)
        propose(book, one, castle, first, moment)
    assert ends(book)[one] == until[one]
    assert banks(book)[one] == banks_before[one]


def with_a_joint_question(clock: Clock) -> tuple[Book, int, list[int], list[str]]:
    """A book in which two partners have at least three options and have said nothing yet."""
    for seed in range(100):
        book = started(3, clock=clock)
        for _ in range(200):
            assert book.recorder is not None
            play, rng = book.recorder.play, Random(seed)
            asked = [choice for seat in play.waiting_for() for choice in play.offer(seat) if choice.do == "propose"]
            for choice in (choice for choice in asked if len(choice.fields["choice"]) > 2):
                castle = choice.fields["castle"][0]
                if len(partners := deciders(play, castle)) == 2:
                    return book, castle, partners, choice.fields["choice"][:3]
            seat = rng.choice(play.waiting_for())
            play_for(book, seat, GAME.policies["random"](play, seat, rng.randrange), "bot", T0)
    raise AssertionError("no question in a hundred games")


def propose(book: Book, seat: int, castle: int, wanted: str, now: int) -> None:
    act(book, seat, {"do": "propose", "castle": castle, "choice": wanted}, now)


def test_what_the_house_decided_cannot_be_undone() -> None:
    book = started(clock=Clock(move=30))
    for seat in range(3):
        choose(book, seat, T0)
    entry = overdue(book, T0 + 30 * SECOND)
    assert entry is not None
    assert entry.did["action"]["do"] == "place"
    assert entry.seat is not None
    assert code_of(undo, book, entry.seat) == "cannot_undo"


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
        choose(book, 0, T0 + 50 * SECOND)
        ask(book, 0, messages.Pause(**TABLE), T0 + 50 * SECOND)
        ask(book, 1, messages.Leave(**TABLE), T0 + 50 * SECOND)
        ask(book, 1, messages.Sit(**TABLE), T0 + 50 * SECOND)
        assert ends(book) == [None] * 3
        ask(book, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
        assert ends(book) == [None, *[T0 + DAY + 10 * SECOND] * 2]
