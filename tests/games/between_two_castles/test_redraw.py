"""Resampling: hands, questions and piles are as large as they are, and hold only what the seat does not see."""

from __future__ import annotations

from random import Random

import pytest

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES as GAME
from palatine_server.games.between_two_castles.board import Box, Castles, Hand
from palatine_server.games.between_two_castles.catalog import ROOMS
from palatine_server.games.between_two_castles.invariants import open_draws
from palatine_server.games.between_two_castles.redraw import pieces_seen
from palatine_server.games.kit import resample
from palatine_server.simulation import derive_seed

PARTS = ("tiles", "chosen", "passed", "ludwig")


def sizes(hands: list[Hand], box: Box) -> list[object]:
    piles = [box.supply, box.deck, box.discards, box.card_discards, box.ludwig]
    return [[[len(getattr(hand, part)) for part in PARTS] for hand in hands], [len(pile) for pile in piles]]


def topics(game: Castles) -> list[list[tuple[int, str, int]]]:
    return [
        [(each.castle, each.about, len(each.calls) + len(each.proposals)) for each in hand.decisions]
        for hand in game.hands
    ]


@pytest.mark.parametrize("players", [2, 3, 7])
def test_all_piles_have_their_sizes_and_all_questions_their_deciders(players: int) -> None:
    play, rng, secret = GAME.begin(players, derive_seed(5, players)), Random(players), 0
    while not play.is_over:
        for seat in range(players) if rng.random() < 0.1 or open_draws(play, "food") else ():
            drawn = resample(play, seat, rng.randrange)
            assert sizes(drawn.document.hands, drawn.document.box) == sizes(play.document.hands, play.document.box)
            assert [[each[:2] for each in hand] for hand in topics(drawn)] == [
                [each[:2] for each in hand] for hand in topics(play)
            ]
            secret += len(open_draws(play, "food"))
        mover = rng.choice(play.waiting_for())
        play.act(mover, GAME.policies[rng.choice(["random", "greedy"])](play, mover, rng.randrange))
        play.told.clear()
    assert secret > 10


def test_every_unseen_tile_may_lie_in_the_hand_of_a_neighbour() -> None:
    play, rng = GAME.begin(3, derive_seed(5, 1)), Random(1)
    unseen = {*ROOMS} - pieces_seen(play, 0)
    found = {tile for _ in range(200) for tile in resample(play, 0, rng.randrange).hands[1].tiles}
    assert found == unseen
