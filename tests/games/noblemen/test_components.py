"""1. Components."""

from importlib.resources import files

import pytest
from games.noblemen.situations import begun
from rules import rule

from palatine_server.games.noblemen import catalog
from palatine_server.games.noblemen.catalog import (
    BRIBE,
    BUILDINGS,
    CARDS,
    CATALOG,
    FOLLIES,
    KNIGHT,
    NAMED,
    TILES,
    TITLES,
    TRACK,
    CatalogError,
    name,
)

TEXT = files("palatine_server.games.noblemen").joinpath("catalog.toml").read_text(encoding="utf-8")


@rule("NM-COMP-1")
def test_tiles_202_of_four_kinds():
    assert {kind: tile.count for kind, tile in TILES.items()} == {
        "field": 62,
        "fountain": 44,
        "grove": 48,
        "meadow": 48,
    }
    assert sum(tile.count for tile in TILES.values()) == 202


@rule("NM-COMP-2")
def test_buildings_15_castles_15_chapels_12_palaces_and_4_different_follies():
    assert {kind: building.count for kind, building in BUILDINGS.items()} == {"castle": 15, "chapel": 15, "palace": 12}
    needs = [tuple(piece.needs.items()) for piece in FOLLIES.values()]
    assert len(needs) == len(set(needs)) == 4


@rule("NM-COMP-3")
def test_titles_12_of_five_ranks():
    assert {title.id: title.count["5"] for title in TITLES.values()} == {
        "duke": 1,
        "marquess": 1,
        "earl": 2,
        "viscount": 3,
        "baron": 5,
    }


@rule("NM-COMP-4")
def test_cards_35_of_ten_kinds():
    counts = {"inheritance": 3, "intrigue": 3, "vicars_favour": 3, "whitehall": 2}
    assert {card.id: card.count for card in CARDS.values()} == dict.fromkeys(CARDS, 4) | counts
    assert (len(CARDS), sum(card.count for card in CARDS.values())) == (10, 35)


@rule("NM-COMP-5")
def test_markers_20_bribes_and_two_knights_and_one_of_each_counter_per_player():
    markers = {marker.id: marker.count for marker in CATALOG.marker}
    assert (BRIBE.count, KNIGHT.per_player, len(CATALOG.color)) == (20, 2, 5)
    assert {markers[each] for each in ("tax_marker", "land_marker", "vp_counter", "prestige_counter", "screen")} == {5}


@rule("NM-COMP-6")
def test_markers_one_queen_round_marker_decade_marker_and_bag_and_82_coins():
    markers = {marker.id: marker.count for marker in CATALOG.marker}
    assert (markers["round_marker"], markers["decade_marker"], markers["bag"]) == (1, 1, 1)
    assert [(coin.count, coin.value) for coin in CATALOG.money.coins] == [(40, 1), (26, 5), (16, 10)]
    assert sum(coin.count * coin.value for coin in CATALOG.money.coins) == 330
    assert begun().board.queen in range(4)


def test_names_everything_has_an_english_and_a_german_one():
    assert {*TILES, *BUILDINGS, *FOLLIES, *TITLES, *CARDS, "folly", "queen", "knight", "bribe"} <= NAMED.keys()
    assert {f"{field}_field" for field in TRACK} <= NAMED.keys()
    for component in NAMED:
        assert name(component)
        assert name(component, "de")


def test_names_are_german_where_wanted():
    assert (name("grove", "de"), name("grove")) == ("Hain", "Grove")
    assert (name("vicars_favour", "de"), name("ball_field", "de")) == ("Gunst des Vikars", "Maskenball")
    assert name("action_G", "de") == "Müßiggang"


