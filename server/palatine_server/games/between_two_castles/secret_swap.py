"""What a viewer of Between Two Castles may not know, and how to exchange it for something else."""

from typing import Any

from ..kit import RandomSource, SecretSwap
from .catalog import CARDS, ROOMS

REVEALING = {
    "round_began",
    "hands_passed",
    "ludwig_tiles_drawn",
    "ludwig_tiles_assigned",
    "tiles_revealed",
    "tiles_drawn",
    "cards_drawn",
    "room_gained",
    "card_kept",
}


def swapped(document: Any, viewer: int, rng: RandomSource) -> Any:
    """The same document with every tile and card that the viewer cannot see exchanged for another such."""
    seen = set(names([document["board"], document["hands"][viewer]]))
    exchange: dict[str, str] = {}
    for pieces in (ROOMS, CARDS):
        hidden = [piece for piece in pieces if piece not in seen]
        exchange |= dict(zip(hidden, rng.sample(hidden, len(hidden)), strict=True))
    return exchanged(document, exchange)


def exchanged(value: Any, exchange: dict[str, str]) -> Any:
    if isinstance(value, dict):
        return {key: exchanged(item, exchange) for key, item in value.items()}
    if isinstance(value, list):
        return [exchanged(item, exchange) for item in value]
    return exchange.get(value, value) if isinstance(value, str) else value


def names(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [name for item in value.values() for name in names(item)]
    if isinstance(value, list):
        return [name for item in value for name in names(item)]
    return [value] if isinstance(value, str) else []


SECRETS = SecretSwap(swapped, REVEALING)
