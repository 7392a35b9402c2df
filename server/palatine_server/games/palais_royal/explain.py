"""Explanations of Palais Royal: points, places, majorities, rows, prices, and the allowance of an action.

Everything that counts is public (PR-INFO-1) except secret nobles (PR-INFO-3). An explanation uses only the viewer's
own hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any, NamedTuple

from ..kit import Action, Phrase, Reason, Seat, Topic, places, read_explanation_text, total
from ..kit.explanations.reasons import at_least_nothing
from .actions import AddSealServant, Draw, Keep, Move, PlayPrivilege, Recruit, Reinforce
from .back_entrance import cards_to_draw
from .board import ORDER, PHASES, Palais, is_open
from .catalog import BORDER, NAMED, NOBLES, PRIVILEGES, ROWS, SPACES, name
from .majority import ROOMS_WITH_BONUS, leads, majority_in
from .nobles import AMOUNTS, benefit, count_hidden
from .park import free_neighbours, price
from .privileges import window
from .recruiting import SEALS, seals_missing
from .rooms import gate_allowance, income, moves_allowed, next_rooms, seals_allowed
from .scoring import row_score, score_sheet

WORDS = read_explanation_text(
    files(__package__).joinpath("explain.toml").read_text(encoding="utf-8"),
    {component: Phrase(name(component), name(component, "de")) for component in NAMED}
    | {space: Phrase(space, space) for space in SPACES},
)


# Points


def score(game: Palais, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain the points of a player, final or as if the game ended now, as far as the viewer sees them."""
    is_secret = count_hidden(game.board.players[seat]) and viewer != seat
    what = "score" if game.board.final else "score_seen" if is_secret else "score_now"
    return total(what, "PR-SCORE-5", score_sheet(game, seat, viewer).lines, seat=seat)


def row(game: Palais, viewer: Seat | None, row: str) -> Reason:
    """Explain what a border row gives to each player."""
    return total("row", "PR-SCORE-4", (row_score(game, ROWS[row], seat) for seat in seats(game)), row=row)


def rank(game: Palais, viewer: Seat | None, seat: Seat) -> Reason:
    """Explain how a player got their place."""
    board = game.board
    steps = places(board.final, seat, ("score", "PR-WIN-1"), ("cardinal", "PR-WIN-2"), shared="PR-WIN-3")
    return Reason("rank", "PR-WIN-1", None, {"seat": seat, "rank": board.final[seat].rank}, list(steps))


# Majorities


def majority(game: Palais, viewer: Seat | None, room: str) -> Reason:
    """Explain which player has the majority in a room, by servants, by the Cardinal or by a card."""
    turn = game.board.turn
    if turn.majority_all and majority_in(game, turn.seat, room):
        return about_room("majority_by_card", "PR-MAJ-6", game, room, seat=turn.seat)
    servants = game.board.rooms[room]
    first = [seat for seat in seats(game) if servants[seat] == max(servants) > 0]
    leaders = [seat for seat in first if leads(game, seat, room)]
    if not first:
        return about_room("majority_of_nobody", "PR-MAJ-5", game, room)
    if not leaders:
        return about_room("majority_tied", "PR-MAJ-4", game, room, seats=first)
    if len(first) > 1:
        return about_room("majority_by_cardinal", "PR-MAJ-3", game, room, seat=leaders[0], seats=first)
    return about_room("majority", "PR-MAJ-2", game, room, seat=leaders[0])


def about_room(what: str, rule: str, game: Palais, room: str, **figures: Any) -> Reason:
    """Return a reason about a room, with the servants that each player has there and at the Cardinal."""
    servants, cardinal = game.board.rooms[room], game.board.rooms["cardinal"]
    there = [
        Reason("strength", "PR-MAJ-2", None, {"seat": seat, "servants": servants[seat], "cardinal": cardinal[seat]})
        for seat in seats(game)
    ]
    return Reason(what, rule, None, {"room": room, **figures}, there)


# Prices


def cost(game: Palais, viewer: Seat | None, space: str) -> Reason:
    """Explain the cost of a noble: gold and servants."""
    noble = NOBLES[game.board.park[space]]
    free = free_neighbours(game, space)
    gold = [
        Reason("printed_price", "PR-PRICE-1", noble.gold, {"noble": noble.id}),
        Reason("free_spaces", "PR-PRICE-1", -len(free), {"spaces": sorted(free)}),
        *at_least_nothing("never_below_zero", "PR-PRICE-2", noble.gold - len(free)),
    ]
    besides = [Reason("presence", "PR-RECRUIT-2"), *seals(game, viewer, noble.id), *border_servant(space)]
    figures = {"noble": noble.id, "space": space}
    return Reason("price", "PR-RECRUIT-3", price(game, space, noble), figures, [*gold, *besides])


