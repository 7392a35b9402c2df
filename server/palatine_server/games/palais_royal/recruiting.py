"""8. Action 4: recruiting nobles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

from ..kit import Choice, Seat, choice
from .actions import Recruit, Seals
from .board import Palais, is_open
from .catalog import BORDER, NOBLES, SPACES, Noble
from .gold import pay
from .news import NobleRecruited
from .nobles import receive
from .park import PAYING, border_sources, occupy_border, price
from .rooms import presence
from .servants import send_home

Ways = tuple[Seals, ...]
NO_WILD_SEALS: Ways = ((0, 0),)


# May be repeated (PR-RECRUIT-1), nobody must (PR-RECRUIT-9); any noble in the park may be chosen (PR-RECRUIT-8) whose
# cost can be met. Nobles that can be paid for in the same ways are offered together.
def recruitments(game: Palais, seat: Seat) -> Iterable[Choice]:
    if not is_open(game, "a4") or not presence(game, seat):
        return
    alike: dict[tuple[Ways, tuple[str, ...]], list[str]] = defaultdict(list)
    for (sources, ways), spaces in payable(game, seat).items():
        alike[ways, tuple(spaces)] += sources
    for (ways, spaces), border_from in alike.items():
        yield choice(Recruit, space=spaces, wild=ways, border_from=border_from)


def payable(game: Palais, seat: Seat) -> dict[tuple[tuple[str, ...], Ways], list[str]]:
    """The spaces whose nobles can be had, by where a border servant may come from and how many wild seals are used."""
    groups = border_sources(game, seat)
    spaces: dict[tuple[tuple[str, ...], Ways], list[str]] = defaultdict(list)
    for space, noble, ways in affordable(game, seat):
        for sources in groups if space in BORDER else groups[:1]:
            if left := ways_left(game, seat, sources[0], noble, ways):
                spaces[sources, left].append(space)
    return spaces


def affordable(game: Palais, seat: Seat) -> Iterator[tuple[str, Noble, Ways]]:
    """The nobles for whom there are enough seals and gold, in the order of the spaces."""
    park, gold = game.board.park, game.board.players[seat].gold
    for space in SPACES:
        if name := park.get(space):
            noble = NOBLES[name]
            if (ways := ways_to_pay(game, seat, noble)) and price(game, space, noble) <= gold:
                yield space, noble, ways


# Seals are servants of the King's Cabinet (turquoise) and of Madame's (violet), less the wild ones used; colours are not
# interchangeable, and no more wild seals may be used than are left or the tile demands in that colour (PR-RECRUIT-4).
def ways_to_pay(game: Palais, seat: Seat, noble: Noble) -> Ways:
    """How many wild seals can be used for this noble, turquoise and violet."""
    missing = seals_missing(game, seat, noble)
    left = game.board.turn.wild_seals
    if sum(missing) > left:
        return ()
    choices = product(range(missing[0], noble.turquoise + 1), range(missing[1], noble.violet + 1))
    return tuple(wild for wild in choices if sum(wild) <= left) if left else NO_WILD_SEALS


def seals_missing(game: Palais, seat: Seat, noble: Noble) -> Seals:
    rooms = game.board.rooms
    return max(0, noble.turquoise - rooms["king"][seat]), max(0, noble.violet - rooms["madame"][seat])


# A room that gives the border servant must hold one more than the payment takes from it (PR-BORDER-4).
def ways_left(game: Palais, seat: Seat, source: str, noble: Noble, ways: Ways) -> Ways:
    if source not in PAYING:
        return ways
    there = game.board.rooms[source][seat]
    return tuple(wild for wild in ways if there > servants_paid(noble, wild)[source])


# One servant of the office for the presence (PR-RECRUIT-2), the others for the seals (PR-RECRUIT-4).
def servants_paid(noble: Noble, wild: Seals) -> dict[str, int]:
    return {"office": 1, "king": noble.turquoise - wild[0], "madame": noble.violet - wild[1]}


# All of it is one step (PR-RECRUIT-5): pay gold (PR-RECRUIT-3) and servants, who are home before the border servant is
# taken (PR-RECRUIT-6); the tile goes to the player and its space becomes free (PR-RECRUIT-7).
def recruit(game: Palais, seat: Seat, answer: Recruit) -> None:
    board, space = game.board, answer.space
    noble = NOBLES[board.park[space]]
    gold = price(game, space, noble)
    pay(game, seat, gold)
    for room, servants in servants_paid(noble, answer.wild).items():
        send_home(game, seat, room, servants)
    board.turn.wild_seals -= sum(answer.wild)
    board.recruited = True
    del board.park[space]
    game.tell(NobleRecruited(seat, space, noble.id, gold))
    occupy_border(game, seat, space, answer.border_from)
    receive(game, seat, noble)
