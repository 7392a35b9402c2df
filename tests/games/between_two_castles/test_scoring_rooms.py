"""11. Scoring of rooms, special rooms, thrones and attendants."""

import msgspec
import pytest
from games.between_two_castles.diagrams import drawn, line, points
from rules import rule

from palatine_server.games.between_two_castles.castle import Building, Room
from palatine_server.games.between_two_castles.catalog import PATTERNS, ROOMS, SPECIALS, THRONES
from palatine_server.games.between_two_castles.scoring import anywhere, column_above, each, score_sheet, value

# The room that is looked at is drawn as X.

# Food


@rule("B2C-SCORE-FOOD-1")
def test_food_2_points_for_each_named_cell_with_the_wanted_type():
    castle = drawn("T T U X U", X="bakery")
    assert points(castle, "bakery") == 4
    assert line(castle, "bakery").counted == [(2, 0), (4, 0)]
    assert points(drawn("T T U X L", X="bakery"), "bakery") == 2
    assert points(drawn("T T L X L", X="bakery"), "bakery") == 0


@rule("B2C-SCORE-FOOD-1", "B2C-PLACE-12")
def test_food_the_named_cells_are_printed_and_not_turned():
    above_and_below = drawn(
        """
        . . . U
        . . U X U
        T T L U L
        """,
        X="scullery",
    )
    left_and_right = drawn(
        """
        . . . U
        . . U X U
        T T L U L
        """,
        X="bakery",
    )
    assert line(above_and_below, "scullery").counted == [(3, 0), (3, 2)]
    assert line(left_and_right, "bakery").counted == [(2, 1), (4, 1)]


@rule("B2C-SCORE-FOOD-2")
@pytest.mark.parametrize("room", ["chocolate_room", "spice_room"])
def test_food_chocolate_and_spice_look_one_and_two_cells_down(room):
    castle = drawn(
        """
        T T X
        . D D
        . D D
        . D D
        """,
        X=room,
    )
    assert points(castle, room) == 4
    assert line(castle, room).counted == [(2, -1), (2, -2)]
    assert line(castle, room).rule == "B2C-SCORE-FOOD-2"


@rule("B2C-SCORE-FOOD-2")
def test_food_chocolate_counts_the_second_cell_over_another_room():
    castle = drawn(
        """
        T T X
        . C C
        . D D
        """,
        X="chocolate_room",
    )
    assert points(castle, "chocolate_room") == 2


@rule("B2C-SCORE-FOOD-3")
def test_food_maximum_4():
    assert {room.max_points for room in ROOMS.values() if room.type == "food"} == {4}
    assert each(ROOMS["bakery"], 3)[0] == 4


# Living


@rule("B2C-SCORE-LIVING-1")
def test_living_1_point_per_wanted_room_in_the_8_surrounding_cells():
    castle = drawn(
        """
        . . U F U
        . . F X F F
        T T U F U U
        """,
        X="gallery",
    )
    assert points(castle, "gallery") == 4
    assert line(castle, "gallery").counted == [(2, 0), (4, 0), (2, 2), (4, 2)]


@rule("B2C-SCORE-LIVING-1")
def test_living_a_room_never_counts_itself():
    assert points(drawn("X T T", X="observatory"), "observatory") == 0
    assert points(drawn("L X T T", X="observatory"), "observatory") == 1


@rule("B2C-SCORE-LIVING-2")
def test_living_outdoor_rooms_pay_2_each_in_all_cells_but_the_one_below():
    castle = drawn(
        """
        . . . O O
        . . O X F
        T T F F F O
        """,
        X="reading_room",
    )
    assert points(castle, "reading_room") == 6
    assert line(castle, "reading_room").counted == [(2, 1), (3, 2), (4, 2)]
    assert line(castle, "reading_room").rule == "B2C-SCORE-LIVING-2"
    assert (0, -1) not in PATTERNS[ROOMS["reading_room"].pattern].offsets


@rule("B2C-SCORE-LIVING-2")
def test_living_downstairs_rooms_pay_2_each_in_the_row_below():
    castle = drawn(
        """
        . T T X
        D D D D D
        . . . D
        """,
        X="cape_room",
    )
    assert points(castle, "cape_room") == 6
    assert line(castle, "cape_room").counted == [(1, -1), (2, -1), (3, -1)]


