"""12. Bonus cards."""

import pytest
from games.between_two_castles.diagrams import drawn, line
from rules import rule


def card(name, picture, **more):
    """What a bonus card scores for the castle in the picture."""
    return line(drawn(picture, cards=[name], **more), name).points


# A-19 Distinct-types card: is "special" one type or three? Three (fountain, tower, foyer); the throne is not counted.
@rule("B2C-SCORE-CARD-01")
def test_distinct_types_1_per_type_with_fountain_tower_and_foyer_as_three():
    assert card("distinct_types", "T T") == 0
    assert card("distinct_types", "F F T T f f") == 2
    everything = """
        . . O f t
        . U F y L
        S C T T L
        . . D
        """
    assert card("distinct_types", everything) == 10


@rule("B2C-SCORE-CARD-02")
@pytest.mark.parametrize(("attendants", "expected"), [([], 0), (["knight"], 4), (["knight", "knight"], 8)])
def test_per_attendant_4_each(attendants, expected):
    assert card("per_attendant", "T T", attendants=attendants) == expected


@rule(
    "B2C-SCORE-CARD-03",
    "B2C-SCORE-CARD-04",
    "B2C-SCORE-CARD-07",
    "B2C-SCORE-CARD-08",
    "B2C-SCORE-CARD-11",
    "B2C-SCORE-CARD-12",
    "B2C-SCORE-CARD-15",
)
@pytest.mark.parametrize(
    ("name", "number", "expected"),
    [
        ("per_downstairs", 3, 6),
        ("per_sleeping", 4, 4),
        ("per_living", 7, 10),
        ("per_food", 8, 2),
        ("per_outdoor", 11, 8),
        ("per_corridor", 12, 12),
        ("per_utility", 15, 14),
    ],
)
def test_per_type_2_for_each_room_of_the_type(name, number, expected):
    castle = drawn(
        """
        O O O O L L L L L S S F .
        C C C C T T C C U U U U U U U
        . . . . D D D . . . . . .
        """,
        cards=[name],
    )
    assert line(castle, name).points == expected
    assert line(castle, name).rule == f"B2C-SCORE-CARD-{number:02}"


@rule("B2C-SCORE-CARD-05")
def test_underground_rooms_1_each_foyers_included():
    picture = """
        . S .
        F T T
        . D y
        . C .
        """
    assert card("underground_rooms", picture) == 3


# A-12 Do levels on the "upper rooms" card start at the throne as 1 or 0? y >= 2.
@rule("B2C-SCORE-CARD-06")
def test_upper_rooms_1_for_each_room_two_or_more_floors_above_the_throne():
    picture = """
        t . .
        F O .
        L C S
        U T T
        . . D
        """
    assert card("upper_rooms", picture) == 3


@rule("B2C-SCORE-CARD-09")
def test_total_height_1_per_occupied_row_underground_included():
    assert card("total_height", "F T T") == 1
    picture = """
        . S .
        . F .
        F T T
        . D .
        """
    assert card("total_height", picture) == 4


@rule("B2C-SCORE-CARD-10")
def test_total_width_1_per_occupied_column_and_the_throne_fills_two():
    assert card("total_width", "T T") == 2
    picture = """
        . S . .
        F T T .
        . D D D
        """
    assert card("total_width", picture) == 4


@rule("B2C-SCORE-CARD-13")
def test_fully_surrounded_3_per_room_with_all_8_cells_occupied():
    picture = """
        . . F F F
        . . S y L
        T T C U F
        """
    assert card("fully_surrounded", picture) == 3
    assert card("fully_surrounded", picture.replace("F F F", "F F .")) == 0


@rule("B2C-SCORE-CARD-13")
def test_fully_surrounded_the_throne_may_fill_two_of_the_cells():
    picture = """
        F F F
        F X F
        F T T
        """
    assert card("fully_surrounded", picture, X="parlor") == 3


@rule("B2C-SCORE-CARD-13")
def test_fully_surrounded_the_throne_qualifies_with_its_10_cells():
    picture = """
        F F F F
        F T T F
        D D D D
        """
    assert card("fully_surrounded", picture) == 3
    assert card("fully_surrounded", picture.replace("D D D D", "D D D .")) == 0


@rule("B2C-SCORE-CARD-14")
def test_cross_surrounded_2_per_room_with_all_4_edge_cells_occupied():
    picture = """
        . . . F .
        . . F X F
        T T F F F
        """
    assert card("cross_surrounded", picture, X="parlor") == 2
    assert card("cross_surrounded", picture.replace("F X F", "F X ."), X="parlor") == 0


@rule("B2C-SCORE-CARD-14")
def test_cross_surrounded_the_throne_qualifies_with_its_6_edge_cells():
    picture = """
        . F F .
        F T T F
        . D D .
        """
    assert card("cross_surrounded", picture) == 2
    assert card("cross_surrounded", picture.replace("F T T F", "F T T .")) == 0


@rule("B2C-SCORE-CARD-16")
def test_per_special_2_each_throne_included():
    assert card("per_special", "T T") == 2
    assert card("per_special", "f T T y t F") == 8


# A-20 Card 17 "six given cells": L, R, AL, AR, BL, BR.
@rule("B2C-SCORE-CARD-17")
def test_distinct_next_to_throne_2_per_normal_type_in_the_six_edge_cells():
    six_types = """
        . F L .
        U T T S
        . D C .
        """
    assert card("distinct_next_to_throne", six_types) == 12
    with_doubles_specials_and_corners = """
        U F y O
        F T T F
        D D D D
        """
    assert card("distinct_next_to_throne", with_doubles_specials_and_corners) == 4


@rule("B2C-SCORE-CARD-18")
def test_cells_around_throne_1_per_occupied_cell_of_the_ten():
    assert card("cells_around_throne", "T T") == 0
    picture = """
        . F F O f
        F F T T y
        . D D D y
        """
    assert card("cells_around_throne", picture) == 10
    assert card("cells_around_throne", "F F T T F F") == 2


@rule("B2C-SCORE-CARD-19")
def test_five_of_a_type_4_per_normal_type_with_5_or_more():
    assert card("five_of_a_type", "F F F F T T") == 0
    assert card("five_of_a_type", "F F F F F T T L L L L L L y y y y y") == 8


@rule("B2C-SCORE-CARD-20")
def test_three_of_a_type_2_per_normal_type_with_3_or_more():
    assert card("three_of_a_type", "F F T T") == 0
    assert card("three_of_a_type", "F F F T T L L L L L L y y y") == 4
