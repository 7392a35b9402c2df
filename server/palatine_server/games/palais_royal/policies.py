"""How a bot plays that plans one turn: which nobles can be had now, and whom to send where for the next ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from msgspec import Struct

from ..kit import Action, Choice, Seat
from .actions import AddSealServant, Draw, EndTurn, Keep, Move, Place, PlayPrivilege, Recruit, Reinforce, TakeGold
from .board import SUPPLY, Palais, is_open
from .catalog import BORDER, NOBLES, PRIVILEGES, ROWS, START, Noble
from .park import price
from .rooms import income, moves_left, next_rooms
from .scoring import row_points, strengths_in

Servants = Counter[str]  # by room

FIRST_ROOMS = ["mint", "parade_ground", "mint", "office", "stairway"]  # where the five free servants go
WORK = ["stairway", "parade_ground", "stairway", "mint", *["parade_ground", "stairway", "mint"] * 2]
ENOUGH_GOLD = 12
NEXT_WISHES = ["office", "king", "madame", "king", "madame", "mint", "office", "king", "madame", "back_entrance"]
LAST_WISHES = ["back_entrance"] * 6
WORTH_OF_BENEFIT = {"gate": 3, "moves": 3, "diagonal": 1, "gold": 3, "seal_turquoise": 3, "seal_violet": 3, "cards": 1}
GOOD_CARDS = ["points4", "gold4", "points2"]


def greedy(game: Palais, seat: Seat, below: Callable[[int], int]) -> Action:
    """The first good idea that is on offer."""
    turn = game.board.turn
    if turn.phase == "setup":
        return Place(FIRST_ROOMS[START.free_servants - turn.to_place])
    if turn.pending is not None:
        return Keep(cards_to_keep(game, seat))
    offered = {choice.do: choice for choice in game.offer(seat)}
    return next(ideas(game, seat, offered))


# What to do, in the order of the turn


def ideas(game: Palais, seat: Seat, offered: dict[str, Choice]) -> Iterator[Action]:
    cards = values(offered, "play_privilege", "kind")
    yield from (PlayPrivilege(kind) for kind in cards if PRIVILEGES[kind].effect.gold)
    if SUPPLY in values(offered, "reinforce", "source"):
        yield Reinforce(SUPPLY)
    if "move" in offered:
        yield from best_move(game, seat)
    if "take_gold" in offered:
        yield TakeGold()
    if SUPPLY in values(offered, "add_seal_servant", "source"):
        yield AddSealServant(values(offered, "add_seal_servant", "room")[0], SUPPLY)
    if "recruit" in offered:
        yield from best_recruitment(game, seat)
    if "draw" in offered:
        yield Draw(max(values(offered, "draw", "count")))
    if game.board.final_round:
        yield from (PlayPrivilege(kind) for kind in cards if PRIVILEGES[kind].effect.points)
    yield EndTurn()


def values(offered: dict[str, Choice], verb: str, field: str) -> list[Any]:
    return list(offered[verb].fields[field]) if verb in offered else []


# Nobles


class Errand(Struct, frozen=True):
    """A servant sent from one room to another, and how many moves that takes."""

    source: str
    room: str
    moves: int


class Plan(Struct):
    """What the seat has, and what it wants of it for the nobles it goes for."""

    standing: Servants
    working: Servants  # who stays where he is
    distances: dict[str, dict[str, int]]
    moves: int
    gold: int
    wanted: Servants
    nobles: list[str]  # their spaces


def plan_of(game: Palais, seat: Seat) -> Plan:
    """The nobles to go for in this turn, one after the other, as long as servants, moves and gold suffice."""
    plan = resources(game, seat)
    while space := best_noble(game, seat, plan):
        noble = NOBLES[game.board.park[space]]
        plan.wanted = plan.wanted + cost(noble)
        plan.gold -= price(game, space, noble)
        plan.nobles.append(space)
    return plan


def resources(game: Palais, seat: Seat) -> Plan:
    board, turn = game.board, game.board.turn
    standing = Servants({room: servants[seat] for room, servants in board.rooms.items()})
    may_move = is_open(game, "a2")
    gold = board.players[seat].gold + (income(game, seat) if is_open(game, "a3") and not turn.gold_taken else 0)
    return Plan(
        standing=standing,
        working=workers(game, seat, standing, gold),
        distances=distances(game, seat),
        moves=moves_left(game, seat) if may_move else 0,
        gold=gold,
        wanted=Servants(),
        nobles=[],
    )


# Half of the servants work for the next turns; in the final round nobody needs to come or move again.
def workers(game: Palais, seat: Seat, standing: Servants, gold: int) -> Servants:
    if game.board.final_round:
        return Servants({"mint": standing["mint"]})
    hired = (standing.total() + game.board.players[seat].supply) // 2
    return Servants(room for room in WORK[:hired] if room != "mint" or gold < ENOUGH_GOLD)


def distances(game: Palais, seat: Seat) -> dict[str, dict[str, int]]:
    """How many moves it takes from each room to each."""
    beside = next_rooms(game, seat)
    return {room: distances_from(room, beside) for room in beside}


def distances_from(room: str, beside: Mapping[str, list[str]]) -> dict[str, int]:
    found, edge = {room: 0}, [room]
    while edge:
        here = edge.pop(0)
        new = [there for there in beside[here] if there not in found]
        found |= dict.fromkeys(new, found[here] + 1)
        edge += new
    return found


def cost(noble: Noble) -> Servants:
    return Servants({"office": 1, "king": noble.turquoise, "madame": noble.violet})


def best_noble(game: Palais, seat: Seat, plan: Plan) -> str | None:
    """The space of the noble most worth going for next, if any can be had."""
    promises = ((promise(game, seat, plan, space), space) for space in game.board.park if space not in plan.nobles)
    best, space = max(promises, default=(0.0, ""))
    return space if best > 0 else None


def promise(game: Palais, seat: Seat, plan: Plan, space: str) -> float:
    """What a noble is worth beyond what he costs; nothing, if he cannot be had."""
    noble = NOBLES[game.board.park[space]]
    gold = price(game, space, noble)
    if gold > plan.gold:
        return 0
    sent = errands(plan, plan.wanted + cost(noble))
    if sent is None or sum(errand.moves for errand in sent) > plan.moves:
        return 0
    return worth(game, seat, space, noble) - 0.3 * gold - 0.5 * (noble.turquoise + noble.violet)


def worth(game: Palais, seat: Seat, space: str, noble: Noble) -> float:
    left = 0 if game.board.final_round else 1
    return 1 + noble.points + left * WORTH_OF_BENEFIT.get(noble.benefit, noble.amount) + row_gain(game, seat, space)


def row_gain(game: Palais, seat: Seat, space: str) -> float:
    """How many points more the border rows would give with a servant on this space."""
    gain = 0.0
    for row in ROWS.values() if space in BORDER else ():
        strengths = strengths_in(game, row)
        before = row_points(row, strengths)[seat]
        strengths[seat] += (space in row.spaces) + (space in row.double_spaces)
        gain += row_points(row, strengths)[seat] - before
    return gain / 2


def best_recruitment(game: Palais, seat: Seat) -> Iterator[Recruit]:
    if space := best_noble(game, seat, resources(game, seat)):
        noble = NOBLES[game.board.park[space]]
        if all(game.board.rooms[room][seat] >= servants for room, servants in cost(noble).items()):
            yield Recruit(space)


# Moves: first for the nobles of this turn, then for those of the next


def best_move(game: Palais, seat: Seat) -> Iterator[Move]:
    plan = plan_of(game, seat)
    for errand in (errands(plan, plan.wanted) or []) + later_errands(game, plan):
        nearer = plan.distances[errand.room]
        steps = next_rooms(game, seat)[errand.source]
        yield Move(errand.source, min(steps, key=lambda room: nearer[room]))


def errands(plan: Plan, wanted: Servants) -> list[Errand] | None:
    """Whom to send where so that the wanted servants stand there; none, if there are too few."""
    spare, sent = plan.standing - (plan.working | wanted), []
    for room in (wanted - plan.standing).elements():
        if not spare:
            return None
        source = min(spare, key=lambda source: plan.distances[source][room])
        spare -= Servants({source: 1})
        sent.append(Errand(source, room, plan.distances[source][room]))
    return sent


def later_errands(game: Palais, plan: Plan) -> list[Errand]:
    """Whom to send where once the nobles of this turn are served."""
    wanted, sent = plan.wanted.copy(), errands(plan, plan.wanted) or []
    wishes = LAST_WISHES if game.board.final_round else [*plan.working.elements(), *NEXT_WISHES]
    for room in wishes:
        wanted[room] += 1
        more = errands(plan, wanted)
        if more is None or len(more) > len(sent):
            return more[-1:] if more else []
    return []


# Cards


def cards_to_keep(game: Palais, seat: Seat) -> list[int]:
    """The best cards, as many as servants may leave; in the final round any card is worth a point."""
    pending = game.hands[seat].pending
    most = game.board.rooms["back_entrance"][seat]
    order = sorted(range(len(pending)), key=lambda place: rank_of(pending[place]))
    kept = [place for place in order if game.board.final_round or pending[place] in GOOD_CARDS]
    return kept[:most]


def rank_of(kind: str) -> int:
    return GOOD_CARDS.index(kind) if kind in GOOD_CARDS else len(GOOD_CARDS)
