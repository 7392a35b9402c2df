"""4. The turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from ..kit import AGAIN, Action, Asking, Choice, Seat, choice
from .actions import AddSealServant, Advance, Draw, EndTurn, Move, PlayPrivilege, Recruit, Reinforce, TakeGold
from .back_entrance import draw, draws
from .board import ORDER, PHASES, Palais, is_open
from .news import ActionBegan, TurnEnded
from .privileges import discard_after_action_2, discard_at_end_of_turn, play_privilege, privileges, window
from .recruiting import recruit, recruitments
from .rooms import (
    add_seal_servant,
    gate_allowance,
    gold,
    move,
    moves,
    moves_allowed,
    reinforce,
    reinforcements,
    seal_servants,
    seals_allowed,
    take_gold,
)


# Every action is optional (PR-TURN-3). The turn ends only when the player says so (PR-TURN-6), which they always can
# (PR-STUCK-1).
def take_turn(game: Palais, seat: Seat) -> Asking:
    answer = yield [possible for ask in STILL_OPEN[game.board.turn.phase] for possible in ask(game, seat)]
    enter(game, seat, phase_of(game, answer))
    CARRY_OUT[type(answer)](game, seat, answer)
    return None if isinstance(answer, EndTurn) else AGAIN


# An action of a later phase closes the phases before it (PR-TURN-5); so does `advance`.
def advances(game: Palais, seat: Seat) -> Iterable[Choice]:
    if later := PHASES[ORDER[game.board.turn.phase] :]:
        yield choice(Advance, to=later)


def ending(game: Palais, seat: Seat) -> Iterable[Choice]:
    yield choice(EndTurn)


# The actions 1, 2, 3, 4, 5 in this fixed order (PR-TURN-2); skipped actions are closed (PR-TURN-5).
ACTION: dict[str, tuple[Callable[[Palais, Seat], Iterable[Choice]], ...]] = {
    "a1": (reinforcements,),
    "a2": (moves,),
    "a3": (gold, seal_servants),
    "a4": (recruitments,),
    "a5": (draws,),
}
STILL_OPEN = {
    phase: [privileges, *chain(*(ACTION[later] for later in PHASES[at:] if later in ACTION)), advances, ending]
    for at, phase in enumerate(PHASES)
}


def phase_of(game: Palais, action: Action) -> str:
    match action:
        case Advance():
            return action.to
        case PlayPrivilege():
            return window(action.kind) or game.board.turn.phase
    return PHASE_OF.get(type(action), game.board.turn.phase)


PHASE_OF: dict[type[Action], str] = {
    Reinforce: "a1",
    Move: "a2",
    TakeGold: "a3",
    AddSealServant: "a3",
    Recruit: "a4",
    Draw: "a5",
}


# The allowance of an action is computed once, when it begins (PR-TURN-7); the rest of the previous allowance lapses.
def enter(game: Palais, seat: Seat, phase: str) -> None:
    turn = game.board.turn
    if turn.phase == phase or not is_open(game, phase):
        return
    gate_left = gate_allowance(game, seat) if phase == "a1" else 0
    moves_left = moves_allowed(game, seat) if phase == "a2" else 0
    seals_left = seals_allowed(game, seat) if phase == "a3" else {}
    turn.phase, turn.gate_left, turn.moves_left, turn.seals_left = phase, gate_left, moves_left, seals_left
    turn.gate_unlimited, turn.wild_seals = False, 0
    discard_after_action_2(game, phase)
    game.tell(ActionBegan(seat, phase))


def advance(game: Palais, seat: Seat, answer: Advance) -> None:
    """Begin that action and do nothing else."""


# Cards that work for the whole turn are discarded when it ends (PR-PLAY-6).
def end_turn(game: Palais, seat: Seat, answer: EndTurn) -> None:
    discard_at_end_of_turn(game)
    game.tell(TurnEnded(seat))


CARRY_OUT: dict[type[Action], Callable[[Palais, Seat, Any], None]] = {
    PlayPrivilege: play_privilege,
    Reinforce: reinforce,
    Move: move,
    TakeGold: take_gold,
    AddSealServant: add_seal_servant,
    Recruit: recruit,
    Draw: draw,
    Advance: advance,
    EndTurn: end_turn,
}
