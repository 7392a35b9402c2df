"""14. Information."""

from games.palais_royal.situations import do, first_turn, turn, written
from rules import rule

from palatine_server.games.kit import plain, view_entry
from palatine_server.games.palais_royal.actions import Draw, EndTurn, Keep, PlayPrivilege
from palatine_server.games.palais_royal.board import Hand
from palatine_server.games.palais_royal.catalog import PRIVILEGES

THREE = "rrr . .  . . .  . . ."


def words(value):
    """All strings of a document but the names of its fields."""
    if isinstance(value, dict | list):
        return [word for item in (value.values() if isinstance(value, dict) else value) for word in words(item)]
    return [value] if isinstance(value, str) else []


@rule("PR-INFO-1")
def test_public_is_everything_that_lies_open():
    board = plain(first_turn(3).board)
    assert board.keys() >= {"park", "border", "rooms", "layout", "players", "turn", "discard", "deck", "bank", "order"}
    assert board["players"][0].keys() == {
        "colour",
        "supply",
        "reserve",
        "gold",
        "face_up",
        "face_down",
        "front",
        "cards",
    }
    assert board["deck"] == 36
    assert board["turn"].keys() >= {"phase", "gate_left", "moves_left", "seals_left", "wild_seals", "drawn", "pending"}


@rule("PR-INFO-2")
def test_secret_are_hands_drawn_cards_and_the_order_of_the_deck():
    game = turn(THREE, hands=[["gold4"], ["moves5"]], phase="a5")
    do(game, Draw(2))
    assert not {*PRIVILEGES} & {*words(plain(game.board))}
    assert Hand.__struct_fields__ == ("cards", "pending", "nobles")
    assert len(game.hands[0].pending) == 2
    assert game.hands[1].pending == []
    assert "deck" in plain(game.document.box)


@rule("PR-INFO-3")
def test_face_down_nobles_are_known_to_all():
    game = turn(nobles=[["N01", "N02"], []])
    player = plain(game.board)["players"][0]
    assert (player["face_up"], player["face_down"]) == (["N02"], ["N01"])


@rule("PR-INFO-4")
def test_removed_nobles_lie_in_the_box():
    game = first_turn()
    assert len(game.box.removed) == 6
    assert not set(game.box.removed) & set(game.board.park.values())


@rule("PR-INFO-5")
def test_action_5_tells_others_numbers_and_discarded_kinds_but_never_kept_ones():
    recorder = written(turn(THREE, deck=["gold4", "points4", "moves5"], phase="a5"))
    drawn, kept = recorder.act(0, Draw(3)), recorder.act(0, Keep([1]))
    for viewer in (1, None):
        seen = [view_entry(drawn, viewer), view_entry(kept, viewer)]
        assert [plain(news) for each in seen for news in each.news] == [
            {"news": "cards_drawn", "seat": 0, "count": 3},
            {"news": "cards_kept", "seat": 0, "count": 1, "discarded": ["moves5", "gold4"]},
        ]
        assert not any(each.hand for each in seen)
        assert "points4" not in str(plain(seen))
    assert "points4" in str(plain(view_entry(drawn, 0)))
    assert recorder.play.hands[0].cards == ["points4"]


@rule("PR-INFO-6")
def test_equal_cards_need_no_identity():
    game = turn(THREE, deck=["gold4", "gold4", "gold4"], phase="a5")
    do(game, Draw(3), Keep([0, 2]))
    assert game.hands[0].cards == ["gold4", "gold4"]
    game.act(0, PlayPrivilege("gold4"))
    assert (game.hands[0].cards, game.board.players[0].cards) == (["gold4"], 1)


def test_a_turn_without_cards_looks_at_no_hand():
    recorder = written(turn("r r r  r r r  r r r"))
    entry = recorder.act(0, EndTurn())
    assert not any(entry.hands)
