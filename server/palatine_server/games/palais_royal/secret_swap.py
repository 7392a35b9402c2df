"""What a viewer of Palais Royal may not know, and how to exchange it for something else."""

from typing import Any

from ..kit import RandomSource, SecretSwap
from .catalog import NOBLES

REVEALING = {"cards_seen", "cards_kept", "privilege_played"}
REVEALING_WITH = {"secret_nobles": {"game_scored"}}  # where the table keeps face-down nobles secret


def swapped(document: Any, viewer: int, rng: RandomSource) -> Any:
    """The same document with everything dealt anew that the viewer cannot see: cards in the deck and in other hands.

    If face-down nobles are secret, they change places with others' and with those that left the game, too.
    """
    hands = [hand for seat, hand in enumerate(document["hands"]) if seat != viewer]
    deal_anew([document["box"]["deck"], *(hand[pile] for hand in hands for pile in ("cards", "pending"))], rng)
    if document["board"]["options"].get("secret_nobles"):
        removed = document["box"]["removed"]
        others = [noble for noble in removed if NOBLES[noble].face == "down"]
        removed[:] = [noble for noble in removed if noble not in others]
        deal_anew([others, *(hand.get("nobles", []) for hand in hands)], rng)
        removed += others
    return document


def deal_anew(places: list[list[str]], rng: RandomSource) -> None:
    pieces = [piece for place in places for piece in place]
    rng.shuffle(pieces)
    for place in places:
        place[:] = [pieces.pop() for _ in place]


SECRETS = SecretSwap(swapped, REVEALING, REVEALING_WITH)
