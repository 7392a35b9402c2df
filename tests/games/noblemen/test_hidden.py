"""18. Hidden information."""

from random import Random

import msgspec
import pytest
from games.noblemen.situations import (
    END,
    GAME,
    IDLE,
    IDLE_AND_END,
    act,
    begun,
    build,
    buy,
    donate,
    expand,
    give,
    heard,
    land,
    spend,
    table,
    tax,
    trade,
)
from rules import rule

from palatine_server.checks import secret_worlds
from palatine_server.games.kit import Recorder, plain, view_entry
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.board import Totals
from palatine_server.games.noblemen.catalog import CARDS
from palatine_server.games.noblemen.news import (
    BribesSpent,
    BribesTaken,
    CardGained,
    CardPlayed,
    EstateExpanded,
    IntrigueUsed,
    MoneyPaid,
    MoneyReceived,
    PrestigeCounted,
    TilesDonated,
    TilesDrawn,
    TilesHandedOver,
    TilesReturned,
    TilesTraded,
)
from palatine_server.games.noblemen.secret_swap import swapped

FOREST = ". G↘ G↙\nC G↗ G↖"
SIZES = pytest.mark.parametrize("players", [3, 4, 5])


def worlds(game, viewer, number=1):
    """The table, and a twin that differs only in what the viewer may not know."""
    document = plain(game.document)
    twin = swapped(plain(game.document), viewer, Random(number))
    assert twin != document
    return Recorder(GAME.resume(document)), Recorder(GAME.resume(twin))


def told(world, viewer, seat, steps):
    return [msgspec.msgpack.encode(view_entry(world.act(seat, action), viewer)) for action in steps]


def full_table(**more):
    tiles = dict.fromkeys(range(4), "F F W W G G M M")
    return table(tiles=tiles, cards=dict.fromkeys(range(4), "tribute blackmail"), bribes={1: 3, 2: 1}, **more)


@rule("NM-HIDE-1")
@pytest.mark.parametrize("viewer", [1, 2, 3])
def test_screens_hide_tiles_and_cards_and_nobody_knows_deck_and_bag(viewer):
    here, there = worlds(full_table(), viewer)
    assert here.zones.board == there.zones.board
    assert here.zones.hands[viewer] == there.zones.hands[viewer]
    assert here.zones.hidden["box"] != there.zones.hidden["box"]
    for steps in (buy(2), END):
        assert told(here, viewer, 0, steps) == told(there, viewer, 0, steps)


@rule("NM-HIDE-1")
def test_screens_hide_money_and_markers():
    poor, rich = (Recorder(table(money={0: pounds}, bribes={0: markers})) for pounds, markers in ((2, 0), (90, 9)))
    rich.play.board.bribes = poor.play.board.bribes
    rich = Recorder(rich.play)
    assert poor.zones.board == rich.zones.board
    for steps in (tax(), END):
        assert told(poor, 1, 0, steps) == told(rich, 1, 0, steps)


@rule("NM-HIDE-2")
def test_board_shows_everything_in_front_of_the_screens():
    board = plain(table(estates={1: FOREST}, knights={0: [(1, (2, 1))]}, titles={2: "earl"}, church="F").board)
    seen = board["noblemen"][1]
    assert seen["estate"]["tiles"][-1] == ["grove", 2, 1, "SW"]
    assert (seen["estate"]["buildings"], seen["estate"]["knights"]) == ([["castle", 0, 0, ""]], [[0, 2, 1]])
    assert {"title", "vp", "prestige", "taxed", "landed", "knights"} <= seen.keys()
    assert {"queen", "buildings", "follies", "church", "reserve", "round", "decade", "bribes"} <= board.keys()


@rule("NM-HIDE-3")
def test_news_carry_amounts_as_seen_at_a_real_table():
    game = table(estates={0: "C M G", 2: FOREST}, tiles={0: "F F M", 2: "F G W"}, bribes={0: 3}, money={0: 20})
    act(game, 0, [*trade("F F", "W"), *expand("M 3 0"), *END])
    act(game, 1, [*buy(2), *END])
    act(game, 2, [*land(), *END])
    seen = heard(game, None)
    assert all(told in seen for told in (TilesTraded(0), MoneyPaid(1, 4), BribesTaken(1, 2), TilesDrawn(2, 6)))
    act(game, 3, [*IDLE, *END])
    act(game, 0, tax(3))
    assert all(told in heard(game, None) for told in (BribesSpent(0, 3), MoneyReceived(0, 3)))


@rule("NM-HIDE-4")
def test_totals_of_others_are_not_on_the_board():
    game = act(full_table(), 0, buy(1))
    assert game.board.totals is None


@rule("NM-HIDE-4")
def test_totals_are_shown_with_the_option_and_never_kinds():
    game = table(open_totals=True, tiles={0: "F F M", 1: "G"}, cards={1: "dowry"}, bribes={1: 2})
    assert game.board.totals == [Totals(10, 3, 0, 0), Totals(11, 1, 2, 1), Totals(12, 0, 0, 0), Totals(13, 0, 0, 0)]
    act(game, 0, [*trade("F F", "W"), do.Buy(), do.Buy()])
    assert game.board.totals[0] == Totals(10, 2, 0, 0)
    act(game, 0, [do.Done("bribe"), *END])
    assert game.board.totals[0] == Totals(6, 2, 2, 0)
    act(game, 1, [do.Play("dowry")])
    assert game.board.totals[1] == Totals(11, 5, 2, 0)


