"""Taking back further than undo goes, when everybody agrees."""

from tables.state_fixtures import GAME, T0, TABLE, act, ask, choose, code_of, copied, ends, opened, started, tick

from palatine_protocol import messages
from palatine_protocol.messages import Clock
from palatine_server.tables.handlers.play import play_for
from palatine_server.tables.model import LogEntry, TableSnapshot, apply_entry
from palatine_server.tables.state import TableState


def take_back(to: int) -> messages.Rollback:
    return messages.Rollback(**TABLE, to=to)


def agree(yes: bool = True) -> messages.Agree:
    return messages.Agree(**TABLE, agree=yes)


def chosen() -> tuple[TableState, TableSnapshot]:
    """Everybody has chosen, and the page on which nobody had."""
    state = started()
    earlier = copied(state.take_snapshot())
    for seat in range(3):
        choose(state, seat)
    return state, earlier


def test_it_is_done_when_all_agree() -> None:
    state, earlier = chosen()
    ask(state, 1, take_back(4), T0, earlier)
    assert state.info.rollback == messages.RollbackProposal(to=4, by=1, agreed=[1])
    ask(state, 0, agree(), T0, earlier)
    before = copied(state.take_snapshot())
    entry = ask(state, 2, agree(), T0, earlier)
    assert [item.news["news"] for item in entry.news] == ["rollback_agreed", "rolled_back"]
    assert (state.take_snapshot().board, state.take_snapshot().hands) == (earlier.board, earlier.hands)
    assert state.info.rollback is None
    assert apply_entry(before, entry) == state.take_snapshot()


def test_offers_from_before_cannot_be_answered_any_more() -> None:
    state, earlier = chosen()
    for seat, request in ((1, take_back(4)), (0, agree()), (2, agree())):
        ask(state, seat, request, T0, earlier)
    assert code_of(act, state, 0, {"do": "choose", "tiles": []}, T0, 0) == "stale_offer"
    assert state.secrets.answers == [2, 2, 2]
    choose(state, 0)


def test_one_who_refuses_is_enough() -> None:
    state, earlier = chosen()
    ask(state, 1, take_back(4), T0, earlier)
    entry = ask(state, 0, agree(False), T0, earlier)
    assert entry.news[0].news == {"news": "rollback_refused", "seat": 0}
    assert state.info.rollback is None
    assert code_of(ask, state, 2, agree()) == "nothing_proposed"


def test_an_action_ends_the_matter() -> None:
    state = started()
    earlier = copied(state.take_snapshot())
    tick(state, 0)
    ask(state, 0, take_back(4), T0, earlier)
    tick(state, 1)
    assert state.info.rollback is None


def test_bots_agree_to_everything() -> None:
    state = opened()
    ask(state, 0, messages.Sit(**TABLE))
    for _ in (1, 2):
        ask(state, 0, messages.AddBot(**TABLE, policy="random"))
    ask(state, 0, messages.Start(**TABLE))
    earlier = copied(state.take_snapshot())
    choose(state, 0)
    entry: LogEntry = ask(state, 0, take_back(4), T0, earlier)
    assert entry.did == {"do": "take_back", "to": 4}
    assert state.take_snapshot().hands == earlier.hands


def test_a_bot_that_plays_for_a_person_does_not_agree_for_them() -> None:
    state = started()
    earlier = copied(state.take_snapshot())
    choose(state, 0)
    ask(state, 2, messages.Leave(**TABLE))
    assert ask(state, 0, take_back(4), T0, earlier).did == {"do": "take_back_proposed"}
    assert ask(state, 1, messages.Agree(**TABLE), T0, earlier).did == {"do": "take_back_agreed"}
    assert state.info.rollback is not None  # it waits for Carla
    ask(state, 2, messages.Sit(**TABLE))
    assert ask(state, 2, messages.Agree(**TABLE), T0, earlier).did == {"do": "take_back", "to": 4}


def test_a_proposal_ends_with_the_next_action_also_of_a_bot_that_plays_for_a_person() -> None:
    state = started()
    earlier = copied(state.take_snapshot())
    choose(state, 0)
    ask(state, 2, messages.Leave(**TABLE))
    ask(state, 0, take_back(4), T0, earlier)
    assert state.recorder is not None
    play_for(state, 2, GAME.policies["random"](state.recorder.play, 2, lambda below: 0), "bot", T0)
    assert state.info.rollback is None


def test_taking_back_fills_no_bank() -> None:
    state = started(clock=Clock(move=30, bank=60, increment=10))
    earlier = copied(state.take_snapshot())
    choose(state, 0, T0 + 40_000)
    assert state.secrets.clocks[0].bank == 60_000  # ten seconds were paid, and ten were earned
    choose(state, 1, T0 + 41_000)
    ask(state, 0, take_back(4), T0 + 50_000, earlier)
    for seat in (1, 2):
        ask(state, seat, messages.Agree(**TABLE), T0 + 60_000, earlier)
    assert [hand.bank for hand in state.secrets.clocks] == [60_000, 59_000, 30_000]
    assert ends(state) == [T0 + 60_000 + 30_000 + bank for bank in (60_000, 59_000, 30_000)]


def test_only_the_game_can_be_taken_back() -> None:
    state, _ = chosen()
    assert code_of(ask, state, 0, take_back(9), T0, None) == "no_such_version"
    assert code_of(ask, state, 0, take_back(1), T0, opened().take_snapshot()) == "no_such_version"
    assert code_of(ask, state, 6, take_back(4), T0, state.take_snapshot()) == "not_seated"


def test_what_was_sealed_then_is_sealed_again() -> None:
    state = started()
    choose(state, 0)
    earlier = copied(state.take_snapshot())
    for seat in (1, 2):
        choose(state, seat)
    assert state.secrets.sealed == []
    for seat, request in ((1, take_back(5)), (0, agree()), (2, agree())):
        ask(state, seat, request, T0, earlier)
    assert [choice.seat for choice in state.secrets.sealed] == [0]
    assert TableState.read(GAME, copied(state.take_snapshot())).secrets.sealed == state.secrets.sealed