def seals(game: Palais, viewer: Seat | None, noble: str) -> Iterator[Reason]:
    turquoise, violet = SEALS[noble]
    yield Reason("seals", "PR-RECRUIT-4", None, {"turquoise": turquoise, "violet": violet})
    if viewer is not None:
        turquoise, violet = seals_missing(game, viewer, SEALS[noble])
        yield Reason("seals_missing", "PR-RECRUIT-4", None, {"turquoise": turquoise, "violet": violet})


def border_servant(space: str) -> list[Reason]:
    return [Reason("border_servant", "PR-BORDER-1")] if space in BORDER else []


def privilege(game: Palais, viewer: Seat | None, kind: str) -> Reason:
    """Explain the price of a privilege, when it can be played, and how many the viewer holds."""
    card, phase = PRIVILEGES[kind], window(kind)
    at = Reason("window", "PR-PLAY-3", None, {"phase": phase}) if phase else Reason("any_time", "PR-PLAY-5")
    return Reason("privilege", "PR-PLAY-2", card.price, {"card": kind}, [at, *held(game, viewer, kind)])


def held(game: Palais, viewer: Seat | None, kind: str) -> Iterator[Reason]:
    if viewer is not None:
        yield Reason("held", "PR-PLAY-1", None, {"count": game.hands[viewer].cards.count(kind)})


# How much an action allows the player whose turn it is


class Terms(NamedTuple):
    """The parts of an allowance: the servants in a room, the majority there, the benefit of nobles."""

    room: str
    by_servants: str  # the rule that counts servants; empty: servants do not count
    by_majority: str
    benefit: str
    by_benefit: str
    amount: Callable[[Palais, Seat], int]


def to_room(room: str) -> Callable[[Palais, Seat], int]:
    return lambda game, seat: seals_allowed(game, seat)[room]


ALLOWANCES = {
    "gate": Terms("parade_ground", "PR-GATE-1", "PR-GATE-2", "gate", "PR-BENEFIT-8", gate_allowance),
    "moves": Terms("stairway", "PR-MOVE-1", "PR-MOVE-2", "moves", "PR-BENEFIT-9", moves_allowed),
    "gold": Terms("mint", "PR-MINT-1", "PR-MINT-2", "gold", "PR-BENEFIT-4", income),
    "cards": Terms("back_entrance", "PR-BACK-1", "", "cards", "PR-BENEFIT-6", cards_to_draw),
    "king": Terms("king", "", "PR-SEAL-2", "seal_turquoise", "PR-BENEFIT-5", to_room("king")),
    "madame": Terms("madame", "", "PR-SEAL-2", "seal_violet", "PR-BENEFIT-5", to_room("madame")),
}


def allowance(game: Palais, viewer: Seat | None, of: str) -> Reason:
    """Explain how much an action will allow, or what is left of the allowance after it was fixed (PR-TURN-7)."""
    turn, terms = game.board.turn, ALLOWANCES[of]
    figures: dict[str, Any] = {"of": of, "seat": turn.seat}
    if of == "gate" and turn.gate_unlimited:
        return Reason("unlimited", "PR-PRIV-2", None, figures)
    if is_fixed(game, of):
        return Reason("left", "PR-TURN-7", left_of(game, of), figures)
    amount = terms.amount(game, turn.seat)
    return Reason("allowance", terms.by_servants or terms.by_majority, amount, figures, [*made_of(game, of, terms)])


def made_of(game: Palais, of: str, terms: Terms) -> Iterator[Reason]:
    seat = game.board.turn.seat
    servants = game.board.rooms[terms.room][seat]
    if terms.by_servants:
        yield Reason("servants", terms.by_servants, servants, {"room": terms.room})
    if terms.by_majority:
        bonus = int(majority_in(game, seat, terms.room))
        yield Reason("bonus", terms.by_majority, bonus, {"room": terms.room}, [majority(game, seat, terms.room)])
    if of != "cards" or servants:
        yield from benefits(game, seat, terms)
    if of == "moves" and game.board.turn.extra_moves:
        yield Reason("by_card", "PR-PRIV-3", game.board.turn.extra_moves)


