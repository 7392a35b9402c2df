"""The greedy bot: plans one turn: which nobles it can recruit now, and where to send servants for the next ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...kit import Action, Choice, Seat
from ..actions import AddSealServant, Draw, EndTurn, Keep, Move, Place, PlayPrivilege, Recruit, Reinforce, TakeGold
from ..board import SUPPLY, Palais, is_open
from ..catalog import BORDER, END, NOBLES, PRIVILEGES, ROWS, START, Noble
from ..nobles import benefit
from ..park import price
from ..rooms import income, moves_left, next_rooms, rooms_around, seals_left
from ..scoring import row_points, strengths_in

Servants = Counter[str]  # by room

LAST_WISHES = ["back_entrance"] * 6
GOOD_CARDS = ["points4", "gold4", "points2"]


class Style(Struct, frozen=True, kw_only=True):
    """The weights of a bot."""

    first_rooms: tuple[str, ...]  # the rooms of the five free servants
    work: tuple[str, ...]  # the rooms that need servants in every turn, most needed first
    at_work: float  # the share of all servants that stay at work
    farewell: float = 0  # how many turns before the end they begin to leave their work
    enough_gold: int
    wishes: tuple[str, ...]  # the rooms of the other servants, for the nobles of the next turns
    per_noble: float
    per_gold: float
    per_servant: float
    per_row: float  # for each additional point of the border rows now
    per_strength: float = 0  # for each servant that counts in a border row
    per_benefit: dict[str, float] = {}
    per_turn: dict[str, float] = {}  # of a benefit, for each turn in which it is useful
    saves_to_the_end: bool = True  # also in the final round, when leftovers are worthless
    foresight: int = 1  # how many nobles are considered at each step of a plan
    counts_on_favour: bool = False  # whether plans count on the servants that action 3b will add


PLAIN = Style(
    first_rooms=("mint", "parade_ground", "mint", "office", "stairway"),
    work=("stairway", "parade_ground", "stairway", "mint", *("parade_ground", "stairway", "mint") * 2),
    at_work=0.5,
    enough_gold=12,
    wishes=("office", "king", "madame", "king", "madame", "mint", "office", "king", "madame", "back_entrance"),
    per_noble=1,
    per_gold=0.3,
    per_servant=0.5,
    per_row=0.5,
    per_benefit={"gate": 3, "moves": 3, "diagonal": 1, "gold": 3, "seal_turquoise": 3, "seal_violet": 3, "cards": 1},
)


def greedy(game: Palais, seat: Seat, below: Callable[[int], int]) -> Action:
    """Return the first good action that is offered."""
    return played(game, seat, PLAIN)


def played(game: Palais, seat: Seat, style: Style) -> Action:
    """Return the action of a player with this style."""
    turn = game.board.turn
    if turn.phase == "setup":
        return Place(style.first_rooms[START.free_servants - turn.to_place])
    if turn.pending is not None:
        return Keep(cards_to_keep(game, seat))
    offered = {choice.do: choice for choice in game.offer(seat)}
    return next(ideas(game, seat, offered, style))


# The actions, in the order of the turn


def ideas(game: Palais, seat: Seat, offered: dict[str, Choice], style: Style) -> Iterator[Action]:
    cards = values(offered, "play_privilege", "kind")
    yield from (PlayPrivilege(kind) for kind in cards if PRIVILEGES[kind].effect.gold)
    if SUPPLY in values(offered, "reinforce", "source"):
        yield Reinforce(SUPPLY)
    if "move" in offered:
        yield from best_move(game, seat, style)
    if "take_gold" in offered:
        yield TakeGold()
    if SUPPLY in values(offered, "add_seal_servant", "source"):
        yield AddSealServant(values(offered, "add_seal_servant", "room")[0], SUPPLY)
    if "recruit" in offered:
        yield from best_recruitment(game, seat, style)
    if "draw" in offered:
        yield Draw(max(values(offered, "draw", "count")))
    if game.board.final_round:
        yield from (PlayPrivilege(kind) for kind in cards if PRIVILEGES[kind].effect.points)
    yield EndTurn()


def values(offered: dict[str, Choice], verb: str, field: str) -> list[Any]:
    return list(offered[verb].fields[field]) if verb in offered else []


# Nobles


class Errand(Struct, frozen=True):
    """A servant to send from one room to another, and the number of moves."""

    source: str
    room: str
    moves: int


class Plan(Struct):
    """The resources of a seat, and those it needs for the nobles that it wants to recruit."""

    style: Style
    standing: Servants
    working: Servants  # the servants that stay where they are
    distances: dict[str, dict[str, int]]
    moves: int
    gold: int
    expected: Servants  # the servants that will arrive without a move
    wanted: Servants
    nobles: list[str]  # their spaces
    promised: float = 0


def plan_of(game: Palais, seat: Seat, style: Style) -> Plan:
    """Return a plan of the nobles to recruit in this turn, as far as servants, moves and gold suffice."""
    return most_promising(game, seat, resources(game, seat, style), {})


def most_promising(game: Palais, seat: Seat, plan: Plan, known: dict[frozenset[str], Plan]) -> Plan:
    """Return the best extension of a plan; it is computed once for each set of nobles."""
    nobles = frozenset(plan.nobles)
    if nobles not in known:
        longer = [with_noble(game, plan, *option) for option in best_nobles(game, seat, plan)]
        plans = [plan, *(most_promising(game, seat, each, known) for each in longer)]
        known[nobles] = max(plans, key=lambda each: each.promised)
    return known[nobles]


def with_noble(game: Palais, plan: Plan, promised: float, space: str) -> Plan:
    noble = NOBLES[game.board.park[space]]
    return replace(
        plan,
        wanted=plan.wanted + cost(noble),
        gold=plan.gold - price(game, space, noble),
        nobles=[*plan.nobles, space],
        promised=plan.promised + promised,
    )


def resources(game: Palais, seat: Seat, style: Style) -> Plan:
    board, turn = game.board, game.board.turn
    standing = Servants({room: servants[seat] for room, servants in board.rooms.items()})
    may_move = is_open(game, "a2")
    gold = board.players[seat].gold + (income(game, seat) if is_open(game, "a3") and not turn.gold_taken else 0)
    return Plan(
        style=style,
        standing=standing,
        working=workers(game, seat, style, standing, gold),
        distances=distances(game, seat),
        moves=moves_left(game, seat) if may_move else 0,
        gold=gold,
        expected=favour(game, seat) if style.counts_on_favour else Servants(),
        wanted=Servants(),
        nobles=[],
    )


# The servants that action 3b adds at the King's and at Madame's, as far as the supply lasts.
def favour(game: Palais, seat: Seat) -> Servants:
    allowed = seals_left(game, seat) if is_open(game, "a3") and not game.board.turn.seals_done else {}
    coming = Servants(allowed)
    return coming if coming.total() <= game.board.players[seat].supply else Servants()


# Some of the servants work for the next turns; in the final round no servant needs to come or move again.
def workers(game: Palais, seat: Seat, style: Style, standing: Servants, gold: int) -> Servants:
    if game.board.final_round:
        return Servants({"mint": standing["mint"]})
    needed = min(1, turns_left(game) / style.farewell) if style.farewell else 1
    hired = int((standing.total() + game.board.players[seat].supply) * style.at_work * needed)
    return Servants(room for room in style.work[:hired] if room != "mint" or gold < style.enough_gold)


def distances(game: Palais, seat: Seat) -> dict[str, dict[str, int]]:
    """Return the number of moves from each room to each other."""
    return distances_in(tuple(chain(*game.board.layout)), bool(benefit(game, seat, "diagonal")))


@lru_cache(maxsize=1024)
def distances_in(palace: tuple[str, ...], is_diagonal: bool) -> dict[str, dict[str, int]]:
    beside = rooms_around(palace, 2 if is_diagonal else 1)
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
    return COSTS[noble.id]


COSTS = {
    noble.id: Servants({"office": 1, "king": noble.turquoise, "madame": noble.violet}) for noble in NOBLES.values()
}


def best_nobles(game: Palais, seat: Seat, plan: Plan) -> list[tuple[float, str]]:
    """Return the spaces of the best nobles to recruit next, each with its promise, if the seat can recruit any."""
    promises = ((promise(game, seat, plan, space), space) for space in game.board.park if space not in plan.nobles)
    return nlargest(plan.style.foresight, (option for option in promises if option[0] > 0))


def promise(game: Palais, seat: Seat, plan: Plan, space: str) -> float:
    """Return the worth of a noble minus its cost; 0 if the seat cannot recruit it."""
    noble = NOBLES[game.board.park[space]]
    gold = price(game, space, noble)
    if gold > plan.gold:
        return 0
    sent = errands(plan, plan.wanted + cost(noble))
    if sent is None or sum(errand.moves for errand in sent) > plan.moves:
        return 0
    style = plan.style
    if game.board.final_round and not style.saves_to_the_end:
        return noble.points + row_gain(game, seat, space)
    spent = style.per_gold * gold + style.per_servant * (noble.turquoise + noble.violet)
    return worth(game, seat, space, style) - spent


def worth(game: Palais, seat: Seat, space: str, style: Style) -> float:
    noble = NOBLES[game.board.park[space]]
    gained = style.per_row * row_gain(game, seat, space) + style.per_strength * strength_gain(space)
    return style.per_noble + noble.points + worth_of_benefit(game, noble, style) + gained


def worth_of_benefit(game: Palais, noble: Noble, style: Style) -> float:
    if game.board.final_round:
        return 0
    at_once = noble.amount if noble.benefit == "servants" else style.per_benefit.get(noble.benefit, 0)
    return at_once + style.per_turn.get(noble.benefit, 0) * turns_left(game)


def turns_left(game: Palais) -> float:
    """Return how many turns each player has after this one, if the players recruit at their usual rate."""
    spare = len(game.board.park) - END.trigger_nobles_left
    return 1 + max(0, spare) / len(game.board.players)


def row_gain(game: Palais, seat: Seat, space: str) -> int:
    """Return how many points more the border rows would give with a servant on this space."""
    gain = 0
    for row in ROWS.values() if space in BORDER else ():
        strengths = strengths_in(game, row)
        before = row_points(row, strengths)[seat]
        strengths[seat] += (space in row.spaces) + (space in row.double_spaces)
        gain += row_points(row, strengths)[seat] - before
    return gain


def strength_gain(space: str) -> int:
    """Return how many servants more would count in the border rows."""
    rows = ROWS.values() if space in BORDER else ()
    return sum((space in row.spaces) + (space in row.double_spaces) for row in rows)


def best_recruitment(game: Palais, seat: Seat, style: Style) -> Iterator[Recruit]:
    for space in plan_of(game, seat, style).nobles[:1]:
        noble = NOBLES[game.board.park[space]]
        if all(game.board.rooms[room][seat] >= servants for room, servants in cost(noble).items()):
            yield Recruit(space)


# Moves: first for the nobles of this turn, then for those of the next


def best_move(game: Palais, seat: Seat, style: Style) -> Iterator[Move]:
    plan = plan_of(game, seat, style)
    for errand in (errands(plan, plan.wanted) or []) + later_errands(game, plan):
        nearer = plan.distances[errand.room]
        steps = next_rooms(game, seat)[errand.source]
        yield Move(errand.source, min(steps, key=lambda room: nearer[room]))


def errands(plan: Plan, wanted: Servants) -> list[Errand] | None:
    """Return the errands that bring the wanted servants to their rooms; None if there are too few servants."""
    spare, sent = spare_servants(plan, wanted), list[Errand]()
    for room, count in wanted.items():
        for _ in range(max(0, count - plan.standing[room]) - plan.expected.get(room, 0)):
            if not spare:
                return None
            source = min(spare, key=lambda source: plan.distances[source][room])
            spare[source] -= 1
            if not spare[source]:
                del spare[source]
            sent.append(Errand(source, room, plan.distances[source][room]))
    return sent


def spare_servants(plan: Plan, wanted: Servants) -> dict[str, int]:
    """Return how many servants each room can give away."""
    spare, working = dict[str, int](), plan.working
    for room, count in plan.standing.items():
        left = count - max(working.get(room, 0), wanted.get(room, 0)) if count else 0
        if left > 0:
            spare[room] = left
    return spare


def later_errands(game: Palais, plan: Plan) -> list[Errand]:
    """Return the errands that prepare the next turns, after those for the nobles of this turn."""
    wanted, sent = plan.wanted.copy(), errands(plan, plan.wanted) or []
    wishes = LAST_WISHES if game.board.final_round else [*plan.working.elements(), *plan.style.wishes]
    for room in wishes:
        wanted[room] += 1
        more = errands(plan, wanted)
        if more is None or len(more) > len(sent):
            return more[-1:] if more else []
    return []


# Cards


def cards_to_keep(game: Palais, seat: Seat) -> list[int]:
    """Return the places of the best cards, at most one per servant there; in the final round any card counts."""
    pending = game.hands[seat].pending
    most = game.board.rooms["back_entrance"][seat]
    order = sorted(range(len(pending)), key=lambda place: rank_of(pending[place]))
    kept = [place for place in order if game.board.final_round or pending[place] in GOOD_CARDS]
    return kept[:most]


def rank_of(kind: str) -> int:
    return GOOD_CARDS.index(kind) if kind in GOOD_CARDS else len(GOOD_CARDS)
