"""Every registered game passes all checks of `palatine check`, its warnings too."""

import pytest
from games.registered import GOLDEN, every_game, every_table, find_tests

from palatine_server.checks.check_list import PLAYED, STATIC, CheckPlan
from palatine_server.checks.runner import CheckUnit, find_in_unit
from palatine_server.games.kit import Game

SEEDS = 1
# Checks that every game gives something to compare. Others may find no undo, no question and no refusal.
BUSY = {"told_is_seen", "rebuilt_is_same", "pieces_are_conserved", "overdue_is_legal", "as_described", "policies_play"}


@every_game
@pytest.mark.parametrize("check", STATIC)
def test_nothing_is_wrong_or_missing(game: Game, check: str) -> None:
    plan = CheckPlan(tests=find_tests(game), golden=GOLDEN)
    found = find_in_unit(game, CheckUnit(game.name, check), plan)
    assert [finding.sentence for finding in found] == []


@every_table
@pytest.mark.parametrize("check", PLAYED)
def test_played_games_are_as_they_should(game: Game, players: int, check: str) -> None:
    games = min(SEEDS, PLAYED[check].games or SEEDS)
    compared = [PLAYED[check].run(game, players, seed) for seed in range(games)]
    assert all(compared) or check not in BUSY
