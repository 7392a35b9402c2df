"""The plan of a load run."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

PROBE_THINK = (0.1, 0.3)  # seconds before each action of the probe
PING_INTERVAL = 0.02  # seconds between two pings of the probe


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
    has_probe: bool = True  # whether a process of its own measures the server beside the load
    ping_interval: float = 0.0  # seconds between two pings on one more connection; 0: none
    options: dict[str, Any] = {}

    def shares(self) -> list[Plan]:
        """Return what each worker does."""
        return [
            structs.replace(self, tables=tables, idle=idle, processes=1)
            for tables, idle in zip(_split(self.tables, self.processes), _split(self.idle, self.processes), strict=True)
        ]

    def probe_share(self) -> Plan:
        """Return what the probe does: one table of the same kind, and pings."""
        tables = min(1, self.tables)
        return structs.replace(self, tables=tables, idle=0, processes=1, think=PROBE_THINK, ping_interval=PING_INTERVAL)

    @property
    def viewers(self) -> int:
        """Return how many connections see each action."""
        return self.players + self.spectators

    @property
    def connections(self) -> int:
        """Return how many connections there are in all."""
        return self.tables * self.viewers + self.idle


def _split(number: int, parts: int) -> list[int]:
    return [number * (part + 1) // parts - number * part // parts for part in range(parts)]
