"""The games that are measured, and the bars for each."""

from __future__ import annotations

from dataclasses import dataclass

WIRE_ALLOWANCE = 0.05  # over the wire a bar is this much higher, because sockets cost the same for both


@dataclass(frozen=True)
class Case:
    """A game with a number of players; the bar is a ratio to the reference."""

    game: str
    players: int
    bar: float | None = None

    @property
    def name(self) -> str:
        return f"{self.game} {self.players}"


CASES = (
    Case("between_two_castles", 4, 0.5),
    Case("between_two_castles", 7, 0.5),
    Case("palais_royal", 4, 0.6),
    Case("noblemen", 5, 0.55),
    Case("counter", 4),  # its bar is one of `make peers`
)
