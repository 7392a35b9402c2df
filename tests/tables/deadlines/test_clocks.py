"""Clocks on a clock that the test holds in its hands."""

from random import Random

from tables.state_fixtures import GAME, T0, TABLE, act, ask, choose, code_of, copied, ends, place, started, tick, undo

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.games.between_two_castles.seats import deciders
from palatine_server.tables.handlers.play import handle_overdue, play_for, put_clocks_back
from palatine_server.tables.handlers.seats import note_away
from palatine_server.tables.state import TableState

SECOND, DAY = 1000, 86_400_000


def banks(state: TableState) -> list[int | None]:
    return [seated.bank if seated else None for seated in state.info.seats]


def test_without_a_clock_nobody_is_hurried_but_everybody_sees_since_when() -> None:
    state = started()
    assert ends(state) == [None] * 3
    assert [hand.since for hand in state.secrets.clocks] == [T0] * 3
    assert handle_overdue(state, T0 + 1000 * DAY) is None


def test_slow_play_has_days_per_move() -> None:
    state = started(clock=Clock(move=3 * 86_400))
    assert ends(state) == [T0 + 3 * DAY] * 3


def test_a_bank_is_used_when_the_time_of_the_decision_is() -> None:
    state = started(clock=Clock(move=10, bank=60, increment=5))
    assert ends(state) == [T0 + 70 * SECOND] * 3
    choose(state, 0, T0 + 4 * SECOND)  # within its own time
    choose(state, 1, T0 + 30 * SECOND)  # 20 seconds more
    assert banks(state)[:2] == [65 * SECOND, 45 * SECOND]


def test_a_bank_alone_runs_from_the_first_second() -> None:
    state = started(clock=Clock(bank=60))
    choose(state, 0, T0 + 15 * SECOND)
    assert banks(state)[0] == 45 * SECOND


def test_only_those_pay_who_hold_the_table_up() -> None:
    state = started(clock=Clock(bank=60))
    choose(state, 0, T0 + 5 * SECOND)
    choose(state, 1, T0 + 6 * SECOND)
    choose(state, 2, T0 + 50 * SECOND)  # the others wait, at no cost
    assert banks(state) == [55 * SECOND, 54 * SECOND, 10 * SECOND]


def test_doing_and_undoing_gains_no_time() -> None:
    state = started(clock=Clock(move=10, bank=20, increment=5))
    for second in range(1, 9):
        tick(state, 0, T0 + second * SECOND)
        undo(state, 0, T0 + second * SECOND)
    assert ends(state)[0] == T0 + 30 * SECOND


def test_a_decision_that_is_undone_runs_on() -> None:
    state = started(clock=Clock(move=30))
    for seat in range(3):
        choose(state, seat, T0)
    place(state, 0, T0 + 10 * SECOND)
    place(state, 0, T0 + 20 * SECOND)
    assert ends(state)[0] is None
    undo(state, 0, T0 + 25 * SECOND)
    assert ends(state)[0] == T0 + 25 * SECOND + 10 * SECOND  # 20 of 30 seconds were used


def test_when_time_is_up_a_house_bot_takes_the_seat_until_its_player_comes_back() -> None:
    state = started(clock=Clock(move=30, overdue="random"))
    entry = handle_overdue(state, T0 + 30 * SECOND)
    assert entry is not None
    assert (entry.seat, entry.news[0].news["news"]) == (0, "time_ran_out")
    assert state.bots_to_move() == [0]
    sitting = state.info.seats[0]
    assert sitting is not None
    assert (sitting.policy, sitting.substitute) == ("random", True)
    ask(state, 0, messages.Sit(**TABLE), T0 + 31 * SECOND)  # the bot has not decided: the time is still up
    assert state.bots_to_move() == []
    assert ends(state)[0] == T0 + 31 * SECOND
    again = handle_overdue(state, T0 + 31 * SECOND)
    assert again is not None
    assert again.did["do"] == "take_over"