# A-3 Two throne halves in the examined cells: one room.
@rule("B2C-SCORE-LIVING-3")
@pytest.mark.parametrize("room", ["study", "library"])
def test_living_the_throne_counts_1_also_when_both_halves_touch(room):
    both_halves = drawn(
        """
        X .
        T T
        """,
        X=room,
    )
    assert points(both_halves, room) == 1
    assert points(drawn("T T X", X=room), room) == 1
    assert points(drawn("T T F X", X=room), room) == 0


@rule("B2C-SCORE-LIVING-4")
def test_living_maximum_8_and_all_8_can_be_had():
    castle = drawn(
        """
        . . U U U
        . . U X U
        T T U U U
        """,
        X="gallery",
    )
    assert points(castle, "gallery") == 8
    assert each(ROOMS["gallery"], 9)[0] == 8


@rule("B2C-SCORE-LIVING-4")
def test_living_maximum_6_where_outdoor_or_downstairs_rooms_are_wanted():
    variants = [room for room in ROOMS.values() if room.type == "living" and room.target in {"outdoor", "downstairs"}]
    assert len(variants) == 5
    for room in variants:
        assert each(room, 4)[0] == 6


# Utility


@rule("B2C-SCORE-UTILITY-1", "B2C-SCORE-UTILITY-2")
def test_utility_1_point_per_connected_room_of_the_wanted_type():
    castle = drawn(
        """
        . . . . L
        . . . L L
        T T X L F
        """,
        X="game_storage",
    )
    assert points(castle, "game_storage") == 4


# A-7 Is "connected" orthogonal only? Yes.
@rule("B2C-SCORE-UTILITY-2")
def test_utility_a_path_does_not_run_over_corners():
    castle = drawn(
        """
        . . F L
        T T X F
        """,
        X="game_storage",
    )
    assert points(castle, "game_storage") == 0


@rule("B2C-SCORE-UTILITY-2", "B2C-SCORE-UTILITY-3")
def test_utility_a_room_of_another_type_breaks_the_path():
    castle = drawn("L L T T X L F L L", X="game_storage")
    assert points(castle, "game_storage") == 1
    assert line(castle, "game_storage").counted == [(3, 0)]


@rule("B2C-SCORE-UTILITY-2")
def test_utility_a_ring_of_rooms_is_counted_once():
    castle = drawn(
        """
        . . L L
        T T X L
        . . C C
        """,
        X="game_storage",
    )
    assert points(castle, "game_storage") == 3


@rule("B2C-SCORE-UTILITY-4")
def test_utility_tiles_wanting_utility_rooms_do_not_count_themselves():
    assert points(drawn("T T X", X="repair_shop"), "repair_shop") == 0
    assert points(drawn("T T X U U", X="repair_shop"), "repair_shop") == 2
    assert points(drawn("T T U X U", X="repair_shop"), "repair_shop") == 2


# A-4 Throne in utility connections: counts once, conducts the path.
@rule("B2C-SCORE-UTILITY-5")
def test_utility_the_throne_counts_once_and_conducts_the_path():
    assert points(drawn("T T X", X="panic_room"), "panic_room") == 1
    assert points(drawn("y T T X", X="panic_room"), "panic_room") == 2
    assert points(drawn("y f T T X y", X="panic_room"), "panic_room") == 4
    assert points(drawn("y F T T X y", X="panic_room"), "panic_room") == 2


@rule("B2C-SCORE-UTILITY-6")
def test_utility_no_maximum():
    castle = drawn("T T X L L L L L L L L L L", X="washroom")
    assert points(castle, "washroom") == 10


# Outdoor


@rule("B2C-SCORE-OUTDOOR-1")
def test_outdoor_1_point_per_wanted_room_anywhere_in_the_castle():
    castle = drawn(
        """
        . . S . F
        X T T S F
        . . D
        """,
        X="terrace",
    )
    assert points(castle, "terrace") == 2
    assert line(castle, "terrace").counted == [(2, 0), (1, 1)]


@rule("B2C-SCORE-OUTDOOR-1")
def test_outdoor_the_throne_is_among_the_special_rooms():
    assert points(drawn("X T T", X="biergarten"), "biergarten") == 1
    assert points(drawn("X T T y f t", X="biergarten"), "biergarten") == 4


