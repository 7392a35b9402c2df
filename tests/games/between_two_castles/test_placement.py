"""6. Placement legality."""

from random import Random

import msgspec
import pytest
from games.between_two_castles.diagrams import (
    CORRIDOR,
    DOWNSTAIRS,
    FOOD,
    LIVING,
    OUTDOOR,
    SLEEPING,
    SOME_ROOMS,
    UTILITY,
    drawn,
    marked,
    places,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from rules import rule

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES
from palatine_server.games.between_two_castles.castle import Building, Room, legal_cells, placement_error
from palatine_server.games.between_two_castles.catalog import ROOMS, SPECIALS, THRONES

ABOVE_GROUND = [FOOD, LIVING, UTILITY, OUTDOOR, SLEEPING, "fountain", "tower"]
ON_ANY_LEVEL = [CORRIDOR, "foyer"]
EVERY_KIND = [*SOME_ROOMS, *SPECIALS]


def code(castle, name, cell):
    mistake = placement_error(castle, name, cell)
    return mistake.code if mistake else None


# The pictures show with a + every cell in which the tile may stand.


@rule("B2C-PLACE-1")
@pytest.mark.parametrize("name", ABOVE_GROUND)
def test_first_tile_must_touch_the_throne(name):
    picture = """
        . + + .
        + T T +
        . . . .
        """
    assert places(drawn(picture), name) == marked(picture)


@rule("B2C-PLACE-2")
def test_empty_the_cell_must_not_be_part_of_the_throne():
    castle = drawn("T T")
    assert code(castle, FOOD, (0, 0)) == "occupied"
    assert code(castle, FOOD, (1, 0)) == "occupied"


@rule("B2C-PLACE-2")
def test_empty_the_cell_must_not_hold_a_room():
    assert code(drawn("F T T"), CORRIDOR, (-1, 0)) == "occupied"


@rule("B2C-PLACE-3")
def test_adjacent_touching_corners_is_not_enough():
    castle = drawn("T T")
    assert code(castle, DOWNSTAIRS, (2, -1)) == "not_adjacent"
    assert code(castle, DOWNSTAIRS, (1, -1)) is None


@rule("B2C-PLACE-3")
def test_adjacent_a_gap_on_the_ground_floor_is_not_bridged():
    assert code(drawn("T T F"), LIVING, (4, 0)) == "not_adjacent"


@rule("B2C-PLACE-4")
def test_support_an_upper_room_needs_a_room_directly_below():
    picture = """
        . + . .
        . S + .
        + T T +
        """
    castle = drawn(picture)
    assert places(castle, FOOD) == marked(picture)
    assert code(castle, FOOD, (-1, 1)) == "unsupported"


@rule("B2C-PLACE-4")
def test_support_either_half_of_the_throne_will_do():
    castle = drawn("T T")
    assert code(castle, FOOD, (0, 1)) is None
    assert code(castle, FOOD, (1, 1)) is None


@rule("B2C-PLACE-5")
@pytest.mark.parametrize("name", ABOVE_GROUND)
def test_ground_or_above_these_rooms_never_stand_underground(name):
    picture = """
        . + + . .
        + T T + .
        . . D . .
        """
    castle = drawn(picture)
    assert places(castle, name) == marked(picture)
    assert code(castle, name, (0, -1)) == "must_be_ground_or_above"


# A-11 Must the ground floor be contiguous? No, ground and underground only need edge contact.
@rule("B2C-PLACE-6")
def test_ground_a_ground_cell_may_touch_nothing_but_an_underground_room():
    picture = """
        . + + . . .
        + T T + + +
        . . D D D D
        """
    assert places(drawn(picture), FOOD) == marked(picture)


@rule("B2C-PLACE-7")
def test_downstairs_rooms_stand_underground_only():
    picture = """
        . C . .
        . T T .
        . + D +
        . . + .
        """
    castle = drawn(picture)
    assert places(castle, DOWNSTAIRS) == marked(picture)
    assert code(castle, DOWNSTAIRS, (2, 0)) == "must_be_underground"


@rule("B2C-PLACE-7", "B2C-PLACE-11")
def test_downstairs_any_number_of_underground_floors_is_allowed():
    castle = drawn("T T")
    for depth, name in enumerate([name for name in ROOMS if ROOMS[name].type == "downstairs"], start=1):
        assert code(castle, name, (0, -depth)) is None
        castle.lay(name, (0, -depth))
    assert castle.at((0, -21))


@rule("B2C-PLACE-8")
@pytest.mark.parametrize("name", ON_ANY_LEVEL)
def test_any_level_corridors_and_foyers_stand_above_and_underground(name):
    picture = """
        . + + .
        + T T +
        . + + .
        """
    assert places(drawn(picture), name) == marked(picture)


@rule("B2C-PLACE-8")
@pytest.mark.parametrize("name", [DOWNSTAIRS, *ON_ANY_LEVEL])
def test_any_level_underground_tiles_need_no_tile_above_them(name):
    castle = drawn("""
        T T . .
        . D . .
        """)
    assert castle.at((2, 0)) is None
    assert code(castle, name, (2, -1)) is None


@rule("B2C-PLACE-9")
@pytest.mark.parametrize("open_sky", ["O", "f", "t"])
def test_outdoor_nothing_may_stand_on_an_open_sky_tile(open_sky):
    picture = f"""
        . . . .
        . {open_sky} + .
        + T T +
        """
    castle = drawn(picture)
    for name in ABOVE_GROUND:
        assert places(castle, name) == marked(picture)
        assert code(castle, name, (0, 2)) == "open_sky_below"


@rule("B2C-PLACE-9")
def test_outdoor_the_cell_above_stays_empty_even_between_two_rooms():
    castle = drawn("""
        . . S . C
        F T T O L
        """)
    assert code(castle, CORRIDOR, (2, 1)) == "open_sky_below"
    assert (2, 1) not in places(castle, CORRIDOR)


@rule("B2C-PLACE-10")
def test_outdoor_tiles_may_stand_left_and_right_of_an_open_sky_tile():
    picture = """
        . . O + .
        + O T T +
        """
    assert places(drawn(picture), FOOD) == marked(picture)


@rule("B2C-PLACE-10")
@pytest.mark.parametrize("below", ["F", "L", "U", "S", "C", "y"])
@pytest.mark.parametrize("name", [OUTDOOR, "fountain", "tower"])
def test_outdoor_an_open_sky_tile_may_stand_on_any_tile_that_is_not_open_sky(below, name):
    assert code(drawn(f"{below} T T"), name, (-1, 1)) is None
    assert code(drawn("T T"), name, (0, 1)) is None


@rule("B2C-PLACE-11")
def test_size_width_and_height_are_unlimited():
    castle = drawn("T T")
    for step in range(1, 60):
        assert code(castle, CORRIDOR, (0, step)) is None
        castle.lay("foyer", (0, step))
        assert code(castle, FOOD, (1 + step, 0)) is None
        castle.lay("foyer", (1 + step, 0))


@rule("B2C-PLACE-12")
def test_rotation_a_room_in_its_place_is_a_name_and_a_cell_and_nothing_else():
    assert msgspec.to_builtins(drawn("T T").lay(FOOD, (2, 0))) == [FOOD, 2, 0]
    assert Room.__struct_fields__ == ("name", "x", "y")


# The first failure gives the code


@rule("B2C-PLACE-2", "B2C-PLACE-5", "B2C-PLACE-7", "B2C-PLACE-3", "B2C-PLACE-9", "B2C-PLACE-4")
@pytest.mark.parametrize(
    ("name", "cell", "first", "resting_on"),
    [
        (DOWNSTAIRS, (0, 0), "occupied", "B2C-PLACE-2"),
        (FOOD, (0, -1), "occupied", "B2C-PLACE-2"),
        (FOOD, (9, -9), "must_be_ground_or_above", "B2C-PLACE-5"),
        (DOWNSTAIRS, (9, 9), "must_be_underground", "B2C-PLACE-7"),
        (DOWNSTAIRS, (-1, 1), "must_be_underground", "B2C-PLACE-7"),
        (FOOD, (9, 9), "not_adjacent", "B2C-PLACE-3"),
        (FOOD, (-1, 1), "open_sky_below", "B2C-PLACE-9"),
        (FOOD, (2, 1), "unsupported", "B2C-PLACE-4"),
    ],
)
def test_order_the_first_failure_gives_the_code(name, cell, first, resting_on):
    castle = drawn("""
        . . S .
        O T T .
        . D . .
        """)
    mistake = placement_error(castle, name, cell)
    assert (mistake.code, mistake.rule) == (first, resting_on)
    assert mistake.sentence.endswith(".")


# Liveness

MOVES = st.lists(st.tuples(st.sampled_from([*ROOMS, *SPECIALS]), st.integers(0, 10_000)), max_size=24)


def built(throne, moves):
    castle = Building(throne=throne)
    for name, choice in moves:
        cells = legal_cells(castle, name)
        castle.lay(name, cells[choice % len(cells)])
    return castle


@rule("B2C-PLACE-13")
@settings(max_examples=150, deadline=None)
@given(st.sampled_from(list(THRONES)), MOVES)
def test_liveness_every_tile_always_has_a_legal_cell(throne, moves):
    castle = built(throne, moves)
    assert all(legal_cells(castle, name) for name in EVERY_KIND)


@rule("B2C-PLACE-2", "B2C-PLACE-3", "B2C-PLACE-4", "B2C-PLACE-5", "B2C-PLACE-7", "B2C-PLACE-9")
@settings(max_examples=100, deadline=None)
@given(st.sampled_from(list(THRONES)), MOVES)
def test_legal_cells_are_exactly_those_without_a_mistake_in_canonical_order(throne, moves):
    castle = built(throne, moves)
    around = {(x + dx, y + dy) for x, y in castle.plan.cells for dx in range(-2, 3) for dy in range(-2, 3)}
    for name in EVERY_KIND:
        legal = [cell for cell in around if placement_error(castle, name, cell) is None]
        assert legal_cells(castle, name) == sorted(legal, key=lambda at: (abs(at[1]), -at[1], abs(at[0]), at[0]))


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(list(THRONES)), MOVES, st.integers(0, 24))
def test_legal_cells_are_the_same_after_taking_back_and_after_sleeping(throne, moves, kept):
    castle, target = built(throne, moves), built(throne, moves[:kept])
    while len(castle.rooms) > len(target.rooms):
        castle.take_back()
    asleep = msgspec.msgpack.decode(msgspec.msgpack.encode(castle), type=Building)
    for name in EVERY_KIND:
        assert legal_cells(castle, name) == legal_cells(target, name) == legal_cells(asleep, name)
    assert castle == target == asleep
    assert castle.plan.where == asleep.plan.where


def test_legal_cells_come_in_canonical_order():
    assert legal_cells(drawn("T T"), CORRIDOR) == [(-1, 0), (2, 0), (0, 1), (1, 1), (0, -1), (1, -1)]


@pytest.mark.parametrize("seats", [2, 4])
def test_floor_plans_are_kept_for_the_next_action_and_are_those_of_the_castles(seats):
    game, rng = BETWEEN_TWO_CASTLES.begin(seats, "b2" * 32), Random(seats)
    plans = [castle.plan for castle in game.board.castles]
    while not game.is_over:
        seat = rng.choice(game.waiting_for())
        game.act(seat, BETWEEN_TWO_CASTLES.policies["random"](game, seat, rng.randrange))
        for castle, plan in zip(game.board.castles, plans, strict=True):
            asleep = msgspec.msgpack.decode(msgspec.msgpack.encode(castle), type=Building)
            assert castle.plan is plan
            assert plan.cells == asleep.plan.cells
            assert [legal_cells(castle, name) for name in EVERY_KIND] == [legal_cells(asleep, n) for n in EVERY_KIND]
    game.release()
    assert all(castle.plan is not plan for castle, plan in zip(game.board.castles, plans, strict=True))
