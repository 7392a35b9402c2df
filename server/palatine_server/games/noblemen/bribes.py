"""12. Action C: bribe markers."""

from __future__ import annotations

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Buy, Done
from .board import Noblemen, Purchase
from .catalog import BRIBE
from .drafts import begin, close, conclude, draft_of, finishing
from .screen import pay, take_bribes
from .seats import score


# NM-BRIBE-2 Not more than affordable, than five, than on the board.
def purchases(game: Noblemen, seat: Seat, drafted: int = 0) -> list[Choice]:
    affordable = game.hands[seat].money // BRIBE.price
    return [choice(Buy)] if drafted < min(affordable, BRIBE.max_per_action, game.board.bribes) else []


def begin_buying(game: Noblemen, seat: Seat, _: Buy) -> None:
    begin(game, seat, Purchase(1))
    game.plan(step(buy_bribes, seat))


def buy_bribes(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Purchase)
    answer = yield [*purchases(game, seat, draft.bribes), *finishing("bribe", enough=True)]
    if isinstance(answer, Buy):
        draft.bribes += 1
        return AGAIN
    close(game, seat)
    if isinstance(answer, Done):
        complete_purchase(game, seat, draft.bribes)
    return None


# NM-BRIBE-1 Two pounds and one point for each marker.
def complete_purchase(game: Noblemen, seat: Seat, count: int) -> None:
    pay(game, seat, count * BRIBE.price)
    take_bribes(game, seat, count)
    score(game, seat, count * BRIBE.vp, "NM-BRIBE-1")
    conclude(game, seat, "bribe")