def test_a_pause_keeps_what_is_left() -> None:
    state = started(clock=Clock(move=30))
    choose(state, 0, T0 + 5 * SECOND)
    ask(state, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(state) == [None] * 3
    assert handle_overdue(state, T0 + DAY) is None
    ask(state, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
    assert ends(state) == [None, *[T0 + DAY + 20 * SECOND] * 2]


def test_a_pause_does_not_stop_the_clock_of_whoever_paused() -> None:
    state = started(clock=Clock(move=30))
    ask(state, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(state) == [T0 + 30 * SECOND, None, None]
    ask(state, 0, messages.HandOver(**TABLE, seat=1), T0 + 12 * SECOND)
    assert ends(state) == [T0 + 30 * SECOND, T0 + 12 * SECOND + 20 * SECOND, None]  # nor that of who could end it
    resumed = handle_overdue(state, T0 + 30 * SECOND)
    assert resumed is not None
    assert (resumed.news[0].news, state.info.paused) == ({"news": "game_resumed"}, False)
    assert ends(state) == [T0 + 30 * SECOND, T0 + 32 * SECOND, T0 + 50 * SECOND]
    late = handle_overdue(state, T0 + 30 * SECOND)
    assert late is not None
    assert (late.seat, late.news[0].news["news"]) == (0, "time_ran_out")


def test_leaving_before_a_pause_does_not_stop_the_clock_either() -> None:
    state = started(clock=Clock(move=30))
    ask(state, 0, messages.Leave(**TABLE), T0 + 10 * SECOND)
    ask(state, 0, messages.Pause(**TABLE), T0 + 10 * SECOND)
    assert ends(state)[0] == T0 + 30 * SECOND
    ask(state, 0, messages.Sit(**TABLE), T0 + 20 * SECOND)
    ask(state, 0, messages.Pause(**TABLE, paused=False), T0 + 25 * SECOND)
    assert ends(state)[0] == T0 + 30 * SECOND


def test_proposing_again_earns_nothing() -> None:
    """B2C-JOINT-3: a new proposal replaces the old one as often as its decider likes, but it decides nothing."""
    state, castle, (one, other), (first, theirs, second) = with_a_joint_question(Clock(move=30, bank=60, increment=10))
    now = T0 + 3600 * SECOND
    banks_before = banks(state)
    propose(state, one, castle, first, now)
    propose(state, other, castle, theirs, now + SECOND)
    until = ends(state)
    assert until[one] is not None
    for moment in range(now + 2 * SECOND, now + 20 * SECOND, SECOND):  # both are waited for: they do not agree
        propose(state, one, castle, second, moment)
        act(state, one, {"do": "call_tiebreak", "castle": castle}, moment)
        propose(state, one, castle, first, moment)
    assert ends(state)[one] == until[one]
    assert banks(state)[one] == banks_before[one]


def with_a_joint_question(clock: Clock) -> tuple[TableState, int, list[int], list[str]]:
    """A book in which two partners have at least three options and have said nothing yet."""
    for seed in range(100):
        state = started(3, clock=clock)
        for _ in range(200):
            assert state.recorder is not None
            play, rng = state.recorder.play, Random(seed)
            asked = [choice for seat in play.waiting_for() for choice in play.offer(seat) if choice.do == "propose"]
            for choice in (choice for choice in asked if len(choice.fields["choice"]) > 2):
                castle = choice.fields["castle"][0]
                if len(partners := deciders(play, castle)) == 2:
                    return state, castle, partners, choice.fields["choice"][:3]
            seat = rng.choice(play.waiting_for())
            play_for(state, seat, GAME.policies["random"](play, seat, rng.randrange), "bot", T0)
    raise AssertionError("no question in a hundred games")


def propose(state: TableState, seat: int, castle: int, wanted: str, now: int) -> None:
    act(state, seat, {"do": "propose", "castle": castle, "choice": wanted}, now)


def test_what_the_house_decided_cannot_be_undone() -> None:
    state = started(clock=Clock(move=30))
    for seat in range(3):
        choose(state, seat, T0)
    entry = handle_overdue(state, T0 + 30 * SECOND)
    assert entry is not None
    assert entry.did["action"]["do"] == "place"
    assert entry.seat is not None
    assert code_of(undo, state, entry.seat) == "cannot_undo"


def test_nobody_pays_for_a_closed_house() -> None:
    state = TableState.read(GAME, copied(started(clock=Clock(move=30)).take_snapshot()))
    put_clocks_back(state, 5 * DAY, T0 + 5 * DAY)
    assert ends(state) == [T0 + 5 * DAY + 30 * SECOND] * 3
    put_clocks_back(state, 5 * DAY, T0 + 5 * DAY)
    assert ends(state) == [T0 + 5 * DAY + 30 * SECOND] * 3


def test_grace_for_who_is_not_connected_is_not_the_clock() -> None:
    state = started(clock=Clock(move=100, grace=20))
    note_away(state, 1, True, None, T0 + 50 * SECOND)
    assert ends(state) == [T0 + 100 * SECOND, T0 + 70 * SECOND, T0 + 100 * SECOND]
    note_away(state, 1, False, None, T0 + 60 * SECOND)
    assert ends(state) == [T0 + 100 * SECOND] * 3  # the drop cost nothing, and nobody else anything


def test_grace_begins_when_somebody_is_waited_for() -> None:
    state = started(clock=Clock(grace=20))
    choose(state, 1, T0 + SECOND)
    note_away(state, 1, True, None, T0 + 2 * SECOND)
    assert ends(state)[1] is None
    choose(state, 0, T0 + 50 * SECOND)
    choose(state, 2, T0 + 50 * SECOND)
    assert ends(state) == [None, T0 + 70 * SECOND, None]


def test_nobody_gains_time_by_leaving_and_coming_back() -> None:
    for clock in (Clock(move=60), Clock(bank=60, increment=10), Clock(move=20, bank=40, increment=5)):
        state = started(clock=clock)
        for now in (T0 + 25 * SECOND, T0 + 50 * SECOND):
            ask(state, 1, messages.Leave(**TABLE), now)
            ask(state, 1, messages.Sit(**TABLE), now)
            assert ends(state) == [T0 + 60 * SECOND] * 3
        choose(state, 0, T0 + 50 * SECOND)
        ask(state, 0, messages.Pause(**TABLE), T0 + 50 * SECOND)
        ask(state, 1, messages.Leave(**TABLE), T0 + 50 * SECOND)
        ask(state, 1, messages.Sit(**TABLE), T0 + 50 * SECOND)
        assert ends(state) == [None] * 3
        ask(state, 0, messages.Pause(**TABLE, paused=False), T0 + DAY)
        assert ends(state) == [None, *[T0 + DAY + 10 * SECOND] * 2]
