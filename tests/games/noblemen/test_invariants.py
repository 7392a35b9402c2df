"""19. Invariants after every action of whole games, and how wide offers become."""

from random import Random

import msgspec
import pytest
from games.noblemen.situations import GAME, begun, points, seed, table
from rules import rule

from palatine_protocol.offers import Offer
from palatine_server.games.noblemen.estate import Tile

WIDEST_OFFER = 2_000  # bytes of msgpack
SIZES = pytest.mark.parametrize("players", [3, 4, 5])
OPTIONS = [{}, {"area_model": "overlap"}, {"title_choice": "free", "open_totals": True}]


def lively(game, seat, rng):
    """Any verb with equal chance, or what the greedy bot would do: this way knights and balls come up too."""
    if rng.random() < 0.6:
        return GAME.policies["greedy"](game, seat, rng.randrange)
    choice = rng.choice(game.offer(seat))
    return GAME.read_action(msgspec.to_builtins(choice.nth(rng.randrange(choice.count()))))


def play(players, number, options, each):
    game, rng = begun(players, number, **options), Random(number)
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, lively(game, seat, rng))
        each(game)
    return game


@SIZES
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_pieces_are_conserved_and_points_never_fall(players, options):
    before = [0] * players

    def look(game):
        nonlocal before
        GAME.check(game)
        assert all(new >= old for new, old in zip(points(game), before, strict=True))
        before = points(game)
        game.told.clear()

    play(players, players, options, look)


@SIZES
@rule("NM-TRADE-5", "NM-HIDE-6")
def test_who_may_trade_sees_what_the_bag_holds_now_and_nobody_else_does(players):
    seen = []

    def look(game):
        board, bag = game.board, {kind: count > 0 for kind, count in game.box.bag.items()}
        for seat in game.seats:
            is_own_turn = board.phase in {"turn", "gift", "card_offer"} and seat == board.active
            may_trade = is_own_turn and sum(game.hands[seat].tiles.values()) >= 2
            assert game.hands[seat].bag_has == (bag if may_trade else {})
            seen.append(may_trade)

    play(players, 7, {"title_choice": "free"}, look)
    assert {*seen} == {True, False}


@SIZES
def test_offers_stay_narrow(players):
    widest = 0

    def look(game):
        nonlocal widest
        offers: list[Offer] = [game.offer(seat) for seat in game.seats]
        widest = max(widest, *(len(msgspec.msgpack.encode(offer)) for offer in offers))

    play(players, 1, {}, look)
    assert widest <= WIDEST_OFFER


def test_offers_stay_narrow_even_in_a_sprawling_estate():
    game = table(
        tiles={0: "F W G M"}, cards={0: "tribute dowry inheritance brilliant_move vicars_favour"}, bribes={0: 5}
    )
    stairs = [(x + dx, -x) for x in range(40) for dx in (0, 1)][1:]
    game.board.noblemen[0].estate.lay(Tile("meadow", *cell) for cell in stairs)
    assert len(msgspec.msgpack.encode(game.offer(0))) <= WIDEST_OFFER


def test_check_finds_what_is_lost_or_doubled():
    breaks = [
        lambda game: game.hands[0].tiles.update(field=5),
        lambda game: game.box.bag.update(field=-1),
        lambda game: setattr(game.hands[1], "bribes", 1),
        lambda game: game.box.deck.pop(),
        lambda game: setattr(game.hands[1], "money", -1),
        lambda game: game.board.buildings.update(castle=0),
        lambda game: game.board.follies.pop(),
        lambda game: game.board.titles.update(duke=0),
        lambda game: setattr(game.board, "queen", 9),
        lambda game: setattr(game.board.noblemen[0], "knights", 1),
        lambda game: setattr(game.board.noblemen[0], "vp", 1),
        lambda game: [setattr(nobleman, "prestige", 3) for nobleman in game.board.noblemen],
    ]
    for break_ in breaks:
        game = table()
        GAME.check(game)
        break_(game)
        with pytest.raises(AssertionError):
            GAME.check(game)


@rule("NM-SETUP-13")
def test_replay_of_the_same_actions_with_the_same_seed_gives_the_same_table():
    def played():
        game, rng = GAME.begin(4, seed(7)), Random(7)
        while not game.is_over:
            seat = rng.choice(game.waiting_for())
            game.act(seat, lively(game, seat, rng))
        return GAME.pack(game)

    assert played() == played()