@rule("B2C-SCORE-OUTDOOR-2")
def test_outdoor_no_maximum():
    assert points(drawn("X T T F F F F F F F F F F F F", X="fish_pond"), "fish_pond") == 12


@rule("B2C-SCORE-OUTDOOR-1")
def test_outdoor_a_tile_wanting_outdoor_rooms_would_not_count_itself():
    castle = drawn("X T T O", X="sty")
    wanting_outdoor = msgspec.structs.replace(ROOMS["sty"], target="outdoor")
    assert anywhere(castle.plan, wanting_outdoor, (-1, 0)) == (1, {(2, 0)})


# Sleeping


@rule("B2C-SCORE-SLEEPING-1")
def test_sleeping_4_points_with_all_six_other_types():
    castle = drawn(
        """
        . X .
        F T T L U O
        . D C
        """,
        X="nap_room",
    )
    assert points(castle, "nap_room") == 4
    assert line(castle, "nap_room").count == 6


@rule("B2C-SCORE-SLEEPING-1")
@pytest.mark.parametrize("missing", "FLUOCD")
def test_sleeping_1_point_if_one_type_is_missing(missing):
    castle = drawn(
        """
        . X .
        F T T L U O
        . D C
        """.replace(missing, "y"),
        X="nap_room",
    )
    assert points(castle, "nap_room") == 1
    assert line(castle, "nap_room").count == 5


# Corridor


@rule("B2C-SCORE-CORRIDOR-1")
def test_corridor_1_point_per_surrounding_room_with_its_decoration():
    castle = drawn(
        """
        . . F . F
        . . C X F
        T T F F F
        """,
        F=["crepery", "vestibule", "wine_room", "pantry", "kitchen", "bakery"],
        C="great_hall",
        X="dead_end",
    )
    assert points(castle, "dead_end") == 5  # all swords but the wine room's mirror and the kitchen's torch
    assert line(castle, "dead_end").counted == [(2, 0), (4, 0), (2, 1), (2, 2), (4, 2)]


@rule("B2C-SCORE-CORRIDOR-1")
def test_corridor_wants_its_own_decoration_in_the_base_game():
    corridors = [room for room in ROOMS.values() if room.type == "corridor"]
    assert all(room.target == room.decoration for room in corridors)


# A-5 Throne decoration for corridors: counts (once) if it matches.
@rule("B2C-SCORE-CORRIDOR-2")
@pytest.mark.parametrize(("throne", "expected"), [("throne_living_corridor", 1), ("throne_utility_food", 0)])
def test_corridor_the_throne_counts_once_if_it_shows_the_decoration(throne, expected):
    castle = drawn(
        """
        X .
        T T
        """,
        X="echo_chamber",
        throne=throne,
    )
    assert points(castle, "echo_chamber") == expected


@rule("B2C-SCORE-CORRIDOR-3")
def test_corridor_maximum_8_and_all_8_can_be_had():
    castle = drawn(
        """
        . . A B C
        . . D X E
        T T G H I
        """,
        X="hidden_passage",
        A="afternoon_tea_room",
        B="buttery",
        C="ice_house",
        D="kitchen",
        E="scullery",
        G="parlor",
        H="nursery",
        I="pillow_room",
    )
    assert points(castle, "hidden_passage") == 8
    assert each(ROOMS["hidden_passage"], 9)[0] == 8


# Downstairs


@rule("B2C-SCORE-DOWNSTAIRS-1")
def test_downstairs_1_point_per_wanted_room_above_in_the_column():
    castle = drawn(
        """
        . . L F
        . . F L
        T T L F
        . . X D
        """,
        X="jewel_room",
    )
    assert points(castle, "jewel_room") == 2
    assert line(castle, "jewel_room").counted == [(2, 0), (2, 2)]


@rule("B2C-SCORE-DOWNSTAIRS-1")
def test_downstairs_special_rooms_pay_2():
    castle = drawn(
        """
        f .
        T T
        X .
        """,
        X="armory",
    )
    assert points(castle, "armory") == 4


# A-6 Text says downstairs rooms look "up" but also "anywhere in the column": follow the arrow on the tile.
@rule("B2C-SCORE-DOWNSTAIRS-2")
@pytest.mark.parametrize(("room", "expected"), [("dungeon", 2), ("crypt", 1), ("knight_room", 4)])
def test_downstairs_with_a_double_arrow_rooms_below_count_as_well(room, expected):
    castle = drawn(
        """
        C .
        T T
        X .
        C .
        D .
        y .
        """,
        X=room,
    )
    assert points(castle, room) == expected
    assert line(castle, room).rule == "B2C-SCORE-DOWNSTAIRS-2"


