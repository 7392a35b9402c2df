"""Explanations of Between Two Castles: castles, points, places, and the reasons for a refused placement.

Castles are public, so every viewer may see all of these explanations.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from ..kit import Phrase, Reason, Seat, Topic, places, read_explanation_text, total
from .actions import Place
from .board import Castle, Castles
from .castle import Building
from .catalog import NAMED, PATTERNS, name
from .floor_plan import below
from .scoring import LINES, TILES, Line, score_sheet, value
from .seats import castles_of, older

WORDS = read_explanation_text(
    files(__package__).joinpath("explain.toml").read_text(encoding="utf-8"),
    {component: Phrase(name(component), name(component, "de")) for component in NAMED},
)


# Points


def castle(game: Castles, viewer: Seat | None, castle: str) -> Reason:
    """Explain the value of the castle with this token: the lines of its score sheet, and their entries."""
    entries = score_sheet(by_token(game)[castle]).lines
    lines = (line_reason(line, [entry for entry in entries if entry.line == line]) for line in LINES)
    return total("castle", "B2C-FINAL-1", (line for line in lines if line.because), castle=castle)


def by_token(game: Castles) -> dict[str, Castle]:
    return {castle.token: castle for castle in game.board.castles}


def line_reason(line: str, entries: list[Line]) -> Reason:
    return total("line", "B2C-FINAL-1", map(entry_reason, entries), line=line)


def entry_reason(entry: Line) -> Reason:
    figures: dict[str, Any] = {"name": entry.name, "count": entry.count, "counted": entry.counted}
    if entry.name in TILES:
        tile = TILES[entry.name]
        figures |= {"cells": [entry.cell], "wanted": tile.target}
        return Reason(f"room_{PATTERNS[tile.pattern].kind}", entry.rule, entry.points, figures)
    return Reason(entry.line, entry.rule, entry.points, figures)


# B2C-FINAL-2 The castle of lower value is the score; the other one only breaks ties (B2C-FINAL-4).
def score(game: Castles, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain the points of a player, final or as if the game ended now."""
    lower, higher = sorted((game.board.castles[number] for number in castles_of(game, seat)), key=value)
    other = Reason("other_castle", "B2C-FINAL-4", None, {"castle": higher.token, "value": value(higher)})
    because = [castle(game, viewer, lower.token), other]
    return total("score" if game.board.final else "score_now", "B2C-FINAL-2", because, seat=seat)


def rank(game: Castles, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain how a player got their place."""
    rows = game.board.final
    steps = (("score", "B2C-FINAL-3"), ("better", "B2C-FINAL-4"), ("specials", "B2C-FINAL-5"))
    place = next(row.rank for row in rows if row.seat == seat)
    because = list(places(rows, seat, *steps, shared="B2C-FINAL-6"))
    return Reason("rank", "B2C-FINAL-7", None, {"seat": seat, "rank": place}, because)


TOPICS = {
    "score": Topic(lambda game, viewer: {"seat": game.board.circle}, score),
    "castle": Topic(lambda game, viewer: {"castle": by_token(game)}, castle),
    "rank": Topic(lambda game, viewer: {"seat": game.board.circle} if game.board.final else None, rank),
}


# Reasons behind refusals


def room_there(game: Castles, seat: Seat, action: Place) -> Iterator[Reason]:
    yield stands(game.board.castles[action.castle], action.cell, "B2C-PLACE-2")


def room_below(game: Castles, seat: Seat, action: Place) -> Iterator[Reason]:
    yield stands(game.board.castles[action.castle], below(action.cell), "B2C-TERM-11")


def stands(building: Building, cell: tuple[int, int], rule: str) -> Reason:
    return Reason("stands_there", rule, None, {"cells": [cell], "name": building.plan.cells[cell]})


def who_is_older(game: Castles, seat: Seat, action: Place) -> Iterator[Reason]:
    yield Reason("older", "B2C-TERM-13", None, {"seat": older(game, action.castle)})


GROUNDS: Mapping[str, Callable[[Castles, Seat, Any], Iterable[Reason]]] = {
    "occupied": room_there,
    "open_sky_below": room_below,
    "older_goes_first": who_is_older,
}
