"""3. Bag and money."""

from collections import Counter

from games.noblemen.situations import (
    act,
    build,
    counted,
    donate,
    expand,
    give,
    hand_of,
    heard,
    land,
    money,
    news,
    table,
    trade,
)
from rules import rule

from palatine_server.games.kit import Chance, plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.bag import drawn
from palatine_server.games.noblemen.news import TilesDrawn


@rule("NM-BAG-1")
def test_draw_every_single_tile_is_equally_likely():
    tiles = Counter()
    for number in range(400):
        game = table(bag="F F F W")
        game.document.chance = Chance(f"{number:064x}")
        tiles[drawn(game, 1)[0]] += 1
    assert tiles.keys() == {"field", "fountain"}
    assert 250 < tiles["field"] < 350


@rule("NM-BAG-1")
def test_draw_is_without_replacement():
    game = table(bag="F F W G M")
    assert Counter(drawn(game, 5)) == {"field": 2, "fountain": 1, "grove": 1, "meadow": 1}
    assert game.box.bag == counted("")


@rule("NM-BAG-2")
def test_bag_tiles_come_in_by_trades_and_the_vicar_and_go_out_by_draws_and_trades():
    game = table(tiles={0: "F F M M"}, cards={0: "vicars_favour"}, bag="W W")
    act(game, 0, trade("F F", "W"))
    assert game.box.bag == counted("F F W")
    act(game, 0, [do.Play("vicars_favour"), *give("M M", of="vicars_favour")])
    assert game.box.bag == counted("F F W M M")
    act(game, 0, expand("W↗ 1 0"))
    assert game.box.bag == counted("F F W M M")


@rule("NM-BAG-2")
def test_bag_what_the_church_holds_is_not_in_it():
    game = table(tiles={0: "F M"}, bag="W")
    act(game, 0, donate("F M"))
    assert game.box.bag == counted("W")


@rule("NM-BAG-3")
def test_draw_of_more_than_the_bag_holds_gives_all_of_it():
    game = table(estates={0: "C G G G G G"}, bag="F M")
    act(game, 0, land())
    assert hand_of(game, 0) == {"field": 1, "meadow": 1}
    assert game.box.bag == counted("")
    assert news(game, TilesDrawn) == [TilesDrawn(0, 2)]


@rule("NM-BAG-4")
def test_draw_how_many_is_public_and_which_is_not():
    game = table(tiles={0: "G"}, bag="W W W")
    act(game, 0, expand("G↗ 1 0"))
    assert TilesDrawn(0, 1) in heard(game, None)
    assert "fountain" not in str(plain(heard(game, None)))
    assert hand_of(game, 0) == {"fountain": 1}


@rule("NM-MONEY-1")
def test_money_is_whole_pounds_behind_the_screen_and_never_negative():
    game = table(estates={0: "C . .\nM M M"}, money={0: 7})
    act(game, 0, build("palace", 0, 0))
    assert money(game, 0) == 0
    assert "money" not in str(plain(game.board.noblemen))


@rule("NM-MONEY-2")
def test_bank_never_runs_out():
    game = table(cards={0: "tribute"}, money=dict.fromkeys(range(4), 1000))
    act(game, 0, [do.Play("tribute")])
    assert money(game, 0) == 1005
