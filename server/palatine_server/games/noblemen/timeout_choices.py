"""18. When time is up: the choices that the rules make for players who are late."""

from __future__ import annotations

from collections.abc import Callable, Collection

from ..kit import Action, Refused, Seat
from .actions import ChooseTitle, Done, Drop, EndTurn, Give, Idle, Keep, Take
from .board import Gift, Noblemen, Selection
from .catalog import SETUP
from .drafts import draft_of
from .knights import GIFT
from .masquerade import possible_titles
from .pieces import Kinds


def overdue(game: Noblemen, late: Collection[Seat]) -> tuple[Seat, Action]:
    """Return the next action that the rules take for one of these late seats."""
    for seat in game.waiting_for():
        if seat in late:
            return seat, CHOICES[game.board.phase](game, seat)
    raise Refused("not_your_turn", "None of these seats has anything to decide now.")


# NM-AUTO-1, NM-SETUP-14 The first hand: three of each kind, including the tiles already picked.
def first_hand(game: Noblemen, seat: Seat) -> Action:
    picked = draft_of(game, seat, Selection).kinds
    missing = [kind for kind, count in SETUP.beginner_choice.items() if picked.count(kind) < count]
    return Take(missing[0]) if missing else Done("choose_tiles")


# NM-AUTO-2 A card offer: the first card, no intrigue.
def first_card(game: Noblemen, seat: Seat) -> Action:
    return Keep(0)


# NM-AUTO-3, NM-STEP-6 A turn: an open draft is dropped; without its action idle, then end the turn.
def rest_of_turn(game: Noblemen, seat: Seat) -> Action:
    if game.hands[seat].draft is not None:
        return Drop()
    return EndTurn() if game.board.action_done else Idle()


# NM-AUTO-4 A gift: twice the kind held most often at that moment.
def gift(game: Noblemen, seat: Seat) -> Action:
    wanted, given = usual_gift(game.hands[seat].tiles), draft_of(game, seat, Gift).kinds
    if given == wanted:
        return Done("give_tiles")
    return Give(wanted[len(given)]) if given == wanted[: len(given)] else Drop()


def usual_gift(tiles: Kinds) -> list[str]:
    given: list[str] = []
    for _ in range(GIFT):
        given.append(max(tiles, key=lambda kind: tiles[kind] - given.count(kind)))
    return given


# NM-AUTO-5 A ball: spend nothing.
def no_splendour(game: Noblemen, seat: Seat) -> Action:
    return Drop() if game.hands[seat].draft else Done("spend_prestige")


# NM-AUTO-6 A title: the highest.
def highest_title(game: Noblemen, seat: Seat) -> Action:
    return ChooseTitle(possible_titles(game, seat)[0])


CHOICES: dict[str, Callable[[Noblemen, Seat], Action]] = {
    "setup_tiles": first_hand,
    "setup_cards": first_card,
    "card_offer": first_card,
    "decade_cards": first_card,
    "turn": rest_of_turn,
    "gift": gift,
    "ball": no_splendour,
    "title": highest_title,
}
