"""1. Terms."""

import pytest
from games.between_two_castles.diagrams import (
    CORRIDOR,
    DOWNSTAIRS,
    FOOD,
    OUTDOOR,
    SOME_ROOMS,
    drawn,
    line,
    marked,
    places,
    points,
)
from rules import rule

from palatine_server.games.between_two_castles.board import Options
from palatine_server.games.between_two_castles.castle import Building, placement_error
from palatine_server.games.between_two_castles.catalog import NORMAL_TYPES, ROOMS, SPECIALS, THRONES
from palatine_server.games.between_two_castles.floor_plan import (
    THRONE_CELLS,
    castles_beside,
    edge_neighbours,
    kind_of,
    surrounding_cells,
)
from palatine_server.games.between_two_castles.scoring import standings
from palatine_server.games.between_two_castles.setup import seniority_of

DECORATIONS = {"painting", "torch", "swords", "mirror"}


@rule("B2C-TERM-1", "B2C-TERM-2")
def test_seats_castle_i_stands_between_seat_i_and_its_left_neighbour():
    by_seat = sorted(standings([10, 20, 30, 40], [0, 0, 0, 0], range(4)), key=lambda standing: standing.seat)
    assert [(standing.score, standing.better) for standing in by_seat] == [(10, 40), (10, 20), (20, 30), (30, 40)]


@rule("B2C-TERM-1", "B2C-TERM-2")
@pytest.mark.parametrize("seats", range(3, 8))
def test_seats_everybody_has_a_left_and_a_right_castle_and_every_castle_two_partners(seats):
    assert [castles_beside(place, seats)[0] for place in range(seats)] == list(range(seats))
    assert [castles_beside((castle + 1) % seats, seats)[1] for castle in range(seats)] == list(range(seats))


@rule("B2C-TERM-3")
def test_castle_x_grows_to_the_right_and_y_upwards_without_bounds():
    castle = drawn(
        """
        . S .
        F T T L
        . . D
        """,
        F="bakery",
        S="nap_room",
        L="parlor",
        D="crypt",
    )
    assert castle.at((-1, 0)) == "bakery"
    assert castle.at((0, 1)) == "nap_room"
    assert castle.at((2, 0)) == "parlor"
    assert castle.at((1, -1)) == "crypt"
    assert castle.at((1000, -1000)) is None


@rule("B2C-TERM-4")
def test_castle_the_throne_is_on_the_ground_floor_and_what_is_below_is_underground():
    castle = drawn("T T")
    assert {y for _, y in places(castle, FOOD)} == {0, 1}
    assert {y for _, y in places(castle, DOWNSTAIRS)} == {-1}


@rule("B2C-TERM-5")
def test_throne_covers_two_cells_and_every_other_tile_one():
    castle = drawn("F T T")
    assert [cell for cell in castle.plan.cells if castle.at(cell) == castle.throne] == sorted(THRONE_CELLS)
    assert len(castle.plan.cells) == 3


@rule("B2C-TERM-6")
def test_neighbours_four_at_the_edges_and_eight_around():
    cross = """
        . + .
        + T +
        . + .
        """
    ring = """
        + + +
        + T +
        + + +
        """
    assert edge_neighbours((0, 0)) == marked(cross)
    assert surrounding_cells((0, 0)) == marked(ring)


@rule("B2C-TERM-7")
def test_types_seven_normal_ones():
    assert NORMAL_TYPES == ("food", "living", "utility", "outdoor", "sleeping", "corridor", "downstairs")
    assert tuple(kind_of(name) for name in SOME_ROOMS) == NORMAL_TYPES


@rule("B2C-TERM-8")
def test_types_three_special_rooms_can_be_gained():
    assert [kind_of(name) for name in SPECIALS] == ["fountain", "tower", "foyer"]


# A-2 Does the throne count for special-room targets other than living rooms and the card? Yes, everywhere.
@rule("B2C-TERM-9")
def test_throne_is_itself_a_special_room():
    assert drawn("T T").count("special") == 1
    assert drawn("y T T f").count("special") == 3


@rule("B2C-TERM-9")
@pytest.mark.parametrize(
    ("room", "picture", "expected"),
    [
        ("china_room", "X T T", 2),
        ("library", "X T T", 1),
        ("panic_room", "X T T", 1),
        ("biergarten", "X T T", 1),
        ("venus_grotto", ". T T\n . X", 2),
    ],
)
def test_throne_counts_for_whatever_asks_for_special_rooms(room, picture, expected):
    assert points(drawn(picture, X=room), room) == expected


@rule("B2C-TERM-10")
def test_decorations_one_on_every_tile_that_is_not_under_the_open_sky_or_special():
    for room in ROOMS.values():
        assert (room.decoration in DECORATIONS) == (room.type != "outdoor")
    assert all(throne.decoration in DECORATIONS for throne in THRONES.values())
    assert {special.decoration for special in SPECIALS.values()} == {"none"}


@rule("B2C-TERM-10")
def test_decorations_are_counted_on_rooms_and_thrones_and_nowhere_else():
    castle = drawn("O T T F f t y", F="bakery", throne="throne_utility_food")
    assert [castle.count(kind) for kind in sorted(DECORATIONS)] == [0, 1, 1, 0]  # mirror, painting, swords, torch


@rule("B2C-TERM-11")
@pytest.mark.parametrize("name", [*SOME_ROOMS, *SPECIALS])
def test_open_sky_is_over_outdoor_rooms_fountains_and_towers(name):
    castle = Building(throne="throne_utility_food")
    castle.lay(name, (2, 0))
    mistake = placement_error(castle, CORRIDOR, (2, 1))
    assert (mistake is not None) == (name in {OUTDOOR, "fountain", "tower"})


# A-3 Two throne halves in the examined cells: one room.
@rule("B2C-TERM-12")
@pytest.mark.parametrize(
    ("room", "throne"),
    [("study", "throne_utility_food"), ("echo_chamber", "throne_living_corridor"), ("foyer", "throne_utility_food")],
)
def test_throne_counts_as_one_room_when_both_halves_are_examined(room, throne):
    castle = drawn(
        """
        X .
        T T
        """,
        X=room,
        throne=throne,
    )
    assert line(castle, room).counted == [(0, 0)]
    assert points(castle, room) == 1


# A-16 Age unknown or equal: entered ages, ties and missing ages by join order.
@rule("B2C-TERM-13")
@pytest.mark.parametrize(
    ("ages", "order"),
    [([30, 50, 40], [1, 2, 0]), ([30, 40, 40], [1, 2, 0]), ([None, 20, None], [1, 0, 2]), ([], [0, 1, 2])],
)
def test_seniority_is_a_strict_order_by_age_and_then_by_joining(ages, order):
    assert seniority_of(3, Options(ages=ages)) == order
