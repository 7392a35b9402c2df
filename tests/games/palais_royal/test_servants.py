"""5. Where new servants come from."""

from games.palais_royal.diagrams import same_palace
from games.palais_royal.situations import do, here, offered, possible, refusal, turn
from rules import rule

from palatine_server.games.palais_royal.actions import AddSealServant, Draw, Keep, PlayPrivilege, Recruit, Reinforce

ALL_OUT = """
    .              .       .
    rrrrrrrrrrrr   .       rr
    .              rr      rr
"""  # 18 servants: the supply is empty


@rule("PR-NEW-1")
def test_new_servants_come_from_the_supply_while_it_lasts():
    game = turn(". . .  rrr . .  . . rr")
    assert offered(game, "reinforce", "source") == {"supply"}
    assert refusal(game, Reinforce("mint")) == "supply_first"
    supply = game.board.players[0].supply
    do(game, Reinforce("supply"))
    assert (game.board.players[0].supply, here(game, "gate")) == (supply - 1, 1)


@rule("PR-NEW-2")
def test_new_servants_come_from_any_room_when_the_supply_is_empty():
    game = turn(ALL_OUT)
    assert game.board.players[0].supply == 0
    assert offered(game, "reinforce", "source") == {"mint", "madame", "king", "parade_ground"}
    assert refusal(game, Reinforce("supply")) == "no_servant"
    do(game, Reinforce("mint"), Reinforce("madame"))
    assert same_palace(". . .  rrrrrrrrrrr rr r  . rr rr", game.board.rooms)


@rule("PR-NEW-3")
def test_new_servants_never_come_from_the_destination_and_may_be_declined():
    game = turn(". . .  rrrrrrrrrrrr rr .  . rr rr")
    assert "gate" not in offered(game, "reinforce", "source")
    assert refusal(game, Reinforce("gate")) == "no_servant"
    assert refusal(game, Reinforce("office")) == "no_servant"
    game = turn(ALL_OUT, phase="a3")
    added = [action["source"] for action in possible(game, "add_seal_servant") if action["room"] == "king"]
    assert set(added) == {"mint", "madame", "parade_ground"}
    assert refusal(game, AddSealServant("king", "king")) == "no_servant"


@rule("PR-NEW-4")
def test_new_servants_never_come_from_the_border_the_reserve_or_others():  # PRV-D43
    park = "r o o o o o " + "o o o o o o " * 5
    game = turn(". . b  rrrrrrrrrrrr . r  . rr rr", park)
    assert (game.board.players[0].supply, game.board.players[0].reserve) == (0, 7)
    assert offered(game, "reinforce", "source") == {"mint", "madame", "king", "parade_ground"}
    assert refusal(game, Reinforce("reserve")) == "unknown_room"
    assert refusal(game, Reinforce("A1")) == "unknown_room"
    assert refusal(game, Reinforce("cardinal")) == "no_servant"


@rule("PR-NEW-5")
def test_paid_and_returned_servants_go_to_the_supply_at_once():
    game = turn(
        "rr r .  . . r  . r .", phase="a4", gold=[9, 0], hands=[["gold4"], []], park=WITH_N01, named={"X": "N01"}
    )
    supply = game.board.players[0].supply
    do(game, Recruit("C3"))
    assert game.board.players[0].supply == supply + 3
    do(game, PlayPrivilege("gold4"), Draw(2), Keep([0, 1]))
    assert game.board.players[0].supply == supply + 5


WITH_N01 = "o o o o o o " * 2 + "o o X o o o " + "o o o o o o " * 3
