"""The game: how it begins, which offer an action answers, and what the clock decides."""

from typing import Any

import msgspec
from tables.state_fixtures import GAME, T0, TABLE, act, ask, choose, code_of, copied, ends, opened, started, undo

from palatine_protocol.messages import AddBot, Leave, Pause, Say, Sit, Start
from palatine_server.games.kit import plain
from palatine_server.tables.handlers.play import handle_overdue
from palatine_server.tables.state import TableState


def test_the_game_starts_with_all_seats_taken_and_once() -> None:
    state = opened(2)
    assert code_of(ask, state, 1, Start(**TABLE)) == "not_the_host"
    assert code_of(ask, state, 0, Start(**TABLE)) == "seats_empty"
    assert code_of(undo, state, 0) == "not_seated"
    ask(state, 0, Sit(**TABLE))
    assert code_of(act, state, 0, {"do": "choose"}) == "not_started"
    ask(state, 0, AddBot(**TABLE, policy="random"))
    ask(state, 0, Start(**TABLE))
    for seat, request in ((0, Start(**TABLE)), (0, AddBot(**TABLE)), (1, Sit(**TABLE))):
        assert code_of(ask, state, seat, request) == "already_started"


def test_an_answer_quotes_the_number_of_the_offer() -> None:
    state = started()
    choose(state, 1)
    assert state.secrets.answers == [0, 1, 0]
    assert code_of(act, state, 1, {"do": "choose", "tiles": []}, T0, 0) == "stale_offer"
    choose(state, 0)
    assert state.secrets.answers == [1, 1, 0]


def test_a_refused_action_leaves_the_book_as_it_was() -> None:
    state = started()
    before = msgspec.msgpack.encode(state.take_snapshot())
    for action in ({"do": "choose", "tiles": ["x", "y"]}, {"do": "dance"}, {}):
        code_of(act, state, 0, action)
    assert msgspec.msgpack.encode(state.take_snapshot()) == before
    assert state.version == 4


# The clock


def test_without_a_limit_nobody_has_a_deadline() -> None:
    assert started().deadline() is None


def test_everybody_who_is_waited_for_has_his_own_time() -> None:
    state = started(move_limit=30)
    assert ends(state) == [T0 + 30_000] * 3
    choose(state, 1, T0 + 20_000)
    assert ends(state) == [T0 + 30_000, None, T0 + 30_000]


def test_anothers_action_neither_shortens_nor_lengthens_my_time() -> None:
    state = started(move_limit=30)
    choose(state, 0, T0 + 10_000)
    choose(state, 1, T0 + 29_000)
    assert ends(state)[2] == T0 + 30_000


def test_a_new_decision_brings_new_time() -> None:
    state = started(move_limit=30)
    for seat in range(3):
        choose(state, seat, T0 + 10_000)
    assert ends(state) == [T0 + 40_000] * 3


def test_when_time_is_up_the_rules_choose() -> None:
    state = started(move_limit=30)
    assert handle_overdue(state, T0 + 29_999) is None
    entry = handle_overdue(state, T0 + 30_000)
    assert entry is not None
    assert (entry.user, entry.did["do"], entry.seat) == ("", "overdue", 0)
    assert entry.news[0].news == {"news": "time_ran_out", "seat": 0}
    assert state.secrets.answers == [1, 0, 0]


def test_a_late_answer_after_the_clock_is_stale() -> None:
    state = started(move_limit=30)
    tiles = state.require_begun().play.document.hands[0].tiles[:2]
    handle_overdue(state, T0 + 30_000)
    assert code_of(act, state, 0, {"do": "choose", "tiles": tiles}, T0 + 30_001, 0) == "stale_offer"


def test_the_clock_survives_a_restart() -> None:
    state = started(move_limit=30)
    choose(state, 0, T0 + 5_000)
    assert ends(TableState.read(GAME, copied(state.take_snapshot()))) == [None, T0 + 30_000, T0 + 30_000]


# Offers that lapse: the last to place may correct for a moment (B2C-PP-10)


def all_placed(**more: Any) -> TableState:
    """A table without a clock at which every tile lies; somebody was the last to place."""
    state = started(**more)
    for seat in range(3):
        choose(state, seat)
    play = state.require_begun().play
    while play.board.correcting is None:
        seat, action = GAME.overdue(play, play.waiting_for())
        act(state, seat, plain(action))
    return state


def last(state: TableState) -> int:
    seat = state.require_begun().play.board.correcting
    assert seat is not None
    return int(seat)


def test_an_offer_lapses_also_without_a_clock() -> None:
    state = all_placed()
    seat = last(state)
    assert state.deadline() == state.until(seat) == T0 + 3_000
    assert handle_overdue(state, T0 + 2_999) is None
    entry = handle_overdue(state, T0 + 3_000)
    assert entry is not None
    assert (entry.did, entry.seat, entry.user) == ({"do": "lapse", "action": {"do": "ready"}}, seat, "")
    assert "time_ran_out" not in str(entry.news)
    assert (state.require_begun().play.board.phase, state.deadline()) == ("choose", None)


def test_an_offer_lapses_anew_when_it_is_made_anew() -> None:
    state = all_placed()
    seat = last(state)
    undo(state, seat, T0 + 2_000)
    assert state.until(seat) is None
    play = state.require_begun().play
    _, action = GAME.overdue(play, [seat])
    act(state, seat, plain(action), T0 + 2_500)
    assert state.until(seat) == T0 + 5_500


def test_what_others_do_does_not_prolong_an_offer_that_lapses() -> None:
    state = all_placed()
    seat = last(state)
    ask(state, (seat + 1) % 3, Say(**TABLE, text="Well placed."), T0 + 1_000)
    assert state.until(seat) == T0 + 3_000


def test_a_bot_needs_no_grace_and_a_pause_stops_it() -> None:
    state = all_placed()
    seat = last(state)
    ask(state, 0, Pause(**TABLE), T0 + 1_000)
    assert state.deadline() is None
    ask(state, 0, Pause(**TABLE, paused=False), T0 + 60_000)
    assert state.until(seat) == T0 + 63_000
    ask(state, seat, Leave(**TABLE), T0 + 60_500)  # a bot takes the seat
    assert (state.bots_to_move(), state.deadline()) == ([seat], None)


def test_a_lapsing_offer_survives_a_restart() -> None:
    state = all_placed()
    assert TableState.read(GAME, copied(state.take_snapshot())).deadline() == T0 + 3_000
