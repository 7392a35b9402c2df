"""15. The wording of refusals: why an action that was not offered is against the rules (PR-CMD-2).

Only the offer decides legality. A refusal uses only what the asking seat sees.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..kit import Action, Refused, Seat
from .actions import (
    AddSealServant,
    Advance,
    Draw,
    EndTurn,
    Keep,
    Move,
    Place,
    PlaceRest,
    PlayPrivilege,
    Recruit,
    Reinforce,
    TakeGold,
)
from .back_entrance import cards_are_left, cards_to_draw
from .board import SUPPLY, Palais, is_open
from .catalog import BORDER, NOBLES, PRIVILEGES, ROOMS, Noble
from .park import border_sources, price
from .privileges import is_in_force, is_timely
from .recruiting import SEALS, seals_missing, sparing_servant
from .rooms import SEAL_BENEFIT, gate_left, moves_left, next_rooms, presence, seals_left
from .servants import rooms_with
from .turn import PHASE_OF

Reasons = Iterator[Refused | None]


def why_not(game: Palais, seat: Seat, action: Action) -> Refused | None:
    """Return the first rule that forbids this action, if the game can name one."""
    return next((reason for reason in reasons(game, seat, action) if reason), None)


def reasons(game: Palais, seat: Seat, action: Action) -> Reasons:
    """Yield the objections to an action, in the order in which a refusal names them."""
    turn = game.board.turn
    if turn.phase == "setup":
        yield from not_in_setup(action)
    elif turn.pending is not None:
        yield from not_while_deciding(game, action)
    elif type(action) in REASONS:
        yield closed(game, PHASE_OF.get(type(action)))
        yield from REASONS[type(action)](game, seat, action)


# Setup, and the decision about drawn cards: nothing else may be done


def not_in_setup(action: Action) -> Reasons:
    if isinstance(action, Place):
        yield unknown_room(action.room)
    if isinstance(action, EndTurn):
        yield Refused("bad_total", "Place exactly five servants first.", "PR-SETUP-10")
    yield Refused("wrong_phase", "The servants are still being placed.", "PR-SETUP-10")


def not_while_deciding(game: Palais, action: Action) -> Reasons:
    if not isinstance(action, Keep):
        yield Refused("decision_pending", "First decide which of the drawn cards you keep.", "PR-BACK-8")
        return
    drawn = range(game.board.turn.pending or 0)
    if any(place not in drawn for place in action.indices):
        yield Refused("bad_number", "One of these numbers stands for no drawn card; count from 0.", "PR-INFO-6")
    if len(set(action.indices)) < len(action.indices):
        yield Refused("bad_number", "Name each card that you keep only once.", "PR-INFO-6")
    sentence = "Keep at most one of the drawn cards for each servant at the back entrance."
    yield Refused("keep_limit", sentence, "PR-BACK-3")


# The turn


def closed(game: Palais, phase: str | None) -> Refused | None:
    if phase is None or is_open(game, phase):
        return None
    return Refused("wrong_phase", "This action is closed; there is no way back.", "PR-TURN-5")


def not_advanced(game: Palais, seat: Seat, action: Advance) -> Reasons:
    yield Refused("wrong_phase", "You can only go on to a later action of the turn.", "PR-TURN-5")


def only_in_setup(game: Palais, seat: Seat, action: Place | PlaceRest) -> Reasons:
    yield Refused("wrong_phase", "The setup is over.", "PR-SETUP-10")


# New servants


def unknown_room(*rooms: str) -> Refused | None:
    known = all(room in ROOMS for room in rooms)
    return None if known else Refused("unknown_room", "There is no such room in the palace.", "PR-CMD-2")


def wrong_source(game: Palais, seat: Seat, source: str) -> Reasons:
    if game.board.players[seat].supply:
        yield Refused("supply_first", "New servants come from your supply while it lasts.", "PR-NEW-1")
    if source == SUPPLY:
        yield Refused("no_servant", "Your supply is empty.", "PR-NEW-2")
    yield Refused("no_servant", "No servant of yours can come from there.", "PR-NEW-3")


def not_reinforced(game: Palais, seat: Seat, action: Reinforce) -> Reasons:
    if action.source != SUPPLY:
        yield unknown_room(action.source)
    if not gate_left(game, seat) and not game.board.turn.gate_unlimited:
        yield Refused("allowance_exceeded", "No more servants may be put on the gate this turn.", "PR-GATE-1")
    yield from wrong_source(game, seat, action.source)


def not_added(game: Palais, seat: Seat, action: AddSealServant) -> Reasons:
    if action.room not in SEAL_BENEFIT:
        yield Refused("unknown_room", "Only the King's Cabinet and Madame receive such servants.", "PR-SEAL-2")
    if action.source != SUPPLY:
        yield unknown_room(action.source)
    if game.board.turn.seals_done:
        yield Refused("already_done", "All servants for the seals of this turn have come.", "PR-SEAL-4")
    if not seals_left(game, seat)[action.room]:
        yield Refused("allowance_exceeded", "No more servants may be added to this room this turn.", "PR-SEAL-2")
    yield from wrong_source(game, seat, action.source)


# Moves and gold


def not_moved(game: Palais, seat: Seat, action: Move) -> Reasons:
    yield unknown_room(action.source, action.to)
    if not moves_left(game, seat):
        yield Refused("no_moves", "You have no moves left.", "PR-MOVE-1")
    if action.source not in rooms_with(game, seat):
        yield Refused("no_servant", "You have no servant in that room.", "PR-MOVE-5")
    if action.to not in next_rooms(game, seat)[action.source]:
        yield Refused("not_adjacent", "A move leads into the next room, not further.", "PR-MOVE-3")


def not_taken(game: Palais, seat: Seat, action: TakeGold) -> Reasons:
    yield Refused("already_done", "You have taken the gold of this turn.", "PR-MINT-4")


# Recruiting: no noble, no presence, not enough gold, not enough seals, bad border source (PR-RECRUIT-10)


def not_recruited(game: Palais, seat: Seat, action: Recruit) -> Reasons:
    if action.space not in game.board.park:
        yield Refused("no_noble", "There is no noble on this space.", "PR-RECRUIT-8")
        return
    noble = NOBLES[game.board.park[action.space]]
    if not presence(game, seat):
        yield Refused("no_presence", "You need a servant in the office.", "PR-RECRUIT-2")
    if price(game, action.space, noble) > game.board.players[seat].gold:
        yield Refused("not_enough_gold", "You have too little gold for this noble.", "PR-RECRUIT-3")
    yield from not_sealed(game, seat, action, noble)
    yield not_bordered(game, seat, action, noble)


def not_sealed(game: Palais, seat: Seat, action: Recruit, noble: Noble) -> Reasons:
    turquoise, violet = action.wild
    least_turquoise, least_violet = seals_missing(game, seat, SEALS[noble.id])
    if turquoise < least_turquoise or violet < least_violet:
        yield Refused("not_enough_seals", "You have too few seals for this noble.", "PR-RECRUIT-4")
    if turquoise + violet > game.board.turn.wild_seals or turquoise > noble.turquoise or violet > noble.violet:
        yield Refused("not_enough_seals", "So many wild seals cannot be used for this noble.", "PR-RECRUIT-4")


def not_bordered(game: Palais, seat: Seat, action: Recruit, noble: Noble) -> Refused | None:
    if action.space not in BORDER:
        return Refused("bad_border_source", "No servant is needed for an inner space.", "PR-BORDER-1")
    known = any(action.border_from in sources for sources in border_sources(game, seat))
    if known and sparing_servant(game, seat, action.border_from, SEALS[noble.id], (action.wild,)):
        return None
    return Refused("bad_border_source", "No servant for the border can come from there.", "PR-BORDER-4")


# Privileges


def not_drawn(game: Palais, seat: Seat, action: Draw) -> Reasons:
    if game.board.turn.drawn:
        yield Refused("already_done", "You have drawn cards this turn.", "PR-BACK-1")
    most = cards_to_draw(game, seat)
    if not most:
        yield Refused("allowance_exceeded", "You have no servant at the back entrance.", "PR-BACK-1")
    if not cards_are_left(game):
        yield Refused("no_card", "No privilege card is left to draw.", "PR-BACK-7")
    if action.count < 1:
        yield Refused("bad_number", "Draw at least one card, or none by leaving the action out.", "PR-BACK-2")
    if action.count > most:
        yield Refused("allowance_exceeded", "You may not draw so many cards this turn.", "PR-BACK-1")


def not_kept(game: Palais, seat: Seat, action: Keep) -> Reasons:
    yield Refused("wrong_phase", "There are no drawn cards to decide on.", "PR-BACK-2")


def not_played(game: Palais, seat: Seat, action: PlayPrivilege) -> Reasons:
    if action.kind not in game.hands[seat].cards:
        yield Refused("no_card", "You have no such card.", "PR-PLAY-1")
        return
    if not is_timely(game, action.kind):
        yield Refused("wrong_timing", "This card cannot be played any more this turn.", "PR-PLAY-3")
    if is_in_force(game, action.kind):
        yield Refused("already_done", "This card works already.", "PR-PLAY-4")
    if PRIVILEGES[action.kind].price > game.board.players[seat].gold:
        yield Refused("not_enough_gold", "You have too little gold for this card.", "PR-PLAY-2")


REASONS: dict[type[Action], Callable[[Palais, Seat, Any], Reasons]] = {
    Place: only_in_setup,
    PlaceRest: only_in_setup,
    Advance: not_advanced,
    Reinforce: not_reinforced,
    Move: not_moved,
    TakeGold: not_taken,
    AddSealServant: not_added,
    Recruit: not_recruited,
    Draw: not_drawn,
    Keep: not_kept,
    PlayPrivilege: not_played,
}
