"""8. Action 4: recruiting nobles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import product

from ..kit import Choice, Seat, choice
from .actions import Recruit, Seals
from .board import SUPPLY, Palais
from .catalog import BORDER, NOBLES, SPACES
from .gold import pay
from .news import NobleRecruited
from .nobles import receive
from .park import PAYING, border_sources, occupy_border, price
from .rooms import presence
from .servants import send_home

Ways = tuple[Seals, ...]  # how many wild seals are used, turquoise and violet
NO_SEALS: Seals = (0, 0)
SEALS: dict[str, Seals] = {noble.id: (noble.turquoise, noble.violet) for noble in NOBLES.values()}
DEMANDS = sorted(set(SEALS.values()))


# May be repeated (PR-RECRUIT-1), nobody must (PR-RECRUIT-9); any noble in the park may be chosen (PR-RECRUIT-8) whose
# cost can be met. Nobles that can be paid for in the same ways are offered together.
def recruitments(game: Palais, seat: Seat) -> Iterable[Choice]:
    if not presence(game, seat):
        return
    alike: dict[tuple[Ways, tuple[str, ...]], list[str]] = defaultdict(list)
    for (sources, ways), spaces in payable(game, seat).items():
        alike[ways, tuple(sorted(spaces))] += sources
    for (ways, together), border_from in alike.items():
        yield choice(Recruit, space=together, wild=ways, border_from=border_from)


def payable(game: Palais, seat: Seat) -> dict[tuple[tuple[str, ...], Ways], list[str]]:
    """The spaces whose nobles can be had, by where a border servant may come from and how many wild seals are used."""
    groups = border_sources(game, seat)
    spaces: dict[tuple[tuple[str, ...], Ways], list[str]] = defaultdict(list)
    for demand, there in affordable(game, seat).items():
        ways = ways_to_pay(game, seat, demand)
        for sources in groups:
            if left := ways_left(game, seat, sources[0], demand, ways):
                spaces[sources, left] += there if SUPPLY in sources else [space for space in there if space in BORDER]
    return {group: there for group, there in spaces.items() if there}


def affordable(game: Palais, seat: Seat) -> dict[Seals, list[str]]:
    """The spaces of the nobles for whom there are enough seals and gold, by the seals they demand."""
    park, gold, wild = game.board.park, game.board.players[seat].gold, game.board.turn.wild_seals
    spaces: dict[Seals, list[str]] = {
        demand: [] for demand in DEMANDS if sum(seals_missing(game, seat, demand)) <= wild
    }
    for space in SPACES if spaces else ():
        if (noble := park.get(space)) and SEALS[noble] in spaces and price(game, space, NOBLES[noble]) <= gold:
            spaces[SEALS[noble]].append(space)
    return spaces


# Seals are servants of the King's Cabinet (turquoise) and of Madame's (violet), less the wild ones used. Colours are
# not interchangeable; no more wild seals may be used than are left or the tile demands in that colour (PR-RECRUIT-4).
def ways_to_pay(game: Palais, seat: Seat, demand: Seals) -> Ways:
    """How many wild seals can be used for these seals."""
    missing, left = seals_missing(game, seat, demand), game.board.turn.wild_seals
    if not left:
        return () if any(missing) else (NO_SEALS,)
    choices = product(range(missing[0], demand[0] + 1), range(missing[1], demand[1] + 1))
    return tuple(wild for wild in choices if sum(wild) <= left)


def seals_missing(game: Palais, seat: Seat, demand: Seals) -> Seals:
    rooms = game.board.rooms
    return max(0, demand[0] - rooms["king"][seat]), max(0, demand[1] - rooms["madame"][seat])


# A room that gives the border servant must hold one more than the payment takes from it (PR-BORDER-4).
def ways_left(game: Palais, seat: Seat, source: str, demand: Seals, ways: Ways) -> Ways:
    if source not in PAYING:
        return ways
    there = game.board.rooms[source][seat]
    return tuple(wild for wild in ways if there > servants_paid(demand, wild)[source])


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
