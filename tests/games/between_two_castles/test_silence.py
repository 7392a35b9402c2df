"""Silence: everybody is told whether they may talk, so law 3 finds it when that depends on a secret."""

from dataclasses import replace
from typing import Any

import pytest

from palatine_server.checks.random_games import LawBroken
from palatine_server.checks.secret_worlds import secrets_can_be_swapped
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES


def test_a_silence_that_depends_on_a_secret_would_be_found() -> None:
    def is_silent(game: Any) -> str:
        return "B2C-DRAFT-1" if game.box.supply[-1:] < ["m"] else ""

    game = replace(BETWEEN_TWO_CASTLES, is_silent=is_silent)
    with pytest.raises(LawBroken, match="learns a secret from whether players may talk"):
        sum(secrets_can_be_swapped(game, 4, seed) for seed in range(20))
