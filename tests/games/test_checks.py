"""Every registered game passes all checks of `palatine check`, its warnings too."""

import pytest
from games.lower_bounds import find_least
from games.registered import GOLDEN, every_game, every_table, find_tests

from palatine_server.checks import explanations, rule_ids
from palatine_server.checks.check_list import PLAYED, STATIC, CheckPlan
from palatine_server.checks.runner import CheckUnit, find_in_unit
from palatine_server.games.kit import Game

SEEDS = {  # others: one
    "pieces_are_conserved": 8,
    "scores_are_explained": 5,
    "offers_are_narrow": 4,
    "undo_returns": 3,
    "offers_stand": 3,
    "refused_is_unchanged": 2,
    "refusals_hold": 2,
}
# Checks that every game gives something to compare. Others may find no undo, no question and no refusal.
BUSY = {"told_is_seen", "rebuilt_is_same", "pieces_are_conserved", "overdue_is_legal", "as_described", "policies_play"}
STATED = {
    "refused_is_unchanged": "refused actions",
    "undo_returns": "actions taken back",
    "refusals_hold": "refusals with reasons",
    "as_described": "values as described",
    "reasons_hold": "reasons",
    "offers_stand": "offers that stand",
}


@every_game
@pytest.mark.parametrize("check", STATIC)
def test_nothing_is_wrong_or_missing(game: Game, check: str) -> None:
    plan = CheckPlan(tests=find_tests(game), golden=GOLDEN)
    found = find_in_unit(game, CheckUnit(game.name, check), plan)
    assert [finding.sentence for finding in found] == []


@every_table
@pytest.mark.parametrize("check", PLAYED)
def test_played_games_are_as_they_should(game: Game, players: int, check: str) -> None:
    compared = [PLAYED[check].run(game, players, seed) for seed in range(SEEDS.get(check, 1))]
    assert min(compared) > find_least_compared(game, check)


@every_game
def test_the_source_says_as_much_as_the_game_states(game: Game) -> None:
    counts = {
        "sentences of refusals": len(explanations.list_refusals(game)),
        "codes with grounds": len(game.grounds),
        "rules that the code names": len({*rule_ids.list_named_in_source(game)}),
    }
    assert [name for name, count in counts.items() if count <= find_at_least(game, name)] == []


def find_at_least(game: Game, name: str) -> int:
    """Return what a count must exceed; -1: the game states nothing, and may have none."""
    stated = find_least(game, name)
    return -1 if stated is None else stated


def find_least_compared(game: Game, check: str) -> int:
    """Return what each game must exceed; -1: it may have nothing of the kind."""
    stated = find_at_least(game, STATED[check]) if check in STATED else -1
    return max(stated, 0 if check in BUSY else -1)
