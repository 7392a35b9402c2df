"""What a viewer of Palais Royal may not know, and how to exchange it for something else."""

from random import Random
from typing import Any

REVEALING = {"cards_seen", "cards_kept", "privilege_played"}


def swapped(document: Any, viewer: int, rng: Random) -> Any:
    """The same document with all cards that the viewer cannot see, in the deck and in other hands, dealt anew."""
    hands = [hand for seat, hand in enumerate(document["hands"]) if seat != viewer]
    places = [document["box"]["deck"], *(hand[pile] for hand in hands for pile in ("cards", "pending"))]
    cards = [card for place in places for card in place]
    rng.shuffle(cards)
    for place in places:
        place[:] = [cards.pop() for _ in place]
    return document