PRINTED = {
    "action_A": "Anwesen vergrößern",
    "action_B": "Gebäude bauen",
    "action_C": "Königsfamilie bestechen",
    "action_D": "Steuern eintreiben",
    "action_E": "Land gewinnen",
    "action_F": "Der Kirche stiften",
    "action_G": "Müßiggang",
    "tax_marker": "Steuermarker",
    "land_marker": "Landgewinnungsmarker",
    "vp_counter": "Siegpunkte",
    "bag": "Beutel",
    "overview_card": "Übersichtskarte",
    "start_field": "Startfeld",
    "scoring_field": "Gebäudewertung",
}
OUR_OWN = {"Blau", "Braun", "Gelb", "Rot", "Schwarz", "Leeres Feld", "Schloss"} | {
    f"Folly {whose}" for whose in ("der Wälder", "der Gutshöfe", "der Gärten", "aller Ländereien")
}


def test_names_are_those_of_the_rulebook_and_only_what_it_does_not_name_is_our_own():
    assert {component: name(component, "de") for component in PRINTED} == PRINTED
    everything = [*NAMED.values(), *CATALOG.color]
    assert {named.name_de for named in everything if named.name_de_source == "translated"} == OUR_OWN


def test_cards_say_in_both_languages_what_they_do():
    assert all(card.text_en.endswith(".") and card.text_de.endswith(".") for card in CARDS.values())


def test_sources_reconstructed_figures_say_so_and_why():
    assert {building.prices_source for building in BUILDINGS.values()} == {"reconstructed"}
    assert all(building.why for building in BUILDINGS.values())
    assert (CATALOG.round_track.source, CATALOG.meta.print.source) == ("reconstructed", "reconstructed")
    assert CATALOG.round_track.why
    assert CATALOG.meta.print.why


# A wrong catalog is refused with the name of the entry and what to do


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ("count = 62", "count = 61", "tile: sum is 201, expected 202. Correct the entries or [meta.counts]"),
        ("count = 62", 'count = "many"', "tile 'field': Expected `int`, got `str` - at `$.tile[0].count`"),
        ('area = "manor"', 'area = "farm"', "tile 'field': area 'farm' is unknown. Use one of: manor, garden, forest"),
        ('id = "grove"', 'id = "field"', "'field': this id appears 2 times. Give each component its own id"),
        (
            "manor = { money = 2 }\nforest",
            "forest",
            "knight: areas rewarded is ['forest', 'garden'], expected ['forest",
        ),
        ("needs = { forest = 2 }", "needs = { wood = 2 }", "folly 'forests': area 'wood' is unknown"),
        ("prices = [4, 5, 6, 7, 8]", "prices = [4, 5, 6, 7]", "building 'castle': number of prices is 4, expected 5"),
        ("prices = [6, 7, 8, 9]", "prices = [6, 8, 7, 9]", "building 'palace': prices do not rise. Write the cheapest"),
        ("vp = [12, 10, 8, 6]", "vp = [12, 10, 8]", "folly: number of vp is 3, expected 4"),
        ("count = { 3 = 1, 4 = 1, 5 = 2 }", "count = { 3 = 1, 5 = 2 }", "title 'earl': table sizes is ['3', '5'], exp"),
        ("prestige = 10", "prestige = 15", "title: prestige does not fall to 0. Write the highest title first"),
        ("start = [10, 11, 12, 13, 14]", "start = [10, 11]", "money: number of seats is 2, expected 5"),
        ("grove = 3, meadow = 3 }", "grove = 3, meadow = 2 }", "setup: beginner_choice is 11, expected 12"),
        ('tile = "grove"', 'tile = "wood"', "reward: tile 'wood' is unknown. Use one of: field, fountain, grove, mea"),
        ("[players.3]", "[players.2]", "players: table sizes is ['2', '4', '5'], expected ['3', '4', '5']"),
        ("hand_tiles = 12", "hand_tile = 12", "Object contains unknown field `hand_tile`"),
    ],
)
def test_catalog_a_wrong_entry_is_named(right, wrong, complaint):
    assert right in TEXT
    with pytest.raises(CatalogError) as error:
        catalog.read(TEXT.replace(right, wrong, 1))
    assert complaint in str(error.value)
