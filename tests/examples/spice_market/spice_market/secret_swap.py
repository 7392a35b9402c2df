"""How to exchange what a viewer may not know: the deck, the cards of others, and what they laid face down."""

from typing import Any

from palatine_server.games.kit import RandomSource, SecretSwap


def swapped(document: Any, viewer: int, rng: RandomSource) -> Any:
    """Deal all cards anew that the viewer cannot see."""
    others = [hand for seat, hand in enumerate(document["hands"]) if seat != viewer]
    bids = [hand["bid"] for hand in others if hand["bid"]]
    pool = [*document["box"]["deck"], *bids, *(card for hand in others for card in hand["cards"])]
    rng.shuffle(pool)
    for hand in others:
        hand["bid"] = pool.pop() if hand["bid"] else ""
        hand["cards"] = [pool.pop() for _ in hand["cards"]]
    document["box"]["deck"] = pool
    return document


SECRETS = SecretSwap(swapped, {"bids_revealed"})