@rule("B2C-SCORE-DOWNSTAIRS-2")
def test_downstairs_exactly_the_tiles_wanting_corridors_downstairs_or_specials_have_a_double_arrow():
    for room in ROOMS.values():
        if room.type == "downstairs":
            double = room.target in {"corridor", "downstairs", "special"}
            assert room.pattern == ("column_above_below" if double else "column_above")


@rule("B2C-SCORE-DOWNSTAIRS-1", "B2C-SCORE-DOWNSTAIRS-2")
def test_downstairs_with_a_single_arrow_rooms_below_would_not_count():
    castle = drawn(
        """
        T T
        X .
        C .
        """,
        X="dungeon",
    )
    single_arrow = msgspec.structs.replace(ROOMS["dungeon"], pattern="column_above")
    assert points(castle, "dungeon") == 1
    assert column_above(castle.plan, single_arrow, (0, -1)) == (0, set())


@rule("B2C-SCORE-DOWNSTAIRS-3")
def test_downstairs_gaps_do_not_matter():
    castle = drawn(
        """
        . U .
        T T .
        D . .
        D X .
        """,
        X="laboratory",
    )
    assert points(castle, "laboratory") == 1


@rule("B2C-SCORE-DOWNSTAIRS-3")
@pytest.mark.parametrize(("picture", "expected"), [("T T\nX .", 2), ("T T\n. X", 2), ("T T F\n. D X", 0)])
def test_downstairs_the_throne_is_in_columns_0_and_1(picture, expected):
    assert points(drawn(picture, X="venus_grotto"), "venus_grotto") == expected


@rule("B2C-SCORE-DOWNSTAIRS-4")
def test_downstairs_no_maximum():
    tall = "F .\n" * 12
    assert points(drawn(f"{tall} T T\n X .", X="fungus_room"), "fungus_room") == 12


# Special rooms


@rule("B2C-SCORE-FOUNTAIN-1")
def test_fountain_always_5():
    assert points(drawn("T T f"), "fountain") == 5
    assert points(drawn("f T T F F F"), "fountain") == 5


@rule("B2C-SCORE-TOWER-1", "B2C-SCORE-TOWER-2")
def test_tower_1_point_per_room_below_underground_rooms_and_throne_included():
    castle = drawn("""
        t .
        F .
        T T
        . D
        D D
        """)
    assert points(castle, "tower") == 3  # the food room, the throne and, over a gap, the downstairs room
    assert line(castle, "tower").counted == [(0, 0), (0, 1), (0, -2)]


@rule("B2C-SCORE-TOWER-1")
def test_tower_does_not_look_at_other_columns_and_has_no_maximum():
    tall = "F L .\n" * 12
    assert points(drawn(f". t .\n {tall} F T T"), "tower") == 13


@rule("B2C-SCORE-FOYER-1")
def test_foyer_1_point_per_surrounding_room_of_any_kind():
    castle = drawn("""
        . . O .
        . . F y f
        T T S C L L
        """)
    assert points(castle, "foyer") == 6


@rule("B2C-SCORE-FOYER-2")
def test_foyer_the_throne_counts_1_even_if_both_halves_touch():
    castle = drawn("""
        . y .
        F T T
        """)
    assert points(castle, "foyer") == 2


@rule("B2C-SCORE-FOYER-3")
def test_foyer_maximum_8_and_all_8_can_be_had():
    castle = drawn("""
        . . O f t
        . . S y F
        T T L C U
        """)
    assert points(castle, "foyer") == 8
    assert each(SPECIALS["foyer"], 9)[0] == 8


# Throne

POSITIONS = {"L": (-1, 0), "R": (2, 0), "AL": (0, 1), "AR": (1, 1), "BL": (0, -1), "BR": (1, -1)}
THRONE_TABLE = [
    ("throne_corridor_downstairs", "corridor downstairs", "BL BR", "mirror"),
    ("throne_corridor_food", "corridor food", "AL AR", "swords"),
    ("throne_food_sleeping", "food sleeping", "L AL", "mirror"),
    ("throne_living_corridor", "living corridor", "L R", "torch"),
    ("throne_living_sleeping", "living sleeping", "AL AR", "swords"),
    ("throne_utility_food", "utility food", "L R", "painting"),
    ("throne_utility_sleeping", "utility sleeping", "AR R", "torch"),
]


