"""16. Scandal cards: playing them in a turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ..kit import AGAIN, Asking, Choice, Seat, choice, step
from .actions import Done, Give, Play
from .bag import draw, look_into_bag, put_in
from .board import Construction, Expansion, Favour, Noblemen
from .build import build, castle_sites
from .catalog import CARDS, Effect
from .drafts import announce, begin, close, conclude, draft_of, finishing
from .expand import expand
from .news import TilesReturned
from .queen import take_queen
from .screen import how_many_tiles, kinds_left, receive, remove_tiles, take_bribes
from .seats import estate_of, score

VICARS_FAVOUR = "vicars_favour"


# NM-TURN-4, NM-CARD-2 At most one per turn. NM-CARD-1 Only cards held; NM-CARD-3 some cannot be played at all.
def playable_cards(game: Noblemen, seat: Seat) -> list[Choice]:
    held = [] if game.board.card_played else game.hands[seat].cards
    cards = [card for card, may_play in PLAYABLE.items() if card in held and may_play(game, seat)] if held else []
    return [choice(Play, card=cards)] if cards else []


# NM-TURN-5 Before or after the action, never within. NM-CARD-4 The card is shown; after its effect it goes away.
def play_card(game: Noblemen, seat: Seat, answer: Play) -> None:
    card = answer.card
    if card in AT_ONCE:
        announce(game, seat, card)
        AT_ONCE[card](game, seat, CARDS[card].effect)
        conclude(game, seat, card)
    else:
        DRAFTED[card](game, seat)


# Cards that take effect at once


# NM-CARD-12, NM-AMB-27 Secret wedding: two bribe markers, or as many as are left, and always exactly two points.
def secret_wedding(game: Noblemen, seat: Seat, effect: Effect) -> None:
    take_bribes(game, seat, min(effect.bribes, game.board.bribes))
    score(game, seat, effect.vp, "NM-CARD-12")


# NM-CARD-13 Dowry: four tiles.
def dowry(game: Noblemen, seat: Seat, effect: Effect) -> None:
    draw(game, seat, effect.tiles)


# NM-CARD-16 Tribute: five pounds.
def tribute(game: Noblemen, seat: Seat, effect: Effect) -> None:
    receive(game, seat, effect.money)


# NM-CARD-18, NM-AMB-21 Whitehall: the queen; under the lock it is wasted.
def whitehall(game: Noblemen, seat: Seat, _: Effect) -> None:
    take_queen(game, seat)


AT_ONCE: dict[str, Callable[[Noblemen, Seat, Effect], None]] = {
    "secret_wedding": secret_wedding,
    "dowry": dowry,
    "tribute": tribute,
    "whitehall": whitehall,
}

# Cards that are carried out step by step


# NM-CARD-5 Inheritance: the cheapest castle for nothing, on a legal site, without a knight.
def inheritance(game: Noblemen, seat: Seat) -> None:
    begin(game, seat, Construction("inheritance", "castle"))
    game.plan(step(build, seat))


# NM-CARD-14, NM-CARD-15 Brilliant move: one more action A, with all its rewards, besides any action of the turn.
def brilliant_move(game: Noblemen, seat: Seat) -> None:
    begin(game, seat, Expansion("brilliant_move"))
    game.plan(step(expand, seat))


# NM-CARD-17 Vicar's favour: one to four tiles of the hand into the bag, a point each; the church does not matter.
def vicars_favour(game: Noblemen, seat: Seat) -> None:
    begin(game, seat, Favour())
    game.plan(step(ask_favour, seat))


def ask_favour(game: Noblemen, seat: Seat) -> Asking:
    draft = draft_of(game, seat, Favour)
    answer = yield [*favours(game, seat, draft), *finishing(VICARS_FAVOUR, enough=bool(draft.kinds))]
    if isinstance(answer, Give):
        draft.kinds.append(answer.kind)
        return AGAIN
    close(game, seat)
    if isinstance(answer, Done):
        return_tiles(game, seat, draft.kinds)
    return None


def favours(game: Noblemen, seat: Seat, draft: Favour) -> Iterator[Choice]:
    kinds = kinds_left(game.hands[seat].tiles, draft.kinds)
    if kinds and len(draft.kinds) < CARDS[VICARS_FAVOUR].effect.tiles_max:
        yield choice(Give, kind=kinds)


def return_tiles(game: Noblemen, seat: Seat, kinds: list[str]) -> None:
    announce(game, seat, VICARS_FAVOUR)
    remove_tiles(game, seat, kinds)
    put_in(game, kinds)
    look_into_bag(game, seat)
    game.tell(TilesReturned(seat, len(kinds)))
    score(game, seat, len(kinds) * CARDS[VICARS_FAVOUR].effect.vp, "NM-CARD-17")
    conclude(game, seat, VICARS_FAVOUR)


DRAFTED: dict[str, Callable[[Noblemen, Seat], None]] = {
    "inheritance": inheritance,
    "brilliant_move": brilliant_move,
    "vicars_favour": vicars_favour,
}

# What a card needs


# NM-CARD-5, NM-BUILD-2, NM-BUILD-7 An inheritance needs a castle on the board and a site.
def can_inherit(game: Noblemen, seat: Seat) -> bool:
    return game.board.buildings["castle"] > 0 and bool(castle_sites(estate_of(game, seat)))


def has_tiles(game: Noblemen, seat: Seat) -> bool:
    return how_many_tiles(game, seat) > 0


def always(_: Noblemen, __: Seat) -> bool:
    return True


PLAYABLE: dict[str, Callable[[Noblemen, Seat], bool]] = {
    **dict.fromkeys(AT_ONCE, always),
    "inheritance": can_inherit,
    "brilliant_move": has_tiles,
    "vicars_favour": has_tiles,
}
