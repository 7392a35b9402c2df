"""The offer of a seat: all actions that it may choose from now."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from palatine_protocol import offers
from palatine_protocol.offers import Choice

Action = Mapping[str, Any]


class Offer:
    """All actions that a seat may choose from now."""

    def __init__(self, choices: list[Choice], rng: Random) -> None:
        self.choices, self._rng = choices, rng

    def random(self, rng: Random | None = None) -> dict[str, Any]:
        """Return one action, each with the same probability."""
        return offers.drawn(self.choices, (rng or self._rng).randrange)

    def list(self) -> list[dict[str, Any]]:
        """Return every action; call `count` first, because there may be many."""
        return [*self]

    def count(self) -> int:
        """Return how many actions there are."""
        return offers.count(self.choices)

    def permits(self, action: Action) -> bool:
        """Return whether this action is offered."""
        return offers.permits(self.choices, action)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return offers.listed(self.choices)

    def __contains__(self, action: Action) -> bool:
        return self.permits(action)