def benefits(game: Palais, seat: Seat, terms: Terms) -> Iterator[Reason]:
    nobles = [noble for noble in game.board.players[seat].face_up if noble in AMOUNTS[terms.benefit]]
    if nobles:
        yield Reason("benefit", terms.by_benefit, benefit(game, seat, terms.benefit), {"nobles": nobles})


# Gates, moves and seals are counted when their action begins, gold and cards when they are taken (PR-MAJ-7).
def is_fixed(game: Palais, of: str) -> bool:
    turn = game.board.turn
    match of:
        case "gold":
            return turn.gold_taken or not is_open(game, "a3")
        case "cards":
            return turn.drawn
    return ORDER[turn.phase] >= ORDER[BEGIN[of]]


BEGIN = {"gate": "a1", "moves": "a2", "king": "a3", "madame": "a3"}


def left_of(game: Palais, of: str) -> int:
    turn = game.board.turn
    return {"gate": turn.gate_left, "moves": turn.moves_left, **turn.seals_left}.get(of, 0)


# Topics


def seats(game: Palais) -> range:
    return range(len(game.board.players))


def in_a_turn(game: Palais) -> bool:
    return game.board.turn.phase in PHASES


TOPICS = {
    "score": Topic(lambda game, viewer: {"seat": seats(game)}, score),
    "rank": Topic(lambda game, viewer: {"seat": seats(game)} if game.board.final else None, rank),
    "majority": Topic(lambda game, viewer: {"room": sorted(ROOMS_WITH_BONUS)}, majority),
    "row": Topic(lambda game, viewer: {"row": ROWS}, row),
    "price": Topic(lambda game, viewer: {"space": game.board.park}, cost),
    "privilege": Topic(lambda game, viewer: {"kind": PRIVILEGES}, privilege),
    "allowance": Topic(lambda game, viewer: {"of": ALLOWANCES} if in_a_turn(game) else None, allowance),
}


# Reasons behind refusals


def gold_missing(game: Palais, seat: Seat, action: Recruit | PlayPrivilege) -> Iterator[Reason]:
    yield Reason("gold_held", "PR-GOLD-3", None, {"count": game.board.players[seat].gold})
    yield cost(game, seat, action.space) if isinstance(action, Recruit) else privilege(game, seat, action.kind)


def seals_of(game: Palais, seat: Seat, action: Recruit) -> Iterator[Reason]:
    yield from seals(game, seat, game.board.park[action.space])
    yield Reason("wild_seals", "PR-PRIV-6", None, {"count": game.board.turn.wild_seals})


def exceeded(game: Palais, seat: Seat, action: Reinforce | Move | AddSealServant | Draw) -> Iterator[Reason]:
    match action:
        case Reinforce():
            yield allowance(game, seat, "gate")
        case Move():
            yield allowance(game, seat, "moves")
        case AddSealServant():
            yield allowance(game, seat, action.room)
        case Draw():
            yield allowance(game, seat, "cards")


def rooms_near(game: Palais, seat: Seat, action: Move) -> Iterator[Reason]:
    rooms = next_rooms(game, seat)[action.source]
    yield Reason("next_rooms", "PR-MOVE-3", None, {"room": action.source, "rooms": rooms})


def at_back_entrance(game: Palais, seat: Seat, action: Keep) -> Iterator[Reason]:
    yield Reason("servants", "PR-BACK-3", game.board.rooms["back_entrance"][seat], {"room": "back_entrance"})


def numbers(game: Palais, seat: Seat, action: Draw | Keep) -> Iterator[Reason]:
    if isinstance(action, Draw):
        yield allowance(game, seat, "cards")
    else:
        yield Reason("drawn_cards", "PR-BACK-2", None, {"count": game.board.turn.pending or 0})


def in_supply(game: Palais, seat: Seat, action: Action) -> Iterator[Reason]:
    yield Reason("supply_held", "PR-NEW-1", None, {"count": game.board.players[seat].supply})


GROUNDS: Mapping[str, Callable[[Palais, Seat, Any], Iterable[Reason]]] = {
    "not_enough_gold": gold_missing,
    "not_enough_seals": seals_of,
    "no_moves": exceeded,
    "allowance_exceeded": exceeded,
    "not_adjacent": rooms_near,
    "keep_limit": at_back_entrance,
    "bad_number": numbers,
    "supply_first": in_supply,
}
