"""16. Scandal cards."""

import pytest
from games.noblemen.situations import (
    END,
    IDLE,
    IDLE_AND_END,
    act,
    bribes,
    broken_rule,
    build,
    cards,
    carried_on,
    counted,
    estate,
    expand,
    give,
    hand_of,
    heard,
    lay,
    money,
    news,
    offered,
    points,
    spend,
    table,
    verbs,
)
from rules import rule

from palatine_server.games.kit import plain
from palatine_server.games.noblemen import actions as do
from palatine_server.games.noblemen.catalog import CARDS, TRACK
from palatine_server.games.noblemen.news import CardGained, CardPlayed, CardsOffered, IntrigueUsed, TilesReturned

PLAYABLE = ["inheritance", "secret_wedding", "dowry", "brilliant_move", "tribute", "vicars_favour", "whitehall"]
LAND = "C M M"


def offer(held="", deck="dowry liaison tribute whitehall"):
    """A chapel was built, and its card offer is open."""
    return act(table(estates={0: LAND}, cards={0: held}, deck=deck), 0, build("chapel", 1, 0))


def play(card, *steps):
    return [do.Play(card), *steps]


# Card offers


@rule("NM-OFFER-1")
def test_offer_look_at_three_keep_one_and_put_two_under_the_deck():
    game = offer()
    assert game.hands[0].card_offer == ["dowry", "liaison", "tribute"]
    assert [action["index"] for action in offered(game, 0, "keep")] == [0, 1, 2]
    assert broken_rule(game, 0, do.Keep(3)) == "NM-OFFER-1"
    act(game, 0, [do.Keep(0)])
    assert (cards(game, 0), game.hands[0].card_offer) == (["dowry"], [])
    assert game.box.deck == ["whitehall", "liaison", "tribute"]


@rule("NM-OFFER-2")
def test_offer_with_fewer_cards_in_the_deck_what_is_there():
    game = offer(deck="dowry liaison")
    assert [action["index"] for action in offered(game, 0, "keep")] == [0, 1]
    nothing = offer(deck="")
    assert (nothing.board.phase, verbs(nothing, 0)) == ("turn", {"end_turn"})
    assert news(nothing, CardGained) == []


@rule("NM-OFFER-3")
def test_offer_returned_cards_keep_their_order():
    assert act(offer(), 0, [do.Keep(1)]).box.deck == ["whitehall", "dowry", "tribute"]
    assert act(offer(), 0, [do.Keep(2)]).box.deck == ["whitehall", "dowry", "liaison"]


@rule("NM-OFFER-4")
def test_offer_is_private_and_that_a_card_was_gained_is_public():
    game = act(offer(), 0, [do.Keep(1)])
    for viewer in (None, 1):
        assert CardGained(0, 1) in heard(game, viewer)
        assert not any(card in str(plain(heard(game, viewer))) for card in CARDS)


@rule("NM-OFFER-5")
def test_offer_occasions_are_setup_new_decades_and_chapels():
    assert news(offer(), CardsOffered) == [CardsOffered(0, 3)]
    game = act(table(queen=0, round=10), 0, IDLE_AND_END)
    carried_on(game, lambda game: game.board.phase == "turn")
    assert [told.seat for told in news(game, CardsOffered)] == [0, 1, 2, 3]
    others = act(table(estates={0: LAND}, money={0: 50}), 0, build("castle", 2, 0))
    assert news(others, CardsOffered) == []


# Cards in general


@rule("NM-CARD-1")
def test_card_only_those_held_can_be_played_or_spent():
    game = table(cards={1: "tribute"})
    assert broken_rule(game, 0, do.Play("tribute")) == "NM-CARD-1"
    assert broken_rule(game, 0, do.Play("ace")) == "NM-CARD-1"
    ball = act(table(queen=0, round=3, cards={0: "dowry"}), 0, [*IDLE_AND_END, do.SpendCard("dowry")])
    assert broken_rule(ball, 0, do.SpendCard("dowry")) == "NM-CARD-1"


@rule("NM-CARD-2")
@pytest.mark.parametrize("card", PLAYABLE)
def test_card_at_most_one_per_turn(card):
    game = act(table(cards={0: f"tribute {card}"}, estates={0: LAND}, tiles={0: "F"}), 0, play("tribute"))
    assert "play" not in verbs(game, 0)
    assert broken_rule(game, 0, do.Play(card)) == "NM-CARD-2"


@rule("NM-CARD-3")
def test_card_intrigue_blackmail_and_liaison_cannot_be_played():
    game = table(cards={0: " ".join(CARDS)}, estates={0: LAND}, tiles={0: "F"})
    assert {action["card"] for action in offered(game, 0, "play")} == set(PLAYABLE)
    for card in ("intrigue", "blackmail", "liaison"):
        assert broken_rule(game, 0, do.Play(card)) == "NM-CARD-3"


