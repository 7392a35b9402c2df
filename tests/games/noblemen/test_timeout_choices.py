"""18. Time-out defaults."""

import pytest
from games.noblemen.situations import GAME, IDLE_AND_END, act, begun, build, carried_on, hand_of, points, table
from rules import rule

from palatine_server.games.kit import Refused
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.catalog import KINDS

FOREST = ". G↘ G↙\nC G↗ G↖"


def default(game, *late):
    return GAME.overdue(game, late or game.seats)


@rule("NM-AUTO-1")
def test_setup_three_of_each_whatever_was_picked():
    game = begun(3)
    act(game, 1, [do.Take("meadow"), do.Take("meadow")])
    assert default(game, 1) == (1, do.Take("field"))
    assert default(game, 2, 0) == (0, do.Take("field"))
    carried_on(game, lambda game: game.board.phase == "setup_cards")
    assert [hand.tiles for hand in game.hands] == [dict.fromkeys(KINDS, 3)] * 3


@rule("NM-AUTO-2")
def test_card_offer_the_first_card_and_no_intrigue():
    game = act(table(estates={0: "C M"}, cards={0: "intrigue"}), 0, build("chapel", 1, 0))
    assert default(game) == (0, do.Keep(0))
    decade = act(table(queen=0, round=10, cards={0: "intrigue"}), 0, IDLE_AND_END)
    assert default(decade) == (0, do.Keep(0))
    setup = carried_on(begun(3), lambda game: game.board.phase == "setup_cards")
    assert default(setup, 2) == (2, do.Keep(0))


@rule("NM-AUTO-3")
def test_turn_idle_without_an_action_then_end():
    game = table(cards={0: "tribute"}, tiles={0: "F"})
    assert default(game) == (0, do.Idle())
    act(game, 0, [do.Idle()])
    assert default(game) == (0, do.EndTurn())
    act(game, 0, [do.EndTurn()])
    assert (default(game), points(game)) == ((1, do.Idle()), [1, 0, 0, 0])


@rule("NM-AUTO-4")
@pytest.mark.parametrize(
    ("tiles", "first", "second"),
    [
        ("M M M F", "meadow", "meadow"),
        ("F M M", "meadow", "field"),
        ("M G F", "field", "grove"),
        ("G G F W", "grove", "field"),
    ],
)
def test_gift_the_kind_held_most_often_twice_in_a_row(tiles, first, second):
    game = table(estates={0: "C M M", 1: FOREST}, tiles={1: tiles}, money={0: 9})
    act(game, 0, build("castle", 2, 0, do.PlaceKnight(1, (2, 1))))
    carried_on(game, lambda game: game.board.phase == "turn")
    assert hand_of(game, 0) == ({first: 2} if first == second else {first: 1, second: 1})


@rule("NM-AUTO-4")
def test_gift_another_draft_is_dropped_first():
    game = table(estates={0: "C M M", 1: FOREST}, tiles={1: "M M M F"}, money={0: 9})
    act(game, 0, build("castle", 2, 0, do.PlaceKnight(1, (2, 1))))
    act(game, 1, [do.Give("field")])
    assert default(game) == (1, do.Drop())
    act(game, 1, [do.Drop(), do.Give("meadow")])
    assert default(game) == (1, do.Give("meadow"))


@rule("NM-AUTO-5")
def test_ball_spend_nothing():
    game = act(table(queen=0, round=3, bribes={0: 3}), 0, IDLE_AND_END)
    assert default(game) == (0, do.Done("spend_prestige"))
    act(game, 0, [do.Spend()])
    assert default(game) == (0, do.Drop())


@rule("NM-AUTO-6")
def test_title_the_highest():
    game = act(table(queen=0, round=3, bribes={0: 10}, title_choice="free"), 0, IDLE_AND_END)
    act(game, 0, [do.Spend()] * 10 + [do.Done("spend_prestige")])
    carried_on(game, lambda game: game.board.phase == "title")
    assert default(game) == (0, do.ChooseTitle("marquess"))


def test_nobody_is_late_who_has_nothing_to_decide():
    with pytest.raises(Refused) as refusal:
        default(table(), 1, 2, 3)
    assert refusal.value.code == "not_your_turn"
