"""12. Actions F and G: the church, and idleness."""

from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    broken_rule,
    carried_on,
    counted,
    donate,
    hand_of,
    news,
    offered,
    points,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.news import Idled, TilesDonated


@rule("NM-CHURCH-1")
def test_church_one_or_more_tiles_of_the_hand():
    game = table(tiles={0: "F F M"})
    assert broken_rule(game, 0, do.Done("donate")) == "NM-CHURCH-1"
    assert broken_rule(game, 0, do.Donate("grove")) == "NM-CHURCH-1"
    act(game, 0, donate("F F M"))
    assert hand_of(game, 0) == {}
    assert "donate" not in verbs(table(), 0)


@rule("NM-CHURCH-2")
def test_church_takes_three_of_each_kind_from_all_players_together():
    game = table(tiles={0: "F F F F G", 1: "F F M"}, church="F")
    assert broken_rule(game, 0, donate("F F F")) == "NM-CHURCH-2"
    act(game, 0, [*donate("F F G"), *END])
    assert [action["kind"] for action in offered(game, 1, "donate")] == ["meadow"]
    assert broken_rule(game, 1, do.Donate("field")) == "NM-CHURCH-2"


@rule("NM-CHURCH-3")
def test_church_a_point_for_each_tile():
    game = act(table(tiles={0: "F G G M"}), 0, donate("F G G M"))
    assert points(game) == [4, 0, 0, 0]
    assert game.board.noblemen[0].lines == {"NM-CHURCH-3": 4}


@rule("NM-CHURCH-4")
def test_church_tiles_lie_open_until_the_decade_ends():
    game = act(table(tiles={0: "F G"}, queen=0, round=9), 0, donate("F G"))
    assert game.board.church == counted("F G")
    assert news(game, TilesDonated) == [TilesDonated(0, ["field", "grove"])]
    act(game, 0, END)
    assert game.board.church == counted("F G")
    carried_on(game, lambda game: game.board.decade == 2)
    assert game.board.church == counted("")


@rule("NM-CHURCH-4")
def test_church_tiles_just_stay_in_the_last_decade():
    game = act(table(queen=0, round=10, decade=3, church="F M"), 0, IDLE_AND_END)
    assert game.is_over
    assert game.board.church == counted("F M")


@rule("NM-IDLE-1")
def test_idleness_a_point_for_doing_nothing():
    game = act(table(), 0, IDLE)
    assert points(game) == [1, 0, 0, 0]
    assert Idled(0) in news(game)
    assert game.board.action_done