@rule("NM-CARD-4")
def test_card_played_is_shown_and_goes_under_the_deck_after_its_effect():
    game = table(cards={0: "tribute"}, deck="dowry")
    act(game, 0, play("tribute"))
    assert (cards(game, 0), game.box.deck) == ([], ["dowry", "tribute"])
    assert news(game)[0] == CardPlayed(0, "tribute")


@rule("NM-CARD-5")
def test_inheritance_is_the_cheapest_castle_for_nothing_without_a_knight():
    game = table(estates={0: LAND, 1: ". F↘ F↙\nC F↗ F↖"}, cards={0: "inheritance"}, money={0: 0})
    act(game, 0, play("inheritance"))
    assert [action["cell"] for action in offered(game, 0, "site")] == [(2, 0)]
    assert broken_rule(game, 0, do.Site((1, 0))) == "NM-CASTLE-2"
    game.act(0, do.Site((2, 0)))
    assert verbs(game, 0) == {"done", "drop"}
    assert broken_rule(game, 0, do.PlaceKnight(1, (2, 1))) == "NM-CARD-5"
    game.act(0, do.Done("inheritance"))
    assert (estate(game, 0).sites_of("castle"), game.board.buildings["castle"]) == ([(0, 0), (2, 0)], 3)
    assert (game.board.action_done, money(game, 0)) == (False, 0)


@rule("NM-CARD-5")
def test_inheritance_needs_a_castle_on_the_board_and_a_site():
    game = table(estates={0: LAND}, cards={0: "inheritance"}, buildings={"castle": 0})
    assert broken_rule(game, 0, do.Play("inheritance")) == "NM-BUILD-2"
    assert broken_rule(table(cards={0: "inheritance"}), 0, do.Play("inheritance")) == "NM-BUILD-7"


@rule("NM-CARD-6")
def test_intrigue_is_given_up_for_all_three_cards():
    game = act(offer(held="intrigue"), 0, [do.UseIntrigue()])
    assert cards(game, 0) == ["dowry", "liaison", "tribute"]
    assert game.box.deck == ["whitehall", "intrigue"]
    assert news(game, IntrigueUsed, CardGained) == [IntrigueUsed(0), CardGained(0, 3)]


@rule("NM-CARD-6")
def test_intrigue_among_the_three_cannot_be_used():
    game = offer(deck="intrigue dowry tribute")
    assert verbs(game, 0) == {"keep"}
    assert broken_rule(game, 0, do.UseIntrigue()) == "NM-CARD-6"


@rule("NM-CARD-7")
def test_intrigue_is_not_the_card_of_the_turn():
    game = act(offer(held="intrigue tribute"), 0, [do.UseIntrigue()])
    assert not game.board.card_played
    act(game, 0, play("tribute"))
    assert game.board.card_played
    after = act(table(estates={0: LAND}, cards={0: "tribute intrigue"}), 0, [*play("tribute"), *build("chapel", 1, 0)])
    assert "use_intrigue" in verbs(after, 0)


@rule("NM-CARD-8")
def test_intrigue_only_one_per_offer():
    game = act(offer(held="intrigue intrigue"), 0, [do.UseIntrigue()])
    assert cards(game, 0) == ["intrigue", "dowry", "liaison", "tribute"]
    assert broken_rule(game, 0, do.UseIntrigue()) == "not_now"


@rule("NM-CARD-9")
def test_blackmail_three_prestige_any_number_per_ball():
    game = act(table(queen=0, round=3, cards={0: "blackmail blackmail blackmail"}), 0, IDLE_AND_END)
    act(game, 0, spend(0, "blackmail blackmail blackmail"))
    assert game.board.noblemen[0].prestige == 9


@rule("NM-CARD-10")
def test_liaison_three_points_at_the_end_for_each_still_held():
    game = act(table(queen=0, round=10, decade=3, cards={1: "liaison liaison dowry"}), 0, IDLE_AND_END)
    assert points(game) == [2, 6, 0, 0]


@rule("NM-CARD-11")
def test_card_every_one_may_be_spent_at_a_ball():
    game = act(table(queen=0, round=3, cards={0: " ".join(CARDS)}), 0, IDLE_AND_END)
    assert {action["card"] for action in offered(game, 0, "spend_card")} == set(CARDS)
    act(game, 0, spend(0, "liaison intrigue"))
    assert game.board.noblemen[0].prestige == 2


@rule("NM-CARD-12")
@pytest.mark.parametrize(("left", "taken"), [(20, 2), (1, 1), (0, 0)])
def test_secret_wedding_two_markers_or_what_is_left_and_always_two_points(left, taken):
    game = act(table(cards={0: "secret_wedding"}, bribes={1: 20 - left}), 0, play("secret_wedding"))
    assert (bribes(game, 0), points(game)[0], game.board.bribes) == (taken, 2, left - taken)


