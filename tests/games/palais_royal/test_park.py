"""9. Gold price and border spaces."""

import pytest
from games.palais_royal.situations import do, here, may, offered, possible, refusal, turn
from rules import rule

from palatine_server.games.palais_royal.actions import Recruit
from palatine_server.games.palais_royal.catalog import BORDER, NEIGHBOURS, NOBLES, PARK, SPACES
from palatine_server.games.palais_royal.park import price

SIX_GOLD = "N01"


def price_of(space, park, noble=SIX_GOLD):
    return price(turn(park=park, named={"X": noble}), space, NOBLES[noble])


# The price


@rule("PR-PRICE-1")
def test_price_is_one_less_for_each_free_space_around():  # PRV-R12
    three_free = """
        o o o o o o
        o . o o o o
        o o X . o o
        o o . o o o
        o o o o o o
        o o o o o o
    """
    assert price_of("C3", three_free) == 3
    assert price_of("C3", three_free.replace(".", "o")) == 6


@rule("PR-PRICE-2")
def test_price_never_falls_below_zero():  # PRV-D11
    all_free = """
        o o o o o o
        o . . . o o
        o . X . o o
        o . . . o o
        o o o o o o
        o o o o o o
    """
    assert price_of("C3", all_free) == 0
    assert price_of("C3", all_free, noble="N26") == 9 - 8


@rule("PR-PRICE-3")
def test_price_does_not_fall_across_an_ornament():  # PRV-R13
    # a lion between A2 and A3, a statue between A3 and B3; only B2 is adjacent
    behind_ornaments = """
        o o o o o o
        r . o o o o
        X . o o o o
        o o o o o o
        o o o o o o
        o o o o o o
    """
    assert price_of("A3", behind_ornaments) == 5


@rule("PR-PRICE-3")
def test_price_an_ornament_cuts_only_its_own_pair():
    for obstacle in PARK.obstacles:
        one, other = obstacle.between
        assert other not in NEIGHBOURS[one]
        assert one not in NEIGHBOURS[other]
    assert {"B2", "B4", "A4"} <= NEIGHBOURS["A3"]
    assert sum(map(len, NEIGHBOURS.values())) == 4 * 3 + 16 * 5 + 16 * 8 - 2 * len(PARK.obstacles)


@rule("PR-PRICE-4")
def test_price_a_space_vacated_this_turn_counts():
    park = "o o o o o o " * 2 + "o o X Y o o " + "o o o o o o " * 3
    game = turn(". rr .  . . rr  . rr .", park, named={"X": "N01", "Y": "N05"}, gold=[9, 0], phase="a4")
    do(game, Recruit("C3"), Recruit("D3"))
    assert game.board.players[0].gold == 9 - 6 - 3


@rule("PR-PRICE-5")
def test_price_only_gold_is_reduced():  # PRV-D13
    park = """
        o o o o o o
        o . . . o o
        o . X . o o
        o . . . o o
        o o o o o o
        o o o o o o
    """
    assert (
        refusal(turn(". r .  . . r  . . .", park, named={"X": "N01"}, phase="a4"), Recruit("C3")) == "not_enough_seals"
    )
    assert refusal(turn(". . .  . . r  . r .", park, named={"X": "N01"}, phase="a4"), Recruit("C3")) == "no_presence"
    assert may(turn(". r .  . . r  . r .", park, named={"X": "N01"}, phase="a4"), Recruit("C3"))


@rule("PR-PRICE-6")
def test_price_the_outside_is_no_free_space():
    assert price_of("A1", "X o o o o o " + "o o o o o o " * 5) == 6
    corners = {"A1", "A6", "F1", "F6"}
    around = {space: {other for other in SPACES if touch(space, other)} for space in SPACES}
    assert {len(around[space]) for space in corners} == {3}
    assert {len(around[space]) for space in BORDER - corners} == {5}
    assert {len(around[space]) for space in SPACES if space not in BORDER} == {8}
    assert all(NEIGHBOURS[space] <= around[space] for space in SPACES)


def touch(space, other):
    return max(abs(ord(space[0]) - ord(other[0])), abs(int(space[1]) - int(other[1]))) == 1


# The border

CORNER = "X o o o o o " + "o o o o o o " * 5


def at_the_border(palace=". rr .  . r r  . r .", park=CORNER, **more):
    return turn(palace, park, named={"X": "N01"}, gold=[9, 0], phase="a4", **more)


@rule("PR-BORDER-1")
@pytest.mark.parametrize(("space", "servants"), [("A1", 1), ("D6", 1), ("F3", 1), ("B2", 0), ("E5", 0)])
def test_border_a_noble_there_costs_one_servant_more(space, servants):
    park = " ".join("X" if each == space else "o" for each in SPACES)
    game = at_the_border(park=park)
    supply = game.board.players[0].supply
    do(game, Recruit(space))
    assert len(game.board.border) == servants
    assert game.board.players[0].supply == supply + 3 - servants


@rule("PR-BORDER-2")
def test_border_the_servant_comes_from_the_supply_or_any_room_by_free_choice():
    game = at_the_border("r rr r  r r rr  r rr r")
    assert offered(game, "recruit", "border_from") == {"supply", *game.board.rooms}
    for source in game.board.rooms:
        game = at_the_border("r rr r  r r rr  r rr r")
        supply = game.board.players[0].supply
        paid = 1 if source in ("office", "king", "madame") else 0
        before = here(game, source)
        do(game, Recruit("A1", border_from=source))
        assert (here(game, source), game.board.players[0].supply) == (before - paid - 1, supply + 3)


@rule("PR-BORDER-3")
def test_border_the_servant_from_the_office_will_do_so_there_always_is_one():
    game = at_the_border(". r .  rrrrrrrrrrrrrrr . r  . r .")
    assert game.board.players[0].supply == 0
    do(game, Recruit("A1"))
    assert game.board.border == {"A1": 0}


@rule("PR-BORDER-4")
def test_border_a_room_must_hold_one_more_than_the_payment_takes():
    game = at_the_border()  # two in the office, one in each seal room, one on the gate
    assert offered(game, "recruit", "border_from") == {"supply", "office", "gate"}
    for source in ("king", "madame", "mint"):
        assert refusal(game, Recruit("A1", border_from=source)) == "bad_border_source"


@rule("PR-BORDER-5")
def test_border_a_space_with_a_servant_is_free():  # PRV-R14
    park = """
        r b o o o o
        b X o o o o
        o o o o o o
        o o o o o o
        o o o o o o
        o o o o o o
    """
    assert price_of("B2", park) == 3


@rule("PR-BORDER-6")
def test_border_servants_stay_until_the_end():
    game = turn("r . .  r . .  rr . r", "r o o o o o " + "o o o o o o " * 5)
    named = [value for verb in ("reinforce", "move") for action in possible(game, verb) for value in action.values()]
    assert "mint" in named
    assert "A1" not in named
    while not game.is_over:
        seat = game.board.turn.seat
        game.act(seat, game.game.policies["greedy"](game, seat, lambda n: 0))
        assert game.board.border["A1"] == 0


@rule("PR-BORDER-7")
def test_border_a_corner_takes_one_servant():
    game = at_the_border()
    do(game, Recruit("A1"))
    assert game.board.border == {"A1": 0}


def test_inner_spaces_need_no_servant_and_name_no_source():
    park = "o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3
    game = at_the_border(park=park)
    assert refusal(game, Recruit("C3", border_from="gate")) == "bad_border_source"
    do(game, Recruit("C3"))
    assert game.board.border == {}
