"""22. Step-wise actions: a draft behind the screen gathers the parts of an action, `done` carries it out."""

from __future__ import annotations

from typing import TypeVar

from ..kit import Choice, Seat, choice
from .actions import Done, Drop
from .board import AnyDraft, Draft, Noblemen
from .catalog import CARDS
from .news import CardPlayed
from .screen import put_under_deck

D = TypeVar("D", bound=Draft)


def draft_of(game: Noblemen, seat: Seat, kind: type[D]) -> D:
    """Return the draft of the seat if it is of this kind, otherwise an empty draft of this kind."""
    draft = game.hands[seat].draft
    return draft if isinstance(draft, kind) else kind()


def begin(game: Noblemen, seat: Seat, draft: AnyDraft) -> None:
    """Open a draft: nothing moves, is paid, drawn or scored, and only its player sees it (NM-STEP-1)."""
    game.hands[seat].draft = draft


# NM-STEP-2 From the minimum on `done` is offered; only `done` carries it out. NM-STEP-3, NM-STEP-6 It can be dropped.
def finishing(of: str, enough: bool, begun: bool = True) -> list[Choice]:
    done = [choice(Done, of=[of])] if enough else []
    return [*done, choice(Drop)] if begun else done


def close(game: Noblemen, seat: Seat) -> None:
    """Remove the draft, whether it was carried out or dropped."""
    game.hands[seat].draft = None


# NM-HIDE-5 A card that is played is shown.
def announce(game: Noblemen, seat: Seat, of: str) -> None:
    """Publish the card whose draft is carried out, if it is a card."""
    if of in CARDS:
        game.tell(CardPlayed(seat, of))


# NM-TURN-3, NM-TURN-4 One action, one card. NM-CARD-4 The card goes under the deck right after its effect.
def conclude(game: Noblemen, seat: Seat, of: str) -> None:
    """Record that the action of the turn, or its card, is used."""
    if of in CARDS:
        put_under_deck(game, seat, of)
        game.board.card_played = True
    else:
        game.board.action_done = True
