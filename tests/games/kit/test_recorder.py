"""The recorder: entries by zone, and how far a seat may go back."""

import pytest
from games.kit.example_game import QUAY, Lay, Moor, Think, Wave

from palatine_server.checks import laws
from palatine_server.games.kit import Recorder, Refused, apply_entries, plain, view_entry

SEED = "11" * 32


def begun(players: int = 3) -> Recorder:
    return Recorder(QUAY.begin(players, SEED))


def mooring() -> Recorder:
    """Seat 0 has the highest lantern and moors; the others wave."""
    recorder = begun()
    for seat, lantern in enumerate([5, 4, 4]):
        recorder.act(seat, Lay(lantern))
    return recorder


@pytest.mark.parametrize("players", QUAY.players)
def test_the_laws_hold_for_an_invented_game(players: int) -> None:
    laws.told_is_seen(QUAY, players, 1)
    laws.rebuilt_is_same(QUAY, players, 1)
    assert laws.undo_returns_exactly(QUAY, players, 1) > 0
    assert laws.pieces_are_conserved(QUAY, players, 1) > 0


def test_a_secret_stays_in_the_zone_of_its_seat() -> None:
    entry = begun().act(1, Lay(3))
    assert entry.board == []
    assert entry.hands[0] == entry.hands[2] == []
    assert view_entry(entry, 1).hand
    assert view_entry(entry, 0).hand == view_entry(entry, None).hand == []


def test_a_thought_can_be_taken_back_again_and_again() -> None:
    recorder = begun()
    first = recorder.zones
    recorder.act(0, Think(1))
    recorder.act(0, Think(2))
    recorder.undo(0)
    assert recorder.zones.hands[0]["thought"] == 1
    recorder.undo(0)
    assert recorder.zones == first
    assert not recorder.may_undo(0)


def test_undo_is_an_entry_like_any_other() -> None:
    recorder = begun()
    first = recorder.zones
    log = [recorder.act(0, Think(1)), recorder.undo(0)]
    assert plain(log[1].action) == {"do": "undo"}
    assert apply_entries(first, log) == first
    assert plain(view_entry(log[1], None).news) == [{"news": "action_undone", "seat": 0}]


def test_nobody_takes_back_what_another_did() -> None:
    recorder = begun()
    recorder.act(0, Think(1))
    assert not recorder.may_undo(1)
    with pytest.raises(Refused, match="cannot_undo"):
        recorder.undo(1)


def test_undo_ends_when_another_seat_acts() -> None:
    recorder = begun()
    recorder.act(0, Think(1))
    recorder.act(1, Think(1))
    assert not recorder.may_undo(0)
    assert recorder.may_undo(1)


def test_undo_ends_when_others_are_told_of_the_hand() -> None:
    recorder = begun()
    recorder.act(0, Lay(3))  # that a lantern was laid is told to all
    assert not recorder.may_undo(0)


def test_undo_ends_when_something_leaves_the_box() -> None:
    recorder = mooring()
    recorder.act(1, Wave())
    recorder.act(2, Wave())
    assert recorder.may_undo(2)
    recorder.act(0, Moor(1))  # the next boat arrives
    assert not recorder.may_undo(0)


def test_open_play_can_be_taken_back() -> None:
    recorder = mooring()
    before = recorder.zones
    recorder.act(0, Moor(1))
    recorder.undo(0)
    assert recorder.zones == before
    recorder.act(0, Moor(2))
    assert recorder.zones.board["quays"][0] == 2 * before.board["boat"]
