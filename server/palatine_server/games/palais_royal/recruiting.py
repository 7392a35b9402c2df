"""8. Action 4: recruiting nobles."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import product

from ..kit import Choice, Seat, choice
from .actions import Recruit, Seals
from .board import SUPPLY, Palais, is_open
from .catalog import BORDER, NOBLES, SPACES, Noble
from .gold import pay
from .news import NobleRecruited
from .nobles import receive
from .park import border_sources, occupy_border, price
from .rooms import presence
from .servants import send_home

NO_SEALS: Seals = (0, 0)


# May be repeated (PR-RECRUIT-1), nobody must (PR-RECRUIT-9); any noble in the park may be chosen (PR-RECRUIT-8) whose
# cost can be met. Nobles that are paid for in the same ways are offered together.
def recruitments(game: Palais, seat: Seat) -> Iterable[Choice]:
    if not is_open(game, "a4") or not presence(game, seat):
        return
    together: dict[tuple[Seals, tuple[str, ...]], list[str]] = defaultdict(list)
    for space, noble in affordable(game, seat):
        for wild in ways_to_pay(game, seat, noble):
            together[wild, sources(game, seat, space, noble, wild)].append(space)
    for (wild, border_from), spaces in together.items():
        yield choice(Recruit, space=spaces, wild=[wild], border_from=border_from)


def affordable(game: Palais, seat: Seat) -> Iterator[tuple[str, Noble]]:
    """The nobles for whom there is enough gold, in the order of the spaces."""
    park, gold = game.board.park, game.board.players[seat].gold
    for space in SPACES:
        if (name := park.get(space)) and price(game, space, NOBLES[name]) <= gold:
            yield space, NOBLES[name]


# Seals are servants of the King's Cabinet (turquoise) and of Madame's (violet), less the wild ones used; colours are not
# interchangeable, and no more wild seals may be used than are left or the tile demands in that colour (PR-RECRUIT-4).
def ways_to_pay(game: Palais, seat: Seat, noble: Noble) -> list[Seals]:
    """How many wild seals can be used for this noble, turquoise and violet."""
    turquoise, violet = seals_missing(game, seat, noble)
    left = game.board.turn.wild_seals
    if not left:
        return [] if turquoise or violet else [NO_SEALS]
    choices = product(range(turquoise, noble.turquoise + 1), range(violet, noble.violet + 1))
    return [wild for wild in choices if sum(wild) <= left]


def seals_missing(game: Palais, seat: Seat, noble: Noble) -> Seals:
    rooms = game.board.rooms
    return max(0, noble.turquoise - rooms["king"][seat]), max(0, noble.violet - rooms["madame"][seat])


def sources(game: Palais, seat: Seat, space: str, noble: Noble, wild: Seals) -> tuple[str, ...]:
    return tuple(border_sources(game, seat, servants_paid(noble, wild))) if space in BORDER else (SUPPLY,)


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
