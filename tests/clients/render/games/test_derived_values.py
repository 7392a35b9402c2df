"""Derived values: what renderings compute from the document agrees with the server's rules over random games."""

import tomllib
from collections.abc import Iterator
from typing import Any

import pytest

from palatine_client.render.games.noblemen import derived_values as noblemen_values
from palatine_client.render.games.noblemen.estate_model import read_land
from palatine_client.render.games.noblemen.names import NoblemenNames
from palatine_client.render.games.palais_royal import derived_values
from palatine_client.render.games.palais_royal.names import PalaisRoyalNames
from palatine_server.games.kit import Game, plain
from palatine_server.games.noblemen import NOBLEMEN
from palatine_server.games.noblemen.board import Noblemen
from palatine_server.games.noblemen.catalog import REWARD
from palatine_server.games.noblemen.decade import building_points
from palatine_server.games.noblemen.levies import yield_of
from palatine_server.games.noblemen.masquerade import base_prestige
from palatine_server.games.palais_royal import PALAIS_ROYAL
from palatine_server.games.palais_royal.back_entrance import cards_are_left, cards_to_draw
from palatine_server.games.palais_royal.board import Palais
from palatine_server.games.palais_royal.catalog import NEIGHBOURS, NOBLES, ROOMS, ROWS
from palatine_server.games.palais_royal.majority import majority_in
from palatine_server.games.palais_royal.park import price
from palatine_server.games.palais_royal.rooms import gate_left, income, moves_left, seals_left
from palatine_server.games.palais_royal.scoring import strengths_in
from palatine_server.simulation import create_draw, derive_seed, next_seat

EVERY = 5  # actions between two comparisons
MOST_ACTIONS = 3_000


def catalog_of(game: Game) -> dict[str, Any]:
    return tomllib.loads((game.folder / "catalog.toml").read_text(encoding="utf-8"))


def positions(game: Game, players: int, policy: str, **options: Any) -> Iterator[Any]:
    """A game that bots of one policy play, at every fifth action and at its end."""
    seed = derive_seed(players, 18)
    play, draw = game.begin(players, seed, options), create_draw(seed)
    for number in range(MOST_ACTIONS):
        if number % EVERY == 0 or play.is_over:
            yield play
        if play.is_over:
            return
        seat = next_seat(play, draw)
        play.act(seat, game.policies[policy](play, seat, draw))
        play.told.clear()


# Palais Royal

palais_games = pytest.mark.parametrize("policy", ["greedy", "random"])
palais_tables = pytest.mark.parametrize("players", PALAIS_ROYAL.players)


def palais(players: int, policy: str) -> Iterator[tuple[Palais, dict[str, Any], PalaisRoyalNames]]:
    names = PalaisRoyalNames(catalog_of(PALAIS_ROYAL), "en", None, players)
    for play in positions(PALAIS_ROYAL, players, policy):
        yield play, plain(play.board), names


@palais_tables
@palais_games
def test_palais_royal_majorities_prices_and_strengths_are_those_of_the_rules(players: int, policy: str) -> None:
    for play, board, names in palais(players, policy):
        for room in ROOMS:
            for seat in range(players):
                assert derived_values.has_majority(board, seat, room, names) == majority_in(play, seat, room)
        for space, noble in play.board.park.items():
            assert derived_values.find_price(board, space, names) == price(play, space, NOBLES[noble])
        for row in names.park["border_rows"]:
            assert derived_values.count_strengths(board, row) == strengths_in(play, ROWS[row["id"]])


@palais_tables
@palais_games
def test_palais_royal_allowances_are_those_of_the_rules(players: int, policy: str) -> None:
    for play, board, names in palais(players, policy):
        seat, turn = play.board.turn.seat, play.board.turn
        drawable = 0 if turn.drawn or not cards_are_left(play) else cards_to_draw(play, seat)
        assert derived_values.count_cards_left(board, names) == drawable
        assert derived_values.count_recruitments_left(board) == play.board.rooms["office"][seat]
        if turn.phase in {"pre", "a1", "a2", "a3"}:
            assert derived_values.count_gate_left(board, names) == gate_left(play, seat)
            assert derived_values.count_moves_left(board, names) == moves_left(play, seat)
            assert derived_values.count_seals_left(board, names) == seals_left(play, seat)
            assert derived_values.count_gold_left(board, names) == (0 if turn.gold_taken else income(play, seat))


def test_palais_royal_neighbours_are_those_of_the_rules() -> None:
    names = PalaisRoyalNames(catalog_of(PALAIS_ROYAL), "en", None, 2)
    assert {space: {*derived_values.list_neighbours(space, names)} for space in NEIGHBOURS} == NEIGHBOURS
    assert [*derived_values.list_spaces(names)] == sorted(NEIGHBOURS, key=lambda space: (space[1:], space[0]))


# Noblemen


@pytest.mark.parametrize("policy", ["greedy", "random"])
@pytest.mark.parametrize(
    ("players", "options"), [(3, {}), (4, {"title_choice": "free"}), (5, {}), (4, {"area_model": "overlap"})]
)
def test_noblemen_areas_yields_and_points_are_those_of_the_rules(
    players: int, options: dict[str, Any], policy: str
) -> None:
    names = NoblemenNames(catalog_of(NOBLEMEN), "en", None, players)
    for play in positions(NOBLEMEN, players, policy, **options):
        board = plain(play.board)
        for seat in range(players):
            assert_estate_agrees(play, board, seat, names)


def assert_estate_agrees(play: Noblemen, board: dict[str, Any], seat: int, names: NoblemenNames) -> None:
    estate, land = play.board.noblemen[seat].estate, read_land(board["noblemen"][seat]["estate"])
    assert land.areas == estate.survey.areas
    assert noblemen_values.count_yield(board, seat, "tax", names) == yield_of(play, seat, REWARD.tax)
    assert noblemen_values.count_yield(board, seat, "land", names) == yield_of(play, seat, REWARD.land)
    assert noblemen_values.count_yield(board, seat, "prestige", names) == base_prestige(play, seat)
    points = (noblemen_values.count_building_points(land, cell, names) for cell in land.buildings)
    assert sum(points) == building_points(estate)
