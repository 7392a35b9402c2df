"""8. Action 4: recruiting nobles."""

from itertools import product
from random import Random

import pytest
from games.palais_royal.diagrams import same_palace
from games.palais_royal.situations import (
    GAME,
    do,
    first_turn,
    here,
    may,
    offered,
    possible,
    refusal,
    rule_of_refusal,
    turn,
    verbs,
)
from rules import rule

from palatine_server.games.palais_royal.actions import EndTurn, PlayPrivilege, Recruit
from palatine_server.games.palais_royal.catalog import BORDER, NEIGHBOURS, NOBLES, SPACES

PARK = """
    C o o o o o
    o o o o o o
    o o X Y o o
    o o o o o o
    o o o o o o
    o o o o o o
"""
NAMED = {"X": "N01", "Y": "N05", "C": "N04"}  # 6 gold, 4 gold, 2 gold, each one seal of both colours


def recruiting(palace=". rr .  . . rr  . rr .", park=PARK, gold=12, **more):
    return turn(palace, park, named=NAMED, gold=[gold, 0], phase="a4", **more)


@rule("PR-RECRUIT-1")
def test_recruiting_may_be_repeated():
    game = recruiting()
    do(game, Recruit("C3"), Recruit("D3"))
    assert game.board.players[0].face_down == ["N01", "N05"]


@rule("PR-RECRUIT-2")
def test_presence_costs_one_servant_of_the_office():
    game = recruiting()
    supply = game.board.players[0].supply
    do(game, Recruit("C3"))
    assert same_palace(". r .  . . r  . r .", game.board.rooms)
    assert game.board.players[0].supply == supply + 3
    nobody = recruiting(". . .  . . rr  . rr .")
    assert refusal(nobody, Recruit("C3")) == "no_presence"
    assert "recruit" not in verbs(nobody)


@rule("PR-RECRUIT-3")
def test_gold_is_paid_to_the_bank():
    game = recruiting(bank_limit=57)
    bank = game.board.bank
    do(game, Recruit("C3"))
    assert (game.board.players[0].gold, game.board.bank) == (6, bank + 6)
    assert refusal(recruiting(gold=5), Recruit("C3")) == "not_enough_gold"


@rule("PR-RECRUIT-4")
def test_seals_are_returned_and_colours_are_not_interchangeable():
    game = turn(". r .  . . rrr  . rr .", PARK, named={"X": "N11", "Y": "N12", "C": "N04"}, gold=[12, 0], phase="a4")
    do(game, Recruit("C3"))  # two turquoise, one violet
    assert (here(game, "king"), here(game, "madame")) == (0, 2)
    poor = turn(". r .  . . rrr  . r .", PARK, named={"X": "N11", "Y": "N12", "C": "N04"}, gold=[12, 0], phase="a4")
    assert refusal(poor, Recruit("C3")) == "not_enough_seals"
    assert may(poor, Recruit("D3"))  # one turquoise, two violet


@rule("PR-RECRUIT-4")
def test_seals_no_more_wild_ones_than_are_left_or_demanded_in_that_colour():
    game = recruiting(hands=[["seals2"], []])
    assert refusal(game, Recruit("C3", wild=(1, 0))) == "not_enough_seals"
    do(game, PlayPrivilege("seals2"))
    assert offered(game, "recruit", "wild") >= {(0, 0), (1, 0), (0, 1), (1, 1)}
    assert refusal(game, Recruit("C3", wild=(2, 0))) == "not_enough_seals"
    assert refusal(game, Recruit("C3", wild=(0, 2))) == "not_enough_seals"
    do(game, Recruit("C3", wild=(1, 0)))
    assert game.board.turn.wild_seals == 1
    assert refusal(game, Recruit("D3", wild=(1, 1))) == "not_enough_seals"
    assert may(game, Recruit("D3", wild=(0, 1)))


@rule("PR-RECRUIT-4")
def test_seals_a_missing_colour_must_be_wild():
    game = recruiting(". r .  . . r  . . .", hands=[["seals2"], []])
    do(game, PlayPrivilege("seals2"))
    assert refusal(game, Recruit("C3")) == "not_enough_seals"
    assert refusal(game, Recruit("C3", wild=(0, 1))) == "not_enough_seals"
    assert {wild for wild in offered(game, "recruit", "wild") if may(game, Recruit("C3", wild=wild))} == {
        (1, 0),
        (1, 1),
    }


@rule("PR-RECRUIT-5")
def test_recruiting_is_one_step_or_nothing():
    game = recruiting(gold=5)
    assert refusal(game, Recruit("C3")) == "not_enough_gold"  # and nothing has changed
    assert len(do(recruiting(), Recruit("A1"))) == 2  # the noble and the border servant, in one action


@rule("PR-RECRUIT-6")
def test_returned_servants_are_in_the_supply_before_the_border_servant_is_taken():  # PRV-D09
    game = recruiting(". r .  rrrrrrrrrrrrrrr . r  . r .")
    assert game.board.players[0].supply == 0
    do(game, Recruit("A1", border_from="supply"))
    assert game.board.border == {"A1": 0}
    assert game.board.players[0].supply == 2


