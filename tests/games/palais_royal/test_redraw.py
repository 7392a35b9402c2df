"""Resampling: hands and piles are as large as they are, and secret nobles lie face down."""

from __future__ import annotations

from random import Random

import pytest
from msgspec import UNSET

from palatine_server.games.kit import Play, resample
from palatine_server.games.palais_royal import PALAIS_ROYAL as GAME
from palatine_server.games.palais_royal.board import Board, Box, Hand
from palatine_server.games.palais_royal.catalog import NOBLES
from palatine_server.simulation import derive_seed


def sizes(play: Play[Board, Hand, Box]) -> list[object]:
    hands = [[len(hand.cards), len(hand.pending), hand.nobles and len(hand.nobles)] for hand in play.document.hands]
    return [hands, len(play.document.box.deck), len(play.document.box.removed)]


@pytest.mark.parametrize("secret_nobles", [False, True])
def test_all_piles_have_their_sizes(secret_nobles: bool) -> None:
    play, rng = GAME.begin(3, derive_seed(5, 3), {"secret_nobles": secret_nobles}), Random(3)
    others, nobles = set[str](), set[str]()
    while not play.is_over:
        for seat in range(3) if rng.random() < 0.1 else ():
            drawn = resample(play, seat, rng.randrange)
            assert sizes(drawn) == sizes(play)
            hidden = [hand.nobles for other, hand in enumerate(drawn.document.hands) if other != seat]
            nobles |= {noble for held in hidden if held is not UNSET for noble in held}
            others |= {card for other in range(3) if other != seat for card in drawn.hands[other].cards}
        mover = play.waiting_for()[0]
        play.act(mover, GAME.policies["greedy"](play, mover, rng.randrange))
        play.told.clear()
    assert len(others) > 2
    assert bool(nobles) == secret_nobles
    assert {NOBLES[noble].face for noble in nobles} <= {"down"}
