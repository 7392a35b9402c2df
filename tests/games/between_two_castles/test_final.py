"""13. End of the game."""

import msgspec
import pytest
from games.between_two_castles.diagrams import drawn
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import rule

from palatine_server.games.between_two_castles.castle import Building, legal_cells
from palatine_server.games.between_two_castles.catalog import ATTENDANTS, CARDS, ROOMS, SPECIALS, THRONES
from palatine_server.games.between_two_castles.scoring import LINES, ScoreSheet, score_sheet, standings, value

MOVES = st.lists(st.tuples(st.sampled_from([*ROOMS, *SPECIALS]), st.integers(0, 10_000)), max_size=24)


def ranks(values, specials=None):
    """The rank of each seat."""
    seats = len(values)
    by_seat = sorted(standings(values, specials or [1] * seats, range(seats)), key=lambda standing: standing.seat)
    return [standing.rank for standing in by_seat]


def scores(values):
    """The score of each seat."""
    by_seat = sorted(standings(values, [1] * len(values), range(len(values))), key=lambda standing: standing.seat)
    return [standing.score for standing in by_seat]


@rule("B2C-FINAL-1")
def test_castle_value_is_the_sum_of_the_13_lines():
    castle = drawn(
        """
        . . t .
        . . S .
        f F T T U O
        . . C y
        . . D
        """,
        F="bakery",  # swords; wants utility rooms left and right
        U="tool_room",  # mirror; wants connected utility rooms
        O="walking_path",  # wants corridors anywhere
        S="nap_room",  # torch; misses living rooms
        C="dead_end",  # swords; wants swords around
        D="crypt",  # painting; wants downstairs rooms in the column
        attendants=["knight", "painter"],
        cards=["per_special", "total_width"],
    )
    sheet = score_sheet(castle)
    assert tuple(sheet.totals) == LINES
    assert len(LINES) == 13
    assert sheet.total == sum(sheet.totals.values()) == sum(line.points for line in sheet.lines) == value(castle)
    assert sheet.totals == {
        "food": 0,
        "living": 0,
        "utility": 0,
        "outdoor": 1,
        "sleeping": 1,
        "corridor": 1,
        "downstairs": 0,
        "tower": 4,
        "fountain": 5,
        "foyer": 4,
        "bonus_card": 8 + 6,
        "attendant": 2 + 2,
        "throne": 4,
    }


@rule("B2C-FINAL-1")
@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(list(THRONES)),
    MOVES,
    st.lists(st.sampled_from(list(ATTENDANTS)), max_size=2),
    st.lists(st.sampled_from(list(CARDS)), max_size=2, unique=True),
)
def test_castle_value_equals_the_sheet_and_nothing_is_negative(throne, moves, attendants, cards):
    castle = Building(throne=throne, attendants=attendants, cards=cards)
    for name, choice in moves:
        cells = legal_cells(castle, name)
        castle.lay(name, cells[choice % len(cells)])
    sheet = score_sheet(castle)
    assert value(castle) == sheet.total
    assert all(line.points >= 0 for line in sheet.lines)
    assert len(sheet.lines) == len(castle.rooms) + len(attendants) + len(cards) + 1
    assert all(line.count == len(line.counted) for line in sheet.lines if line.counted)


@rule("B2C-FINAL-1")
def test_castle_sheet_is_plain_data():
    sheet = score_sheet(drawn("F T T U", F="bakery", cards=["per_food"]))
    assert msgspec.json.decode(msgspec.json.encode(sheet), type=ScoreSheet) == sheet
    assert [line.line for line in sheet.lines] == ["food", "utility", "bonus_card", "throne"]


@rule("B2C-FINAL-2")
def test_score_is_the_lower_value_of_the_two_castles():
    assert scores([70, 40, 41]) == [41, 40, 40]


@rule("B2C-FINAL-3")
def test_winner_is_the_highest_score():
    assert ranks([70, 40, 60]) == [1, 2, 3]


@rule("B2C-FINAL-4")
def test_tie_the_higher_castle_decides():
    assert scores([50, 60, 50, 70]) == [50, 50, 50, 50]
    assert ranks([50, 60, 50, 70]) == [1, 3, 3, 1]


@rule("B2C-FINAL-5")
def test_tie_then_the_special_rooms_of_both_castles_together_decide():
    assert ranks([50, 50, 50], [1, 2, 4]) == [2, 3, 1]


@rule("B2C-FINAL-5")
def test_tie_counting_the_thrones_or_not_makes_no_difference():
    assert ranks([50, 50, 50], [1, 2, 4]) == ranks([50, 50, 50], [0, 1, 3])


@rule("B2C-FINAL-6")
def test_tie_the_victory_is_shared_when_all_is_equal():
    assert ranks([50, 50, 50]) == [1, 1, 1]
    assert ranks([55, 50, 50]) == [1, 1, 3]


@rule("B2C-FINAL-7")
@pytest.mark.parametrize(
    ("values", "expected"),
    [([10, 20, 30, 40], [3, 4, 2, 1]), ([30, 30, 10, 10], [2, 1, 2, 4]), ([7] * 7, [1] * 7)],
)
def test_ranking_is_complete_and_leaves_out_the_places_that_were_shared(values, expected):
    assert ranks(values) == expected


@rule("B2C-FINAL-7")
def test_ranking_comes_best_first_and_equals_by_seat():
    ranked = standings([10, 20, 30, 40], [1, 2, 3, 4], range(4))
    assert [standing.seat for standing in ranked] == [3, 2, 0, 1]
    first = ranked[0]
    assert (first.score, first.better, first.specials, first.rank) == (30, 40, 7, 1)
