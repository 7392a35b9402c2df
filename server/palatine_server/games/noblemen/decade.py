"""15. Building scoring and new decade."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit import Reason, Seat, step, sum_of
from .bag import put_in
from .board import Noblemen
from .card_offer import deal_offer
from .catalog import BUILDINGS, META, market
from .estate import Cell, Estate
from .news import BuildingsRefilled, BuildingsScored, DecadeBegan
from .screen import no_tiles
from .seats import clockwise_from, score
from .survey import surrounding_cells
from .track import move_marker

SCORED_BY = {"castle": "NM-SCORE-2", "palace": "NM-SCORE-3"}


# NM-SCORE-7 Every player's estate, in every decade again. NM-DECADE-1 After the last one no new decade is prepared.
def score_buildings(game: Noblemen) -> None:
    game.tell(BuildingsScored([building_points(nobleman.estate) for nobleman in game.board.noblemen]))
    for seat in game.seats:
        score_estate(game, seat)
    if game.board.decade < META.decades:
        prepare_decade(game)


def score_estate(game: Noblemen, seat: Seat) -> None:
    for line in building_lines(game.board.noblemen[seat].estate):
        score(game, seat, line.amount or 0, line.rule)


def building_points(estate: Estate) -> int:
    """Return the points of an estate's buildings; chapels and follies score nothing by themselves (NM-SCORE-6)."""
    return sum_of(building_lines(estate))


# NM-SCORE-2, NM-SCORE-3, NM-SCORE-4 Enclosed castles 3, palaces 5; 1 or 2 more for each chapel beside them.
def building_lines(estate: Estate) -> Iterator[Reason]:
    for kind, rule in SCORED_BY.items():
        terms, enclosed = BUILDINGS[kind], enclosed_sites(estate, kind)
        chapels = chapels_beside(estate, enclosed)
        yield Reason("enclosed", rule, terms.enclosed * len(enclosed), {"building": kind, "cells": enclosed})
        yield Reason("chapels", "NM-SCORE-4", terms.per_chapel * chapels, {"building": kind, "count": chapels})


# NM-SCORE-5 A building that is not enclosed scores nothing.
def enclosed_sites(estate: Estate, kind: str) -> list[Cell]:
    return [cell for cell in estate.sites_of(kind) if estate.is_enclosed(cell)]


# NM-SCORE-4, NM-AMB-23 A chapel counts for every building it touches.
def chapels_beside(estate: Estate, sites: list[Cell]) -> int:
    chapels = estate.sites_of("chapel")
    return sum(chapel in surrounding_cells(cell) for cell in sites for chapel in chapels)


# NM-DECADE-1 In this order: buildings, church, markers, cards, decade, round.
def prepare_decade(game: Noblemen) -> None:
    offers = (step(deal_offer, to=seat, phase="decade_cards") for seat in clockwise_from(game, game.board.queen))
    game.plan(step(refill_buildings), step(empty_church), step(return_markers), *offers, step(begin_decade))


# NM-DECADE-2 The board is filled up to its first numbers. NM-DECADE-3 If the reserve is too small, all of it is placed.
def refill_buildings(game: Noblemen) -> None:
    board, added = game.board, {}
    for kind, number in market(len(game.seats)).items():
        added[kind] = min(number - board.buildings[kind], board.reserve[kind])
        board.buildings[kind] += added[kind]
        board.reserve[kind] -= added[kind]
    game.tell(BuildingsRefilled(added))


# NM-DECADE-4 The tiles of the church go into the bag, and it takes three of each again.
def empty_church(game: Noblemen) -> None:
    put_in(game, [kind for kind, count in game.board.church.items() for _ in range(count)])
    game.board.church = no_tiles()


# NM-DECADE-5 Tax and land markers are unused again.
def return_markers(game: Noblemen) -> None:
    for nobleman in game.board.noblemen:
        nobleman.taxed = nobleman.landed = False


# NM-DECADE-7, NM-DECADE-8 The decade begins, with the round marker back on the start field; nothing else changes.
def begin_decade(game: Noblemen) -> None:
    game.board.decade += 1
    move_marker(game)
    game.tell(DecadeBegan(game.board.decade))
