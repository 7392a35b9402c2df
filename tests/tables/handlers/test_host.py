"""Before the game: hosts, readiness, reserved seats, and that a refused change changes nothing."""

from typing import Any

import pytest
from tables.state_fixtures import T0, TABLE, ask, choose, code_of, opened, place, started, user

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.tables.state import TableState
from palatine_server.tables.viewers.updates import Perspective, can_undo


def seated(seats: int = 3, people: int = 3, **more: Any) -> TableState:
    state = opened(seats, **more)
    for seat in range(people):
        ask(state, seat, messages.Sit(**TABLE))
    return state


def news(state: TableState, seat: int, request: Any) -> Any:
    return ask(state, seat, request).news[0].news


@pytest.mark.parametrize(
    "request_",
    [
        messages.Kick(**TABLE, seat=2),
        messages.Reserve(**TABLE, seat=2, user="x"),
        messages.Change(**TABLE, delay=3),
        messages.HandOver(**TABLE, seat=1),
        messages.Invite(**TABLE, renew=True),
        messages.Start(**TABLE),
        messages.AddBot(**TABLE),
    ],
    ids=lambda request: type(request).__name__,
)
def test_these_are_for_the_host_alone(request_: Any) -> None:
    state = seated()
    before = state.take_snapshot()
    assert code_of(ask, state, 1, request_) == "not_the_host"
    assert state.take_snapshot() == before


def test_the_host_is_marked_and_can_hand_over() -> None:
    state = seated()
    assert [sitting.host for sitting in state.info.seats if sitting] == [True, False, False]
    assert news(state, 0, messages.HandOver(**TABLE, seat=2)) == {"news": "host_changed", "seat": 2, "name": "Carla"}
    assert [sitting.host for sitting in state.info.seats if sitting] == [False, False, True]
    assert state.info.host == "Carla"
    assert code_of(ask, state, 0, messages.Kick(**TABLE, seat=1)) == "not_the_host"
    assert news(state, 2, messages.Kick(**TABLE, seat=1))["name"] == "Berta"


def test_a_bot_cannot_be_host() -> None:
    state = seated(people=2)
    ask(state, 0, messages.AddBot(**TABLE))
    assert code_of(ask, state, 0, messages.HandOver(**TABLE, seat=2)) == "no_such_seat"


def test_who_is_kicked_has_no_seat_any_more() -> None:
    state = seated()
    ask(state, 0, messages.Kick(**TABLE, seat=1))
    assert state.seat_of(user(1)) is None
    assert code_of(ask, state, 0, messages.Kick(**TABLE, seat=1)) == "no_such_seat"
    assert code_of(ask, state, 0, messages.Kick(**TABLE, seat=7)) == "no_such_seat"


def test_nobody_is_kicked_out_of_a_game() -> None:
    assert code_of(ask, started(), 0, messages.Kick(**TABLE, seat=1)) == "already_started"


def test_with_a_ready_check_all_people_must_be_ready() -> None:
    state = seated(people=2, ready_check=True)
    ask(state, 0, messages.AddBot(**TABLE))
    assert code_of(ask, state, 0, messages.Start(**TABLE)) == "not_ready"
    assert news(state, 1, messages.Ready(**TABLE)) == {"news": "ready", "seat": 1, "is_ready": True}
    ask(state, 1, messages.Ready(**TABLE, ready=False))
    assert code_of(ask, state, 0, messages.Start(**TABLE)) == "not_ready"
    ask(state, 1, messages.Ready(**TABLE))
    ask(state, 0, messages.Start(**TABLE))
    assert state.info.status == "playing"


def test_who_was_ready_is_asked_again_when_the_terms_change() -> None:
    state = seated(ready_check=True)
    for seat in (1, 2):
        ask(state, seat, messages.Ready(**TABLE))
    changed = news(state, 0, messages.Change(**TABLE, clock=Clock(move=60), options={"finite_supply": True}))
    assert changed == {"news": "terms_changed", "changed": ["clock", "options"]}
    assert state.info.clock == Clock(move=60)
    assert state.info.options == {"finite_supply": True}
    assert code_of(ask, state, 0, messages.Start(**TABLE)) == "not_ready"


def test_terms_that_could_not_be_played_are_refused_and_change_nothing() -> None:
    state = seated()
    before = state.take_snapshot()
    assert code_of(ask, state, 0, messages.Change(**TABLE, options={"finite_supply": 7}, delay=3)) == "malformed"
    assert code_of(ask, state, 0, messages.Change(**TABLE, clock=Clock(move=1, overdue="genius"))) == "no_such_policy"
    assert (state.take_snapshot(), state.info.delay, state.info.options) == (before, 0, {})


def test_a_reserved_seat_waits_for_its_user() -> None:
    state = seated(people=1)
    ask(state, 0, messages.Reserve(**TABLE, seat=1, user=user(2)))
    assert state.info.reserved == [1]
    assert code_of(ask, state, 1, messages.Sit(**TABLE, seat=1)) == "seat_reserved"
    assert ask(state, 1, messages.Sit(**TABLE)).seat == 2
    assert code_of(ask, state, 3, messages.Sit(**TABLE)) == "no_seat_free"
    assert code_of(ask, state, 0, messages.AddBot(**TABLE)) == "no_seat_free"
    assert ask(state, 2, messages.Sit(**TABLE)).seat == 1
    assert user(2) not in repr(state.take_snapshot().info)


def test_a_reservation_can_be_given_up() -> None:
    state = seated(people=1)
    ask(state, 0, messages.Reserve(**TABLE, seat=1, user=user(2)))
    ask(state, 0, messages.Reserve(**TABLE, seat=1))
    assert state.info.reserved == []
    assert ask(state, 1, messages.Sit(**TABLE)).seat == 1


def test_a_new_invitation_makes_the_old_one_void() -> None:
    state = seated()
    ask(state, 0, messages.Invite(**TABLE, renew=True))
    first = state.secrets.invitation
    ask(state, 0, messages.Invite(**TABLE, renew=True))
    assert len(first) == len(state.secrets.invitation) == 12
    assert first != state.secrets.invitation
    assert first not in repr(state.take_snapshot().info)


def test_a_paused_game_stands_still() -> None:
    state = started()
    ask(state, 0, messages.Pause(**TABLE))
    assert code_of(ask, state, 1, messages.Act(**TABLE, offer=0, action={"do": "tick"})) == "paused"
    assert code_of(ask, state, 1, messages.Undo(**TABLE)) == "paused"
    assert code_of(ask, state, 1, messages.Pause(**TABLE, paused=False)) == "not_the_host"
    ask(state, 0, messages.Pause(**TABLE, paused=False), T0)
    assert not state.info.paused


def test_nobody_is_told_of_an_undo_while_the_game_is_paused() -> None:
    state = started()
    for seat in range(3):
        choose(state, seat)
    place(state, 0)
    mine = Perspective(0, True)
    assert can_undo(state, mine)
    ask(state, 0, messages.Pause(**TABLE))
    assert not can_undo(state, mine)
    assert code_of(ask, state, 0, messages.Undo(**TABLE)) == "paused"


def test_a_game_that_has_not_begun_cannot_be_paused() -> None:
    assert code_of(ask, opened(), 0, messages.Pause(**TABLE)) == "not_started"
