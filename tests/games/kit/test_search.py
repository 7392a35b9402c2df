"""The search of the kit: it finds the better action within its budget, and decides the same with the same numbers."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from games.kit.example_game import Lay, Moor, Quay
from games.kit.test_resample import SEEN

from palatine_server.games.kit import Action, Play, Seat, at_random
from palatine_server.games.kit.search import Lots, Search, lead, squash


def at_the_quay() -> Play[Any, Any, Any]:
    """A game in which seat 2 has laid the highest lantern, and unloads one bag or two."""
    play = SEEN.begin(3, "5e" * 32)
    for seat in range(3):
        play.act(seat, Lay(seat + 1))
    return play


def bags(game: Quay, seat: Seat) -> float:
    return game.board.quays[seat] / 100


def candidates(*actions: Action) -> Any:
    return lambda game, seat, below: list(actions)


SEARCH = Search(
    candidates=candidates(Moor(1), Moor(2)),
    ours=at_random,
    theirs=at_random,
    worth=bags,
    budget=2000,
    length=lambda _: 1,
)


def test_the_better_action_is_found_wherever_it_stands() -> None:
    assert SEARCH.decide(at_the_quay(), 2, Random(1).randrange) == Moor(2)
    turned = replace(SEARCH, candidates=candidates(Moor(2), Moor(1)))
    assert turned.decide(at_the_quay(), 2, Random(1).randrange) == Moor(2)


def test_without_a_clear_difference_the_first_action_is_taken() -> None:
    alike = replace(SEARCH, worth=lambda game, seat: 0.5)
    assert alike.decide(at_the_quay(), 2, Random(1).randrange) == Moor(1)


def test_the_position_itself_stays_as_it_is() -> None:
    play = at_the_quay()
    before = SEEN.pack(play)
    SEARCH.decide(play, 2, Random(1).randrange)
    assert SEEN.pack(play) == before


@pytest.mark.parametrize("budget", [1, 50, 400])
def test_the_budget_bounds_the_simulated_actions(budget: int) -> None:
    simulated = 0

    def counted(game: Any, seat: Seat, below: Any) -> Action:
        nonlocal simulated
        simulated += 1
        return at_random(game, seat, below)

    replace(SEARCH, ours=counted, theirs=counted, budget=budget, length=lambda _: 0).decide(
        at_the_quay(), 2, Random(1).randrange
    )
    assert 0 < simulated <= budget + 120  # the games that had begun are played to their end


def test_a_game_that_is_too_long_for_the_budget_is_not_simulated() -> None:
    far = replace(SEARCH, length=lambda _: 251, ours=forbidden, theirs=forbidden)
    assert far.decide(at_the_quay(), 2, Random(1).randrange) == Moor(1)


def forbidden(game: Any, seat: Seat, below: Any) -> Action:
    raise AssertionError("nothing is simulated")


def test_the_lead_counts_in_standard_errors() -> None:
    assert lead([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]) == 0
    assert lead([2.0, 3.0], [1.0, 2.0]) == float("inf")
    assert lead([1.0, 3.0], [0.0, 0.0]) == pytest.approx(2.0)
    assert lead([0.0, 0.0], [1.0, 3.0]) == pytest.approx(-2.0)


def test_a_lead_in_points_becomes_a_number_between_0_and_1() -> None:
    assert squash(0, 5) == 0.5
    assert 0 <= squash(-1e9, 5) < squash(-5, 5) < squash(5, 5) < squash(1e9, 5) <= 1


def test_random_numbers_are_even_and_the_same_everywhere() -> None:
    lots = Lots(2026)
    drawn = [lots.below(6) for _ in range(6000)]
    assert min(drawn.count(number) for number in range(6)) > 900
    assert [Lots(1).below(1000), Lots(2).below(1000)] == [Lots(1).below(1000), Lots(2).below(1000)]


def test_few_games_say_nothing() -> None:
    assert replace(SEARCH, budget=20, length=lambda _: 0).decide(at_the_quay(), 2, Random(1).randrange) == Moor(1)
