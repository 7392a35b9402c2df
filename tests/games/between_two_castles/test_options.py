"""What a table may settle before the game."""

import pytest
from games.between_two_castles.situations import begun, lay, placing, refused, verbs
from rules import rule

from palatine_server.games.between_two_castles.actions import TakeBack
from palatine_server.games.between_two_castles.board import Options
from palatine_server.games.kit import Refused


def test_defaults_seats_are_kept_tiles_may_be_taken_back_only_attendants_run_out():
    board = begun(3).board
    assert board.options == Options(reseat="keep", takeback=True, finite_supply=False, finite_attendants=True)
    assert (board.circle, board.seniority) == ([0, 1, 2], [0, 1, 2])
    assert board.stock == {"painter": 7, "knight": 7, "fire_eater": 7, "cosmetician": 7}


@rule("B2C-SETUP-6")
def test_reseat_at_random_comes_from_the_seed():
    circles = [begun(6, number, reseat="random").board.circle for number in (1, 1, 2)]
    assert circles[0] == circles[1] != circles[2]
    assert begun(6, reseat="keep").board.circle == [0, 1, 2, 3, 4, 5]


@rule("B2C-PP-9")
def test_takeback_off_a_placed_tile_lies():
    game = placing(takeback=False)
    lay(game, 0, 0, "S")
    assert "take_back" not in verbs(game, 0)
    assert refused(game, 0, TakeBack(0)).code == "cannot_take_back"


@rule("B2C-SUPPLY-6")
def test_finite_supply_pieces_are_counted_as_printed():
    assert sum(begun(3, finite_supply=True).board.stock.values()) == 48 + 28
    assert sum(begun(3).board.stock.values()) == 28
    assert begun(3, finite_attendants=False).board.stock is None


@rule("B2C-TERM-13")
@pytest.mark.parametrize(
    ("ages", "seniority"),
    [
        ([30, 70, 50], [1, 2, 0]),
        ([30, 70, 70], [1, 2, 0]),
        ([None, 12, 8], [1, 2, 0]),
        ([8], [0, 1, 2]),
        ([None, None, 1], [2, 0, 1]),
        ([0, 150], [1, 0, 2]),
        ([], [0, 1, 2]),
    ],
)
def test_ages_the_older_first_equal_and_missing_ages_by_order_of_joining(ages, seniority):
    assert begun(3, ages=ages).board.seniority == seniority


@rule("B2C-TERM-13")
def test_seniority_overrules_the_ages():
    assert begun(3, ages=[30, 70, 50], seniority=[2, 0, 1]).board.seniority == [2, 0, 1]


@rule("B2C-TERM-13")
@pytest.mark.parametrize(
    "options",
    [
        {"seniority": [0, 1]},
        {"seniority": [0, 1, 1]},
        {"seniority": [1, 2, 3]},
        {"seniority": [0, 1, 2, 3]},
        {"seniority": [-1, 0, 1]},
        {"ages": [1, 2, 3, 4]},
    ],
)
def test_order_must_fit_the_seats(options):
    with pytest.raises(Refused) as refusal:
        begun(3, **options)
    assert (refusal.value.code, refusal.value.rule) == ("bad_option", "B2C-TERM-13")


@rule("B2C-LUDWIG-10")
def test_order_does_not_name_ludwig():
    with pytest.raises(Refused) as refusal:
        begun(2, seniority=[0, 1, 2])
    assert refusal.value.code == "bad_option"


@pytest.mark.parametrize(
    "options",
    [
        {"reseat": "sometimes"},
        {"reseat": None},
        {"takeback": 1},
        {"takeback": "yes"},
        {"finite_supply": None},
        {"ages": [151]},
        {"ages": [-1]},
        {"ages": [True]},
        {"ages": ["old"]},
        {"ages": 30},
        {"seniority": "012"},
        {"seniority": [0.5, 1, 2]},
        {"seniority": None},
    ],
)
def test_values_that_an_option_cannot_have_are_refused(options):
    with pytest.raises(Refused) as refusal:
        begun(3, **options)
    assert refusal.value.code == "malformed"
    assert refusal.value.path.startswith(f"$.options.{next(iter(options))}")


def test_unknown_options_are_ignored():
    assert begun(3, speed="fast").board == begun(3).board
