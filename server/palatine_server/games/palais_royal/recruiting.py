"""8. Action 4: recruiting nobles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from ..kit import Choice, Seat, choice
from .actions import Recruit, Seals
from .board import SUPPLY, Palais
from .catalog import BORDER, NOBLES
from .gold import pay
from .news import NobleRecruited
from .nobles import receive
from .park import PAYING, border_sources, occupy_border, price, price_in
from .rooms import presence
from .servants import send_home

Wild = tuple[Seals, ...]  # how many wild seals may be used, turquoise and violet
Rooms = tuple[str, ...]  # or the supply
Spaces = tuple[str, ...]
NO_SEALS: Seals = (0, 0)
SEALS: Final[dict[str, Seals]] = {noble.id: (noble.turquoise, noble.violet) for noble in NOBLES.values()}
DEMANDS: Final = sorted(set(SEALS.values()))


class Terms(NamedTuple):
    """The terms on which nobles can be recruited; every combination of the three fields is possible."""

    spaces: Sequence[str]
    wild: Wild
    border_from: Rooms  # the possible sources of the border servant


# The player may recruit repeatedly (PR-RECRUIT-1) or not at all (PR-RECRUIT-9): any noble in the park (PR-RECRUIT-8)
# for whom they can take the four printed steps: a servant of the office, gold, turquoise seals and violet seals.
# Nobles with the same terms are offered together.
def recruitments(game: Palais, seat: Seat) -> Iterable[Choice]:
    if not presence(game, seat):  # a servant of the office (PR-RECRUIT-2)
        return
    for terms in join_sources(join_spaces(all_terms(game, seat))):
        yield choice(Recruit, space=terms.spaces, wild=terms.wild, border_from=terms.border_from)


def all_terms(game: Palais, seat: Seat) -> Iterator[Terms]:
    """Yield the terms of all nobles that the player can pay for, one for each demand of seals and border source."""
    sources = border_sources(game, seat)
    for demand, spaces in payable(game, seat).items():
        at_border = [space for space in spaces if space in BORDER]  # others need no border servant
        wild = wild_seals(game, seat, demand)
        for border_from in sources:
            if usable := sparing_servant(game, seat, border_from[0], demand, wild):
                yield Terms(spaces if SUPPLY in border_from else at_border, usable, border_from)


# Gold (PR-RECRUIT-3), and seals: turquoise ones are servants of the King's Cabinet, violet ones servants of Madame's;
# colours are not interchangeable, but wild seals stand in for those that are missing (PR-RECRUIT-4).
def payable(game: Palais, seat: Seat) -> dict[Seals, list[str]]:
    """Return the spaces of the nobles for whom the player has the gold and the seals, by the seals that they demand."""
    board = game.board
    park, gold, wild = board.park, board.players[seat].gold, board.turn.wild_seals
    turquoise, violet = board.rooms["king"][seat] + wild, board.rooms["madame"][seat] + wild
    spaces: dict[Seals, list[str]] = {
        demand: []
        for demand in DEMANDS
        if demand[0] <= turquoise and demand[1] <= violet and sum(seals_missing(game, seat, demand)) <= wild
    }
    for space, noble in park.items() if spaces else ():
        alike = spaces.get(SEALS[noble])
        if alike is not None and price_in(park, space, NOBLES[noble]) <= gold:
            alike.append(space)
    return spaces


def seals_missing(game: Palais, seat: Seat, demand: Seals) -> Seals:
    """Return how many seals of each colour the servants in the two rooms do not provide."""
    rooms = game.board.rooms
    return max(0, demand[0] - rooms["king"][seat]), max(0, demand[1] - rooms["madame"][seat])


# At least as many as are missing; no more than are left, or than the tile demands in that colour (PR-RECRUIT-4).
def wild_seals(game: Palais, seat: Seat, demand: Seals) -> Wild:
    """Return the numbers of wild seals, turquoise and violet, that the player can use for a demand they can meet."""
    left = game.board.turn.wild_seals
    if not left:
        return (NO_SEALS,)
    turquoise, violet = seals_missing(game, seat, demand)
    choices = product(range(turquoise, demand[0] + 1), range(violet, demand[1] + 1))
    return tuple(wild for wild in choices if sum(wild) <= left)


# A room that gives the border servant must hold one more than the payment takes from it (PR-BORDER-4).
def sparing_servant(game: Palais, seat: Seat, source: str, demand: Seals, wild: Wild) -> Wild:
    """Return those of the wild seals with which a border servant can still come from this source."""
    if source not in PAYING:
        return wild
    there = game.board.rooms[source][seat]
    return tuple(used for used in wild if there > servants_paid(demand, used)[source])


def join_spaces(all_terms: Iterable[Terms]) -> Iterator[Terms]:
    """Combine terms that differ only in the spaces."""
    joined: dict[tuple[Wild, Rooms], list[str]] = defaultdict(list)
    for terms in all_terms:
        joined[terms.wild, terms.border_from] += terms.spaces
    return (Terms(tuple(sorted(spaces)), wild, border_from) for (wild, border_from), spaces in joined.items() if spaces)


def join_sources(all_terms: Iterable[Terms]) -> Iterator[Terms]:
    """Combine terms that differ only in the border source."""
    joined: dict[tuple[Spaces, Wild], list[str]] = defaultdict(list)
    for terms in all_terms:
        joined[tuple(terms.spaces), terms.wild] += terms.border_from
    return (Terms(spaces, wild, tuple(border_from)) for (spaces, wild), border_from in joined.items())


# One servant of the office for the presence (PR-RECRUIT-2), the others for the seals (PR-RECRUIT-4).
def servants_paid(demand: Seals, wild: Seals) -> dict[str, int]:
    return {"office": 1, "king": demand[0] - wild[0], "madame": demand[1] - wild[1]}


# All of it is one step (PR-RECRUIT-5): pay gold (PR-RECRUIT-3) and servants, who are home before the border servant is
# taken (PR-RECRUIT-6); the tile goes to the player and its space becomes free (PR-RECRUIT-7).
def recruit(game: Palais, seat: Seat, answer: Recruit) -> None:
    board, space = game.board, answer.space
    noble = NOBLES[board.park[space]]
    gold = price(game, space, noble)
    pay(game, seat, gold)
    for room, servants in servants_paid(SEALS[noble.id], answer.wild).items():
        send_home(game, seat, room, servants)
    board.turn.wild_seals -= sum(answer.wild)
    board.recruited = True
    del board.park[space]
    game.tell(NobleRecruited(seat, space, noble.id, gold))
    occupy_border(game, seat, space, answer.border_from)
    receive(game, seat, noble)
