"""Explanations of Noblemen: points, places, prestige and titles, taxes and land, prices.

An explanation uses only the pieces behind the viewer's own screen, never those behind another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from ..kit import Action, Phrase, Reason, Seat, Topic, places, read_explanation_text, total
from ..kit.explanations.reasons import at_least_nothing
from .actions import Build, Site
from .board import Noblemen
from .build import full_price, is_near, price
from .catalog import BRIBE, BUILDINGS, CARDS, FOLLIES, NAMED, REWARD, TITLES, Yield, name
from .decade import SCORED_BY, building_lines
from .end_game import LIAISON
from .levies import yields
from .masquerade import possible_titles, splendours
from .seats import estate_of
from .survey import surrounding_cells

WORDS = read_explanation_text(
    files(__package__).joinpath("explain.toml").read_text(encoding="utf-8"),
    {component: Phrase(name(component), name(component, "de")) for component in NAMED},
)


# Points

# NM-FINAL-5 Nothing but these gives points.
POINTS = {
    "NM-END-2": "points_of_queen",
    "NM-FOLLY-5": "points_of_follies",
    "NM-BRIBE-1": "points_of_bribes",
    "NM-CHURCH-3": "points_of_church",
    "NM-IDLE-1": "points_of_idleness",
    "NM-BALL-15": "points_of_titles",
    "NM-SCORE-2": "points_of_castles",
    "NM-SCORE-3": "points_of_palaces",
    "NM-SCORE-4": "points_of_chapels",
    "NM-CARD-12": "points_of_wedding",
    "NM-CARD-17": "points_of_favour",
    "NM-FINAL-2": "points_of_liaisons",
}


def score(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain the points of a player, by the rules that gave them."""
    given = game.board.noblemen[seat].lines.items()
    lines = [Reason(POINTS[rule], rule, points) for rule, points in given]
    own = liaisons(game, seat) if viewer == seat and not game.board.final else []
    return total("score", "NM-FINAL-3", [*lines, *own], seat=seat)


def liaisons(game: Noblemen, seat: Seat) -> list[Reason]:
    """Explain what the viewer's own liaisons will be worth; other players do not know of them before the end."""
    held = game.hands[seat].cards.count(LIAISON)
    points = {"count": held, "points": held * CARDS[LIAISON].effect.vp}
    return [Reason("liaisons_held", "NM-FINAL-2", None, points)] if held else []


