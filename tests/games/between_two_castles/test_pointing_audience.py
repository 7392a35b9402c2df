"""Pointing: law 3 finds it when a seat is shown more than it may know."""

from dataclasses import replace
from typing import Any

import pytest

from palatine_server.checks.random_games import LawBroken
from palatine_server.checks.secret_worlds import secrets_can_be_swapped
from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.between_two_castles.seats import castles_of, deciders
from palatine_server.games.kit import Action, Seat


def test_a_larger_pointing_audience_would_be_found() -> None:
    """Both neighbours were shown what a player pointed at, also the one who does not decide for that castle."""

    def all_partners(game: Any, seat: Seat, action: Action) -> set[Seat]:
        return {other for castle in castles_of(game, seat) for other in deciders(game, castle)} - {seat}

    game = replace(BETWEEN_TWO_CASTLES, pointing_audience=all_partners)
    with pytest.raises(LawBroken, match="points at"):
        sum(secrets_can_be_swapped(game, 4, seed) for seed in range(20))
