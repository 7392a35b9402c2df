"""2. Components, and a castle at rest."""

import copy
from collections import Counter
from importlib.resources import files

import msgspec
import pytest
from games.between_two_castles.diagrams import FOOD, drawn, places
from rules import rule

from palatine_server.games.between_two_castles import catalog
from palatine_server.games.between_two_castles.castle import Building, Room, legal_cells
from palatine_server.games.between_two_castles.catalog import (
    ATTENDANTS,
    CARDS,
    NORMAL_TYPES,
    PATTERNS,
    ROOMS,
    SPECIALS,
    THRONES,
    TOKENS,
    CatalogError,
    name,
)
from palatine_server.games.between_two_castles.floor_plan import TRAITS
from palatine_server.games.between_two_castles.scoring import BY_CARD, score_sheet, value

TEXT = files("palatine_server.games.between_two_castles").joinpath("catalog.toml").read_text(encoding="utf-8")


# The components


@rule("B2C-COMP-1")
def test_rooms_147_all_different_21_of_each_type():
    assert len(ROOMS) == 147
    assert Counter(room.type for room in ROOMS.values()) == dict.fromkeys(NORMAL_TYPES, 21)
    assert len({room.name_en for room in ROOMS.values()}) == 147


@rule("B2C-COMP-1")
def test_rooms_a_tile_shows_its_decoration_target_and_pattern():
    bakery = ROOMS["bakery"]
    assert (bakery.name_en, bakery.type, bakery.decoration) == ("Bakery", "food", "swords")
    assert (bakery.target, bakery.pattern, bakery.points, bakery.max_points) == ("utility", "left_right", 2, 4)
    assert PATTERNS["left_right"].offsets == [(-1, 0), (1, 0)]


@rule("B2C-COMP-2")
def test_thrones_seven_with_two_types_two_positions_and_two_slots():
    assert len(THRONES) == 7
    assert len({(*throne.types, *throne.cells, throne.decoration) for throne in THRONES.values()}) == 7
    for throne in THRONES.values():
        assert (len(set(throne.types)), len(set(throne.cells)), throne.attendant_slots) == (2, 2, 2)


@rule("B2C-COMP-3")
def test_specials_and_attendants_48_and_28_apart_from_the_normal_tiles():
    assert sum(special.count for special in SPECIALS.values()) == 48
    assert sum(attendant.count for attendant in ATTENDANTS.values()) == 28
    assert list(ATTENDANTS) == ["painter", "knight", "fire_eater", "cosmetician"]
    assert ROOMS.keys().isdisjoint(SPECIALS.keys() | ATTENDANTS.keys())


@rule("B2C-COMP-4")
def test_cards_twenty_one_copy_each_and_each_can_be_scored():
    assert [card.number for card in CARDS.values()] == list(range(1, 21))
    assert all(card.count == 1 for card in CARDS.values())
    assert list(BY_CARD) == list(CARDS)


def test_every_component_has_a_name_and_a_source():
    for component in [*ROOMS, *THRONES, *SPECIALS, *ATTENDANTS, *CARDS, *TOKENS, *NORMAL_TYPES]:
        assert name(component, "en")
        assert name(component, "de")
        assert catalog.NAMED[component].source


def test_names_are_german_where_wanted():
    assert name("chocolate_room", "de") == "Schokoladenraum"
    assert name("chocolate_room", "en") == "Chocolate Room"


def test_names_are_english_where_there_is_no_german_one(monkeypatch):
    nameless = msgspec.structs.replace(ROOMS["chocolate_room"], name_de=None)
    monkeypatch.setitem(catalog.NAMED, "chocolate_room", nameless)
    assert name("chocolate_room", "de") == "Chocolate Room"


