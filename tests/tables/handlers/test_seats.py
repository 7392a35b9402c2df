"""Seats: who takes one, gives it up, is sent away, and is played for."""

from tables.state_fixtures import T0, TABLE, ask, code_of, ends, opened, started

from palatine_protocol.messages import AddBot, Kick, Leave, RemoveBot, Sit


def test_a_seat_is_taken_once() -> None:
    state = opened()
    assert ask(state, 0, Sit(**TABLE, seat=1)).seat == 1
    assert code_of(ask, state, 1, Sit(**TABLE, seat=1)) == "seat_taken"
    assert code_of(ask, state, 0, Sit(**TABLE)) == "already_seated"
    assert code_of(ask, state, 1, Sit(**TABLE, seat=3)) == "no_such_seat"


def test_without_a_wish_the_first_free_seat_is_taken() -> None:
    state = opened(2)
    assert [ask(state, seat, Sit(**TABLE)).seat for seat in range(2)] == [0, 1]
    assert code_of(ask, state, 2, Sit(**TABLE)) == "no_seat_free"


def test_who_leaves_before_the_game_frees_the_seat() -> None:
    state = opened()
    ask(state, 1, Sit(**TABLE, seat=2))
    ask(state, 1, Leave(**TABLE))
    assert state.info.seats[2] is None
    assert code_of(ask, state, 1, Leave(**TABLE)) == "not_seated"


def test_only_the_host_fills_seats_with_bots_and_frees_them() -> None:
    state = opened()
    assert code_of(ask, state, 1, AddBot(**TABLE, policy="random")) == "not_the_host"
    assert code_of(ask, state, 0, AddBot(**TABLE, policy="clairvoyant")) == "no_such_policy"
    assert ask(state, 0, AddBot(**TABLE, policy="random")).seat == 0
    assert code_of(ask, state, 1, RemoveBot(**TABLE, seat=0)) == "not_the_host"
    assert ask(state, 0, RemoveBot(**TABLE, seat=0)).news[0].news == {"news": "seat_left", "seat": 0, "name": "Bot 1"}
    assert state.info.seats == [None, None, None]


def test_there_must_be_somebody_to_send_away_and_remove_bot_is_for_bots() -> None:
    state = opened()
    ask(state, 1, Sit(**TABLE, seat=1))
    for request in (RemoveBot, Kick):
        assert code_of(ask, state, 0, request(**TABLE, seat=0)) == "no_such_seat"
        assert code_of(ask, state, 0, request(**TABLE, seat=9)) == "no_such_seat"
    assert code_of(ask, state, 0, RemoveBot(**TABLE, seat=1)) == "no_such_seat"
    ask(state, 0, Kick(**TABLE, seat=1))
    assert (state.info.seats[1], state.secrets.users[1]) == (None, None)


def test_who_leaves_the_game_is_played_for_and_can_come_back() -> None:
    state = started(move_limit=30)
    ask(state, 1, Leave(**TABLE))
    assert state.is_bot(1)
    assert state.bots_to_move() == [1]
    assert ends(state)[1] is None
    assert ask(state, 1, Sit(**TABLE), T0 + 1_000).seat == 1
    assert not state.is_bot(1)
    assert ends(state)[1] == T0 + 31_000
    assert code_of(ask, state, 1, Sit(**TABLE)) == "already_seated"
