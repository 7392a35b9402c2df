"""5. Trading tiles."""

from __future__ import annotations

from collections.abc import Iterator

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Give, Want
from .bag import look_into_bag, put_in, take_out
from .board import Exchange, Noblemen
from .drafts import begin, close, draft_of, finishing
from .news import TilesTraded
from .screen import GIVEN, add_tiles, how_many_tiles, kinds_left, remove_tiles


# NM-TURN-6, NM-TRADE-6 Any number of times, but only in the player's own turn.
def trades(game: Noblemen, seat: Seat) -> list[Choice]:
    hand = game.hands[seat]
    may_trade = how_many_tiles(game, seat) >= GIVEN and any(hand.bag_has.values())
    return [choice(Give, kind=kinds_left(hand.tiles, []))] if may_trade else []


def begin_trade(game: Noblemen, seat: Seat, first: Give) -> None:
    begin(game, seat, Exchange([first.kind]))
    game.plan(step(trade, seat))


# NM-TRADE-1 Two tiles of the hand, NM-TRADE-2 of any kinds, for one tile of a kind of choice from the bag.
def trade(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Exchange)
    answer = yield [*exchange_steps(game, seat, draft), *finishing("trade", enough=False)]
    if isinstance(answer, Give):
        draft.kinds.append(answer.kind)
        return AGAIN
    close(game, seat)
    if isinstance(answer, Want):
        exchange(game, seat, draft.kinds, answer.kind)
    return None


# NM-TRADE-4 The wanted kind must be in the bag before the two tiles are put in.
def exchange_steps(game: Noblemen, seat: Seat, draft: Exchange) -> Iterator[Choice]:
    hand = game.hands[seat]
    if len(draft.kinds) < GIVEN:
        yield choice(Give, kind=kinds_left(hand.tiles, draft.kinds))
    else:
        yield choice(Want, kind=[kind for kind, held in hand.bag_has.items() if held])


# NM-TRADE-3 The two tiles go into the bag. NM-TRADE-5 The trade is public, the kinds are not.
def exchange(game: Noblemen, seat: Seat, given: list[str], wanted: str) -> None:
    remove_tiles(game, seat, given)
    put_in(game, given)
    take_out(game, [wanted])
    add_tiles(game, seat, [wanted])
    look_into_bag(game, seat)
    game.tell(TilesTraded(seat))