# A wrong catalog is refused with the name of the entry and what to do


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('id = "bakery"', 'id = "kitchen"', "'kitchen': this id appears 2 times. Give each component its own id"),
        ('target = "utility"', 'target = "stable"', "room 'bakery': target 'stable' is unknown. Use one of: food, "),
        ('target = "utility"', 'target = "torch"', "room 'bakery': target 'torch' is unknown. Use one of: food, "),
        ('pattern = "left_right"', 'pattern = "up"', "room 'bakery': pattern 'up' is unknown. Use one of: above_below"),
        ('decoration = "swords"', 'decoration = "none"', "room 'bakery': decoration 'none' is unknown. Use one of: pa"),
        ('type = "food"', 'type = "fud"', "number of pieces is 20, expected 21. Correct the entries or [meta.counts]"),
        ("points = 2", 'points = "two"', "room 'bakery': Expected `int`, got `str` - at `$.room[1].points`. Correct"),
        ("max_points = 4", "max_point = 4", "room 'bakery': Object contains unknown field `max_point`"),
    ],
)
def test_catalog_a_wrong_room_is_named(right, wrong, complaint):
    head, bakery = TEXT.split('id = "bakery"')
    bakery = ('id = "bakery"' + bakery).replace(right, wrong, 1)
    with pytest.raises(CatalogError) as error:
        catalog.read(head + bakery)
    assert complaint in str(error.value)


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("rooms = 147", "rooms = 146", "room: number of pieces is 147, expected 146"),
        ("specials = 48", "specials = 47", "special: number of pieces is 48, expected 47"),
        ("[3, 5]", "[5, 3]", "meta: bonus_thresholds are wrong. Give two rising numbers such as [3, 5]"),
        ("hand_size = 9", "hand_size = 8", "meta: hand_size is 8, expected 9"),
        ('"mirror"]', '"vase"]', "meta: decorations is "),
        ('positions = ["below_left"', 'positions = ["cellar"', "position 'cellar' is unknown. Use one of: left, right"),
        ("[[0, -1], [1, -1]]", "[[0, -1], [2, -1]]", "'throne_corridor_downstairs': cells is [(0, -1), (2, -1)], exp"),
        ('types = ["corridor", "down', 'types = ["corridor", "up', "type 'upstairs' is unknown. Use one of: food"),
        ('attendant = "painter"', 'attendant = "poet"', "attendant 'painter': attendant of its decoration is poet"),
        ("number = 20", "number = 21", "bonus_card 'three_of_a_type': number is 21, expected 20"),
        ('pattern = "always"', 'pattern = "never"', "special 'fountain': pattern 'never' is unknown"),
        ('kind = "connected"', 'kind = "cells"', "pattern 'connected': offsets do not suit its kind"),
    ],
)
def test_catalog_a_wrong_entry_is_named(right, wrong, complaint):
    assert TEXT.count(right) >= 1
    with pytest.raises(CatalogError) as error:
        catalog.read(TEXT.replace(right, wrong, 1))
    assert complaint in str(error.value)


# A castle at rest


def test_castle_at_rest_is_plain_data_without_its_floor_plan():
    castle = drawn("F T T", F="bakery", attendants=["knight"], cards=["per_food"])
    assert places(castle, FOOD)
    assert msgspec.to_builtins(castle) == {
        "throne": "throne_utility_food",
        "rooms": [["bakery", -1, 0]],
        "attendants": ["knight"],
        "cards": ["per_food"],
    }


def test_castle_at_rest_wakes_up_and_is_built_on():
    castle = drawn("F T T f")
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(castle), type=Building)
    assert again == castle
    again.lay("crypt", (0, -1))
    castle.lay("crypt", (0, -1))
    assert again == castle
    assert legal_cells(again, "crypt") == legal_cells(castle, "crypt")
    assert score_sheet(again) == score_sheet(castle)


def test_castle_a_tile_taken_back_leaves_no_trace():
    castle = drawn("F T T f", cards=["distinct_types"])
    before, cells, worth = copy.deepcopy(castle), legal_cells(castle, FOOD), value(castle)
    assert castle.lay("sty", (0, 1)) == Room("sty", 0, 1)
    assert (legal_cells(castle, FOOD), value(castle)) != (cells, worth)
    assert castle.take_back() == Room("sty", 0, 1)
    assert castle == before
    assert (legal_cells(castle, FOOD), value(castle)) == (cells, worth)


def test_castle_a_tile_can_be_taken_back_right_after_waking_up():
    castle = Building(throne="throne_utility_food", rooms=[Room("bakery", -1, 0)])
    assert castle.take_back().name == "bakery"
    assert castle.at((-1, 0)) is None


def test_castle_copies_do_not_share_a_floor_plan():
    castle = drawn("F T T")
    other = copy.deepcopy(castle)
    other.lay("sty", (2, 0))
    assert castle.at((2, 0)) is None
    assert castle.count("outdoor") == 0


def test_castle_legal_cells_belong_to_the_caller():
    castle = drawn("T T")
    legal_cells(castle, FOOD).clear()
    assert legal_cells(castle, FOOD)


def test_every_tile_has_traits():
    assert TRAITS.keys() == ROOMS.keys() | SPECIALS.keys() | THRONES.keys()
