"""The plan of a load run."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs


class Plan(Struct, frozen=True, kw_only=True):
    """Who plays what, where, how fast and for how long."""

    url: str
    game: str
    tables: int
    players: int
    spectators: int = 0
    idle: int = 0  # connections that say hello and then nothing
    think: tuple[float, float] | None = None  # seconds before an action, from and to; None: none at all
    at_once: int = 0  # actions under way at one table; 0: as many as the game allows
    warmup: float = 2.0  # seconds
    seconds: float = 10.0
    processes: int = 1
    options: dict[str, Any] = {}

    def shares(self) -> list[Plan]:
        """What each process does."""
        return [
            structs.replace(self, tables=tables, idle=idle, processes=1)
            for tables, idle in zip(_split(self.tables, self.processes), _split(self.idle, self.processes), strict=True)
        ]

    @property
    def viewers(self) -> int:
        """Who sees each action."""
        return self.players + self.spectators


def _split(number: int, parts: int) -> list[int]:
    return [number * (part + 1) // parts - number * part // parts for part in range(parts)]