def rank(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain how a player got their place."""
    rows = game.board.final
    because = list(places(rows, seat, ("score", "NM-FINAL-3"), ("money", "NM-FINAL-3"), shared="NM-FINAL-4"))
    return Reason("rank", "NM-FINAL-3", None, {"seat": seat, "rank": rows[seat].rank}, because)


def buildings(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain what a building scoring would give now, and which buildings would score nothing."""
    estate = estate_of(game, seat)
    open_sites = [cell for cell in estate.sites_of(*SCORED_BY) if not estate.is_enclosed(cell)]
    gaps = [(cell, sorted(surrounding_cells(cell) - estate.survey.cells.keys())) for cell in open_sites]
    passed = [Reason("not_enclosed", "NM-SCORE-5", None, {"cells": [cell], "gaps": gap}) for cell, gap in gaps]
    return total("buildings", "NM-SCORE-7", [*building_lines(estate), *passed], seat=seat)


# Prestige and titles


def prestige(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain the prestige that a player has at a ball before they spend anything."""
    return total("prestige", "NM-BALL-5", [*splendours(game, seat), *markers(game, viewer, seat)], seat=seat)


def titles(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain which titles a player could take with the counter on its present field."""
    reached = game.board.noblemen[seat].prestige
    possible = possible_titles(game, seat)
    because = [title_reason(game, title, title in possible) for title in TITLES]
    return Reason("titles", "NM-BALL-14", None, {"seat": seat, "prestige": reached}, because)


def title_reason(game: Noblemen, title: str, is_possible: bool) -> Reason:
    what = "title_possible" if is_possible else "title_impossible"
    needed, stock = TITLES[title].prestige, game.board.titles[title]
    return Reason(what, "NM-BALL-13", None, {"title": title, "needed": needed, "stock": stock})


# Taxes and land


def taxes(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain what collecting taxes gives a player, before they spend anything."""
    return levied(game, viewer, seat, "taxes", "NM-TAX-3", REWARD.tax)


def land(game: Noblemen, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain how many tiles gaining land gives a player, without markers; the bag may hold fewer (NM-BAG-3)."""
    return levied(game, viewer, seat, "land", "NM-LAND-3", REWARD.land)


def levied(game: Noblemen, viewer: Seat | None, seat: Seat, what: str, rule: str, terms: Yield) -> Reason:
    return total(what, rule, [*yields(game, seat, terms), *markers(game, viewer, seat)], seat=seat)


def markers(game: Noblemen, viewer: Seat | None, seat: Seat) -> list[Reason]:
    """Return the reason that names the viewer's own bribe markers, if they have any to add."""
    held = game.hands[seat].bribes if viewer == seat else 0
    return [Reason("markers_held", "NM-BRIBE-4", None, {"count": held})] if held else []


# Prices


def cost(game: Noblemen, viewer: Seat | None, building: str, seat: Seat) -> Reason:
    """Explain the price of a building for a player."""
    title, full = game.board.noblemen[seat].title, full_price(game, building)
    discount = TITLES[title].discount
    because = [
        Reason("folly_price", "NM-FOLLY-4", full) if building == "folly" else slot_price(game, building, full),
        Reason("discount", "NM-BUILD-4", -discount, {"title": title}),
        *at_least_nothing("never_below_zero", "NM-BUILD-6", full - discount),
        *money_held(game, viewer, seat),
    ]
    return Reason("price", "NM-BUILD-5", price(game, seat, building), {"building": building, "seat": seat}, because)


def slot_price(game: Noblemen, building: str, full: int) -> Reason:
    return Reason("slot_price", "NM-BUILD-3", full, {"building": building, "count": game.board.buildings[building]})


def money_held(game: Noblemen, viewer: Seat | None, seat: Seat) -> list[Reason]:
    return [Reason("money_held", "NM-MONEY-1", None, {"money": game.hands[seat].money})] if viewer == seat else []


def bribe(game: Noblemen, viewer: Seat | None) -> Reason:
    """Explain the price of a bribe marker, and how many a player can buy."""
    limits = Reason("bribe_limits", "NM-BRIBE-2", None, {"most": BRIBE.max_per_action, "board": game.board.bribes})
    own = [] if viewer is None else money_held(game, viewer, viewer)
    return Reason("bribe", "NM-BRIBE-1", BRIBE.price, {"points": BRIBE.vp}, [limits, *own])


# Topics


def every_seat(game: Noblemen, viewer: Seat | None) -> Mapping[str, Iterable[Any]]:
    return {"seat": game.seats}


def ranked_seats(game: Noblemen, viewer: Seat | None) -> Mapping[str, Iterable[Any]] | None:
    return {"seat": game.seats} if game.board.final else None


def seats_at_ball(game: Noblemen, viewer: Seat | None) -> Mapping[str, Iterable[Any]] | None:
    return {"seat": game.seats} if game.board.phase in {"ball", "title"} else None


# NM-BALL-2 While the titles are back in stock, no player builds and no player has a discount.
def priced(game: Noblemen, viewer: Seat | None) -> Mapping[str, Iterable[Any]] | None:
    board = game.board
    standing = [kind for kind in BUILDINGS if board.buildings[kind]] + (["folly"] if board.follies else [])
    titled = [seat for seat in game.seats if board.noblemen[seat].title]
    return {"building": standing, "seat": titled} if titled else None


TOPICS = {
    "score": Topic(every_seat, score),
    "rank": Topic(ranked_seats, rank),
    "buildings": Topic(every_seat, buildings),
    "prestige": Topic(every_seat, prestige),
    "titles": Topic(seats_at_ball, titles),
    "taxes": Topic(every_seat, taxes),
    "land": Topic(every_seat, land),
    "price": Topic(priced, cost),
    "bribe": Topic(lambda game, viewer: {}, bribe),
}


# Reasons behind refusals


def too_dear(game: Noblemen, seat: Seat, action: Build) -> Iterator[Reason]:
    yield cost(game, seat, action.kind, seat)


def areas_missing(game: Noblemen, seat: Seat, action: Build) -> Iterator[Reason]:
    estate = estate_of(game, seat)
    for area, needed in FOLLIES[action.folly or ""].needs.items():
        yield Reason(
            "area_needed", "NM-FOLLY-2", None, {"area": area, "needed": needed, "count": len(estate.areas(area))}
        )


def bribes_left(game: Noblemen, seat: Seat, action: Action) -> Iterator[Reason]:
    yield bribe(game, seat)


def in_church(game: Noblemen, seat: Seat, action: Action) -> Iterator[Reason]:
    for kind, count in game.board.church.items():
        yield Reason(
            "in_church", "NM-CHURCH-2", None, {"kind": kind, "count": count, "most": REWARD.church.max_per_kind}
        )


def near_by(game: Noblemen, seat: Seat, action: Site) -> Iterator[Reason]:
    for building in estate_of(game, seat).buildings:
        if is_near(action.cell, [building.cell]):
            yield Reason("stands_near", "NM-BUILD-8", None, {"building": building.kind, "cells": [building.cell]})


def out_of_reach(game: Noblemen, seat: Seat, action: Action) -> Iterator[Reason]:
    yield titles(game, seat, seat)


GROUNDS: Mapping[str, Callable[[Noblemen, Seat, Any], Iterable[Reason]]] = {
    "too_dear": too_dear,
    "areas_missing": areas_missing,
    "too_many_bribes": bribes_left,
    "church_full": in_church,
    "too_near": near_by,
    "title_out_of_reach": out_of_reach,
}