@rule("PR-RECRUIT-7")
def test_the_tile_goes_to_the_player_and_its_space_becomes_free():
    game = recruiting()
    do(game, Recruit("C3"))
    assert "C3" not in game.board.park
    assert game.board.players[0].face_down == ["N01"]
    assert refusal(game, Recruit("C3")) == "no_noble"


@rule("PR-RECRUIT-8")
def test_any_noble_of_the_park_may_be_chosen():
    game = recruiting(". r .  . . rrr  . rrr .", gold=20)
    assert offered(game, "recruit", "space") == set(SPACES)


@rule("PR-RECRUIT-9")
def test_nobody_must_recruit():
    game = recruiting()
    do(game, EndTurn())
    assert len(game.board.park) == 36


@rule("PR-RECRUIT-10")
def test_refusals_come_in_a_fixed_order():
    free = PARK.replace("o o X Y o o", "o . X Y o o")
    nothing = recruiting(". . .  . . .  . . .", free, gold=0)
    assert refusal(nothing, Recruit("B3", border_from="cellar")) == "no_noble"
    assert refusal(nothing, Recruit("Z9")) == "no_noble"
    assert refusal(nothing, Recruit("A1", border_from="cellar")) == "no_presence"
    assert refusal(recruiting(". r .  . . .  . . .", gold=0), Recruit("A1", border_from="cellar")) == "not_enough_gold"
    assert refusal(recruiting(". r .  . . .  . . ."), Recruit("A1", border_from="cellar")) == "not_enough_seals"
    assert refusal(recruiting(), Recruit("A1", border_from="cellar")) == "bad_border_source"
    assert refusal(recruiting(), Recruit("A1", border_from="mint")) == "bad_border_source"
    assert rule_of_refusal(recruiting(), Recruit("A1", border_from="mint")) == "PR-BORDER-4"


def test_offer_says_exactly_what_is_legal():
    """Every combination of space, wild seals and border source is offered or refused, never both, never carried out."""
    game = recruiting("r r .  rr . rr  r rr .", hands=[["seals2"], []], gold=9)
    do(game, PlayPrivilege("seals2"))
    sources = ("supply", "mint", "king", "madame", "office", "gate", "back_entrance")
    for space in ("A1", "C3", "D3", "F6"):
        for wild in ((0, 0), (1, 0), (0, 1), (1, 1), (2, 0), (0, 2)):
            for source in sources:
                action = Recruit(space, wild, source)
                if may(game, action):
                    copy = GAME.copy(game)
                    do(copy, action)
                else:
                    assert refusal(game, action) in ("not_enough_gold", "not_enough_seals", "bad_border_source")


# The four printed steps, and the border


@rule("PR-RECRUIT-1", "PR-RECRUIT-2", "PR-RECRUIT-3", "PR-RECRUIT-4", "PR-BORDER-1", "PR-BORDER-2", "PR-BORDER-4")
@pytest.mark.parametrize("players", GAME.players)
def test_offer_holds_whatever_the_four_steps_and_the_border_allow(players):
    """Every recruitment that can be named is offered once if each printed step can be taken, else not at all."""
    rng, compared = Random(players), 0
    for number in range(30):
        trial = in_the_middle(players, number, rng)
        seat = trial.board.turn.seat
        allowed = [action for action in nameable(trial) if four_steps(trial, seat, *action)]
        offers = [(each["space"], tuple(each["wild"]), each["border_from"]) for each in possible(trial, "recruit")]
        assert sorted(offers) == sorted(allowed)
        compared += len(allowed)
    assert compared > 1000


def in_the_middle(players, number, rng):
    """Some turn of a game, with gold and some wild seals."""
    game = first_turn(players, number)
    for _ in range(rng.randrange(30, 120)):
        seat = game.waiting_for()[0]
        game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))
    while game.board.turn.pending is not None or not game.board.rooms["office"][game.board.turn.seat]:
        seat = game.waiting_for()[0]
        game.act(seat, GAME.policies["greedy"](game, seat, rng.randrange))
    game.board.turn.phase, game.board.turn.wild_seals = "a4", rng.choice([0, 1, 2, 4])
    game.board.players[game.board.turn.seat].gold += rng.randrange(6)
    return GAME.copy(game)


def nameable(game):
    wilds = [(turquoise, violet) for turquoise in range(4) for violet in range(4)]
    return product(game.board.park, wilds, ("supply", *game.board.rooms))


def four_steps(game, seat, space, wild, source):
    """The printed steps in their order, each on its own; then the servant for the border."""
    noble, rooms = NOBLES[game.board.park[space]], {room: there[seat] for room, there in game.board.rooms.items()}
    free = [other for other in NEIGHBOURS[space] if other not in game.board.park]
    paid = {"office": 1, "king": noble.turquoise - wild[0], "madame": noble.violet - wild[1]}
    presence = rooms["office"] >= 1
    gold = game.board.players[seat].gold >= max(0, noble.gold - len(free))
    turquoise = 0 <= paid["king"] <= rooms["king"]
    violet = 0 <= paid["madame"] <= rooms["madame"]
    wild_seals = sum(wild) <= game.board.turn.wild_seals
    border = source == "supply" or (space in BORDER and rooms[source] > paid.get(source, 0))
    return presence and gold and turquoise and violet and wild_seals and border