def with_rooms(throne, rooms):
    """A throne with a room of each given type in the given position."""
    some_room = {room.type: room.id for room in ROOMS.values()}
    return Building(throne=throne, rooms=[Room(some_room[kind], *POSITIONS[position]) for kind, position in rooms])


@rule("B2C-SCORE-THRONE-1")
def test_throne_2_points_for_each_position_with_a_room_of_its_types():
    assert points(drawn("F T T U", throne="throne_utility_food"), "throne_utility_food") == 4
    assert points(drawn("F T T L", throne="throne_utility_food"), "throne_utility_food") == 2
    assert points(drawn("L T T L", throne="throne_utility_food"), "throne_utility_food") == 0


@rule("B2C-SCORE-THRONE-1")
def test_throne_rooms_in_other_positions_do_not_count():
    castle = drawn("""
        . F U .
        F T T U
        """)
    assert points(castle, castle.throne) == 4
    assert line(castle, castle.throne).counted == [(-1, 0), (2, 0)]


# A-1 Is each throne type tied to one position? No, either type at either position, repeats allowed.
@rule("B2C-SCORE-THRONE-2")
@pytest.mark.parametrize("rooms", ["F T T U", "U T T F", "U T T U", "F T T F"])
def test_throne_either_type_is_good_at_either_position(rooms):
    assert points(drawn(rooms, throne="throne_utility_food"), "throne_utility_food") == 4


@rule("B2C-SCORE-THRONE-3")
@pytest.mark.parametrize(("throne", "types", "positions", "decoration"), THRONE_TABLE)
def test_throne_the_seven_thrones(throne, types, positions, decoration):
    for kind in types.split():
        for position in POSITIONS:
            expected = 2 if position in positions.split() else 0
            assert points(with_rooms(throne, [(kind, position)]), throne) == expected
    assert with_rooms(throne, []).count(decoration) == 1


@rule("B2C-SCORE-THRONE-3")
def test_throne_there_is_no_eighth():
    assert [throne for throne, *_ in THRONE_TABLE] == list(THRONES)


# Attendants


@rule("B2C-SCORE-ATTENDANT-1")
@pytest.mark.parametrize(
    ("attendant", "decoration"),
    [("painter", "painting"), ("knight", "swords"), ("fire_eater", "torch"), ("cosmetician", "mirror")],
)
def test_attendant_1_point_per_room_with_the_decoration(attendant, decoration):
    wanted = [name for name in ROOMS if ROOMS[name].type == "food" and ROOMS[name].decoration == decoration][:3]
    castle = drawn("F T T F F f O", F=wanted, attendants=[attendant])
    assert points(castle, attendant) == castle.count(decoration) == 3 + (decoration == "painting")


@rule("B2C-SCORE-ATTENDANT-1")
def test_attendant_two_of_the_same_kind_score_twice():
    castle = drawn("F T T", F="bakery", attendants=["knight", "knight"])
    assert score_sheet(castle).totals["attendant"] == 2


# A-5 Throne decoration for attendants: counts (once) if it matches.
@rule("B2C-SCORE-ATTENDANT-2")
@pytest.mark.parametrize(("throne", "expected"), [("throne_living_corridor", 1), ("throne_utility_food", 0)])
def test_attendant_the_decoration_of_the_throne_counts(throne, expected):
    assert points(drawn("T T", throne=throne, attendants=["fire_eater"]), "fire_eater") == expected


# The numbers come from the catalog


def test_a_corrected_figure_needs_no_code():
    dearer = msgspec.structs.replace(ROOMS["bakery"], points=3, max_points=5)
    assert each(dearer, 1)[0] == 3
    assert each(dearer, 2)[0] == 5


def test_every_room_can_be_scored_and_value_agrees_with_the_sheet():
    for name in [*ROOMS, *SPECIALS]:
        castle = Building(throne="throne_utility_food", rooms=[Room(name, 0, 1)])
        assert score_sheet(castle).total == value(castle) >= 0
