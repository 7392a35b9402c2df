"""11. Privilege cards: playing."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..kit import Choice, Seat, choice
from .actions import PlayPrivilege
from .board import ORDER, Palais, is_open
from .catalog import PRIVILEGES, Effect, Timing
from .gold import pay, take
from .news import PrivilegePlayed

# The phase in which a card may be played; none: at any moment of its owner's turn (PR-PLAY-5).
WINDOW: dict[Timing, str | None] = {"before_1": "pre", "1": "a1", "1_and_2": "a1", "2": "a2", "4": "a4", "any": None}


def window(kind: str) -> str | None:
    return WINDOW[PRIVILEGES[kind].timing]


# Only in the player's own turn (PR-PLAY-1), any number of cards (PR-PLAY-4).
def privileges(game: Palais, seat: Seat) -> Iterable[Choice]:
    held = game.hands[seat].cards if game.board.players[seat].cards else []
    if kinds := [kind for kind in PRIVILEGES if kind in held and is_playable(game, seat, kind)]:
        yield choice(PlayPrivilege, kind=kinds)


# Only inside the card's window (PR-PLAY-3), and with gold already owned (PR-PLAY-2).
def is_playable(game: Palais, seat: Seat, kind: str) -> bool:
    return (
        is_timely(game, kind)
        and not is_in_force(game, kind)
        and PRIVILEGES[kind].price <= game.board.players[seat].gold
    )


def is_timely(game: Palais, kind: str) -> bool:
    phase = window(kind)
    return phase is None or is_open(game, phase)


# A second card for all majorities in one turn would do nothing and is refused (PR-PLAY-4).
def is_in_force(game: Palais, kind: str) -> bool:
    return PRIVILEGES[kind].effect.kind == "majority_all" and game.board.turn.majority_all


# The price is paid first (PR-PLAY-2).
def play_privilege(game: Palais, seat: Seat, answer: PlayPrivilege) -> None:
    card = PRIVILEGES[answer.kind]
    pay(game, seat, card.price)
    game.hands[seat].cards.remove(card.id)
    game.board.players[seat].cards -= 1
    game.tell(PrivilegePlayed(seat, card.id))
    EFFECTS[card.effect.kind](game, seat, card.effect)
    lay_down(game, seat, card.id)


# A played card is discarded after its use: at once, when action 2 is over, or at the end of the turn (PR-PLAY-6).
# Points cards stay in front of their owner and do not return to the deck (PR-PLAY-7).
def lay_down(game: Palais, seat: Seat, kind: str) -> None:
    match PRIVILEGES[kind].after_play:
        case "discard":
            game.board.discard.append(kind)
        case "discard_after_action_2" | "discard_at_end_of_turn":
            game.board.turn.active.append(kind)
        case "stays_in_front":
            game.board.players[seat].front.append(kind)


# Action 2 is over when a later action begins, also by `advance`; if the turn ends before, the cards are discarded then.
def discard_after_action_2(game: Palais, phase: str) -> None:
    """Discard the cards whose use has ended, now that this phase begins."""
    board, active = game.board, game.board.turn.active
    if active and ORDER[phase] > ORDER["a2"]:
        used = [kind for kind in active if PRIVILEGES[kind].after_play == "discard_after_action_2"]
        board.discard += used
        board.turn.active = [kind for kind in active if kind not in used]


def discard_at_end_of_turn(game: Palais) -> None:
    """Discard the cards that are still active when the turn ends."""
    board = game.board
    board.discard += board.turn.active
    board.turn.active = []


# All majorities for the whole turn (PR-PRIV-1).
def grant_majorities(game: Palais, seat: Seat, effect: Effect) -> None:
    game.board.turn.majority_all = True


# Any number of servants to the gate in this action (PR-PRIV-2).
def open_gate(game: Palais, seat: Seat, effect: Effect) -> None:
    game.board.turn.gate_unlimited = True


# Two more servants to the gate, and six more moves in action 2 of this turn (PR-PRIV-3).
def grant_gate_and_moves(game: Palais, seat: Seat, effect: Effect) -> None:
    game.board.turn.gate_left += effect.gate
    game.board.turn.extra_moves += effect.moves


# Five or nine more moves (PR-PRIV-4, PR-PRIV-5).
def grant_moves(game: Palais, seat: Seat, effect: Effect) -> None:
    game.board.turn.moves_left += effect.moves


# Two more seals of any colours for action 4 of this turn; the colour is chosen when used (PR-PRIV-6).
def grant_seals(game: Palais, seat: Seat, effect: Effect) -> None:
    game.board.turn.wild_seals += effect.seals


# Take four gold (PR-PRIV-7).
def give_gold(game: Palais, seat: Seat, effect: Effect) -> None:
    take(game, seat, effect.gold)


# Two or four points at the end (PR-PRIV-8, PR-PRIV-9): the card lies in front of its owner.
def promise_points(game: Palais, seat: Seat, effect: Effect) -> None:
    """Do nothing now; the card counts in the final scoring."""


EFFECTS: dict[str, Callable[[Palais, Seat, Effect], None]] = {
    "majority_all": grant_majorities,
    "gate_unlimited": open_gate,
    "gate_and_moves": grant_gate_and_moves,
    "moves": grant_moves,
    "wild_seals": grant_seals,
    "gold": give_gold,
    "points": promise_points,
}
