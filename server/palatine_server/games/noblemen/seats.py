"""Seats: the order of the players, their estates and their points."""

from __future__ import annotations

from ..kit import Seat
from .board import Noblemen
from .estate import Estate
from .news import PointsScored


def clockwise_from(game: Noblemen, first: Seat) -> list[Seat]:
    """Return all seats in turn order, beginning with this one."""
    return [*game.seats[first:], *game.seats[:first]]


def left_of(game: Noblemen, seat: Seat) -> Seat:
    """Return the next seat in turn order."""
    return (seat + 1) % len(game.seats)


def opponents_of(game: Noblemen, seat: Seat) -> list[Seat]:
    return [other for other in game.seats if other != seat]


def estate_of(game: Noblemen, seat: Seat) -> Estate:
    return game.board.noblemen[seat].estate


def score(game: Noblemen, seat: Seat, points: int, rule: str) -> None:
    """Give points to a player and record the rule that gives them."""
    if points:
        nobleman = game.board.noblemen[seat]
        nobleman.vp += points
        nobleman.lines[rule] = nobleman.lines.get(rule, 0) + points
        game.tell(PointsScored(seat, points, rule))
