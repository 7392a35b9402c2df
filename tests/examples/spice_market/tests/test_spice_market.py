"""The rules of Spice Market, each named by a test."""

from typing import Any

import pytest
from spice_market import SPICE_MARKET
from spice_market.actions import Bid, Build
from spice_market.board import Stand
from spice_market.components import SPICES
from spice_market.rules import find_winner, score, standings

from palatine_server.games.kit import Play, Refused

rule = pytest.mark.rule
Market = Play[Any, Any, Any]


def begin(players: int = 3, **options: Any) -> Market:
    return SPICE_MARKET.begin(players, "5e" * 32, options)


def bid_all(game: Market, *cards: str) -> None:
    """Let all players bid these cards, which they are given."""
    for seat, card in enumerate(cards):
        game.hands[seat].cards[0] = card
        game.release()
        game.act(seat, Bid(card))


@rule("SM-SETUP-1", "SM-SETUP-2")
def test_four_cards_are_dealt_from_a_shuffled_deck() -> None:
    game = begin()
    assert [len(hand.cards) for hand in game.hands] == [4, 4, 4]
    assert len(game.box.deck) == sum(entry["cards"] for entry in SPICES.values()) - 12


@rule("SM-SETUP-3", "SM-END-1")
def test_the_game_ends_after_its_rounds() -> None:
    game = begin(2, rounds=3)
    while not game.is_over:
        seat = game.waiting_for()[0]
        game.act(seat, SPICE_MARKET.policies["greedy"](game, seat, lambda n: 0))
    assert (game.board.round, game.board.phase) == (3, "over")


@rule("SM-BID-1", "SM-BID-2")
def test_all_bid_at_the_same_time_with_their_own_cards() -> None:
    game = begin()
    assert game.waiting_for() == [0, 1, 2]
    missing = next(card for card in SPICES if card not in game.hands[0].cards)
    with pytest.raises(Refused, match="not_in_hand"):
        game.act(0, Bid(missing))


@rule("SM-BID-3")
def test_the_highest_single_value_wins() -> None:
    assert find_winner(["saffron", "saffron", "pepper", "salt"]) == 2


@rule("SM-BID-4", "SM-STALL-2")
def test_if_nobody_wins_the_coins_stay() -> None:
    game = begin(2)
    bid_all(game, "salt", "salt")
    assert game.board.stall == 4


@rule("SM-BID-5")
def test_bids_are_discarded_and_cards_drawn() -> None:
    game = begin(2)
    bid_all(game, "salt", "pepper")
    assert game.board.discard == ["salt", "pepper"]
    assert [len(hand.cards) for hand in game.hands] == [4, 4]


@rule("SM-STALL-1", "SM-STALL-3")
def test_the_winner_takes_the_coins_and_builds() -> None:
    game = begin(2)
    bid_all(game, "salt", "pepper")
    assert (game.board.coins, game.waiting_for()) == ([0, 2], [1])
    game.board.stands.append(Stand((0, 0), 0))
    game.release()
    with pytest.raises(Refused, match="space_taken"):
        game.act(1, Build((0, 0)))
    game.act(1, Build((1, 1)))


@rule("SM-END-2", "SM-END-3")
def test_coins_and_pairs_score() -> None:
    game = begin(2)
    game.board.stands = [Stand((0, 0), 0), Stand((1, 0), 0), Stand((1, 1), 0), Stand((0, 1), 1)]
    game.board.coins = [1, 3]
    game.board.scores = [score(game, seat) for seat in (0, 1)]
    assert game.board.scores == [3, 3]
    assert [row.rank for row in standings(game)] == [1, 1]


@rule("SM-TIME-1")
def test_when_time_is_up_the_first_card_is_bid() -> None:
    game = begin(2)
    assert SPICE_MARKET.overdue(game, {1}) == (1, Bid(min(game.hands[1].cards)))