@rule("NM-CARD-13")
def test_dowry_four_tiles():
    game = act(table(cards={0: "dowry"}, bag="F F M M M"), 0, play("dowry"))
    assert sum(hand_of(game, 0).values()) == 4
    assert sum(game.box.bag.values()) == 1


@rule("NM-CARD-14")
def test_brilliant_move_is_an_action_a_with_all_its_rewards():
    three = ". W↘ .\nC W↗ W↖"
    game = table(estates={0: three}, tiles={0: "F G W"}, cards={0: "brilliant_move"}, money={0: 0}, bag="M M")
    act(game, 0, play("brilliant_move", *expand("F↗ 3 0", "G↗ 0 1", "W↙ 2 1", of="brilliant_move")))
    assert (money(game, 0), hand_of(game, 0), game.board.queen) == (1, {"meadow": 1}, 0)
    assert (game.board.card_played, game.board.action_done) == (True, False)


@rule("NM-CARD-14")
def test_brilliant_move_needs_a_tile():
    game = table(tiles={0: "F"}, cards={0: "brilliant_move"})
    game.act(0, do.Play("brilliant_move"))
    assert verbs(game, 0) == {"lay", "drop"}
    assert broken_rule(game, 0, do.Done("brilliant_move")) == "NM-EXPAND-1"
    assert broken_rule(table(cards={0: "brilliant_move"}), 0, do.Play("brilliant_move")) == "NM-EXPAND-2"


@rule("NM-CARD-15")
def test_brilliant_move_may_be_combined_with_action_a():
    game = table(tiles={0: "M M M M M M"}, cards={0: "brilliant_move"})
    act(game, 0, expand("M 1 0", "M 2 0", "M 3 0"))
    act(game, 0, play("brilliant_move", *expand("M 4 0", "M 5 0", "M 6 0", of="brilliant_move")))
    assert len(estate(game, 0).tiles) == 7
    act(game, 0, END)


@rule("NM-CARD-16")
def test_tribute_five_pounds():
    assert money(act(table(cards={0: "tribute"}, money={0: 1}), 0, play("tribute")), 0) == 6


@rule("NM-CARD-17")
@pytest.mark.parametrize("count", [1, 4])
def test_vicars_favour_up_to_four_tiles_into_the_bag_for_a_point_each(count):
    game = table(tiles={0: "F F F F F"}, cards={0: "vicars_favour"}, church="F F F", bag="")
    act(game, 0, play("vicars_favour", *give("F " * count, of="vicars_favour")))
    assert (points(game)[0], hand_of(game, 0), game.box.bag) == (count, {"field": 5 - count}, counted("F " * count))
    assert news(game, TilesReturned) == [TilesReturned(0, count)]
    assert game.hands[0].bag_has.get("field", False) == (count == 1)  # with one tile left there is nothing to trade


@rule("NM-CARD-17")
def test_vicars_favour_not_none_and_not_five():
    game = table(tiles={0: "F F F F F"}, cards={0: "vicars_favour"})
    game.act(0, do.Play("vicars_favour"))
    assert broken_rule(game, 0, do.Done("vicars_favour")) == "NM-CARD-17"
    assert broken_rule(game, 0, do.Give("meadow")) == "NM-CARD-17"
    act(game, 0, [do.Give("field")] * 4)
    assert broken_rule(game, 0, do.Give("field")) == "NM-CARD-17"
    assert broken_rule(table(cards={0: "vicars_favour"}), 0, do.Play("vicars_favour")) == "NM-CARD-17"


@rule("NM-CARD-18")
@pytest.mark.parametrize(("round_", "holder"), [(0, 0), (TRACK.index("lock"), 3)])
def test_whitehall_takes_the_queen_and_is_wasted_under_the_lock(round_, holder):
    game = act(table(cards={0: "whitehall"}, round=round_, queen=3), 0, play("whitehall"))
    assert (game.board.queen, cards(game, 0)) == (holder, [])


@rule("NM-CARD-19")
def test_hand_has_no_limit():
    game = table(
        cards={0: " ".join(["dowry"] * 3 + ["tribute"] * 4)}, tiles={0: "F " * 30}, money={0: 200}, bribes={0: 15}
    )
    act(game, 0, [*play("dowry"), *[do.Buy()] * 5, do.Done("bribe")])
    assert (sum(hand_of(game, 0).values()), bribes(game, 0), len(cards(game, 0))) == (34, 20, 6)


def test_card_can_be_dropped_before_it_is_carried_out():
    game = table(tiles={0: "F"}, cards={0: "brilliant_move vicars_favour tribute"})
    act(game, 0, [do.Play("brilliant_move"), lay("F↗ 1 0"), do.Drop(), do.Play("vicars_favour"), do.Drop()])
    act(game, 0, [*play("tribute"), *IDLE])
    assert cards(game, 0) == ["brilliant_move", "vicars_favour"]