@rule("NM-HIDE-4")
def test_totals_follow_every_hand_through_whole_games():
    game, rng = begun(3, open_totals=True), Random(4)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, GAME.policies[rng.choice(["random", "greedy"])](game, seat, rng.randrange))
        hands = game.document.hands
        if game.board.totals:
            held = [Totals(h.money, sum(h.tiles.values()), h.bribes, len(h.cards)) for h in hands]
            assert game.board.totals == held


PUBLIC_KINDS = {
    "laid": (expand("F↗ 1 0"), EstateExpanded, "field"),
    "donated": (donate("M"), TilesDonated, "meadow"),
    "played": ([do.Play("tribute")], CardPlayed, "tribute"),
}


@rule("NM-HIDE-5")
@pytest.mark.parametrize("how", PUBLIC_KINDS)
def test_kinds_become_public_when_laid_donated_or_played(how):
    steps, news, kind = PUBLIC_KINDS[how]
    game = act(full_table(), 0, steps)
    (seen,) = [told for told in heard(game, None) if isinstance(told, news)]
    assert kind in str(plain(seen))


@rule("NM-HIDE-5")
def test_kinds_of_blackmails_and_intrigues_become_public():
    game = act(table(queen=0, round=3, cards={0: "blackmail"}), 0, [*IDLE_AND_END, *spend(0, "blackmail")])
    assert [told.blackmails for told in heard(game, None) if isinstance(told, PrestigeCounted)] == [1]
    chapel = act(table(estates={0: "C M"}, cards={0: "intrigue"}), 0, [*build("chapel", 1, 0), do.UseIntrigue()])
    assert IntrigueUsed(0) in heard(chapel, None)


PRIVATE_KINDS = {
    "drawn": (lambda: table(estates={0: "C G G"}), land(), TilesDrawn(0, 2)),
    "traded": (full_table, trade("F F", "W"), TilesTraded(0)),
    "returned": (
        lambda: table(tiles={0: "F W"}, cards={0: "vicars_favour"}),
        [do.Play("vicars_favour"), *give("F W", of="vicars_favour")],
        TilesReturned(0, 2),
    ),
    "kept": (lambda: table(estates={0: "C M"}), [*build("chapel", 1, 0), do.Keep(1)], CardGained(0, 1)),
}


@rule("NM-HIDE-5")
@pytest.mark.parametrize("how", PRIVATE_KINDS)
def test_kinds_stay_private_in_draws_trades_favours_and_offers(how):
    situation, steps, public = PRIVATE_KINDS[how]
    game = act(situation(), 0, steps)
    seen = [told for told in heard(game, None) if not isinstance(told, CardPlayed)]
    assert public in seen
    words = str(plain(seen))
    assert not any(f"'{kind}'" in words for kind in ("field", "fountain", "grove", "meadow", *CARDS))


@rule("NM-HIDE-5")
def test_kinds_stay_private_in_gifts_and_of_other_cards_at_balls():
    game = table(estates={0: "C M M", 1: FOREST}, tiles={1: "F W M"}, money={0: 9})
    act(game, 0, build("castle", 2, 0, do.PlaceKnight(1, (2, 1))))
    act(game, 1, give("F W"))
    assert TilesHandedOver(1, 0, 2) in heard(game, 3)
    assert "fountain" not in str(plain(heard(game, 3)))
    ball = act(table(queen=0, round=3, cards={0: "dowry liaison"}), 0, [*IDLE_AND_END, *spend(0, "dowry liaison")])
    (counted,) = [told for told in heard(ball, None) if isinstance(told, PrestigeCounted)]
    assert (counted.blackmails, counted.other_cards) == (0, 2)
    assert not any(card in str(plain(heard(ball, None))) for card in ("dowry", "liaison"))


@rule("NM-HIDE-6")
def test_bag_four_booleans_for_the_active_player_only_while_there_is_something_to_trade():
    game = table(tiles={0: "F F", 1: "W W W", 2: "M"}, bag="F F G")
    has = {"field": True, "fountain": False, "grove": True, "meadow": False}
    assert [hand.bag_has for hand in game.hands] == [has, {}, {}, {}]
    act(game, 0, IDLE_AND_END)
    assert [hand.bag_has for hand in game.hands] == [{}, has, {}, {}]
    act(game, 1, IDLE_AND_END)
    assert [hand.bag_has for hand in game.hands] == [{}, {}, {}, {}]
    assert "bag" not in plain(game.board)


@rule("NM-HIDE-7")
def test_end_everything_is_revealed():
    game = table(
        queen=0, round=10, decade=3, tiles={1: "F"}, cards={2: "dowry"}, bribes={3: 2}, bag="W", deck="liaison"
    )
    assert game.board.revealed is None
    act(game, 0, IDLE_AND_END)
    shown = game.board.revealed
    assert (shown.screens[1].tiles["field"], shown.screens[2].cards, shown.screens[3].bribes) == (1, ["dowry"], 2)
    assert [screen.money for screen in shown.screens] == [10, 11, 12, 13]
    assert (shown.bag["fountain"], shown.deck) == (1, ["liaison"])


@rule("NM-HIDE-1")
@SIZES
def test_secrets_can_be_swapped_without_anybody_noticing(players):
    assert sum(secret_worlds.secrets_can_be_swapped(GAME, players, number) for number in range(12)) > 20
