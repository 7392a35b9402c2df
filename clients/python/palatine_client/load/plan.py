"""The plan of a load run."""

from __future__ import annotations

from typing import Any

from msgspec import Struct, structs

PROBE_THINK = (0.1, 0.3)  # seconds before each action of the probe
PING_INTERVAL = 0.02  # seconds between two pings of the probe


class Plan(Struct, frozen=True, kw_only=True):
    """The server, the game, the numbers of tables and players, the pace and the length of a load run."""

    url: str
    game: str
    tables: int
    players: int
    spectators: int = 0
    idle: int = 0  # connections that send hello and then only pings
    think: tuple[float, float] | None = None  # least and most seconds before an action; None means no delay
    at_once: int = 0  # actions under way at one table; 0 means as many as the game allows
    warmup: float = 2.0  # seconds
    seconds: float = 10.0
    processes: int = 1
    has_probe: bool = True  # whether a separate process measures the server during the run
    ping_interval: float = 0.0  # seconds between two pings on a separate connection; 0 means no pings
    options: dict[str, Any] = {}

    def shares(self) -> list[Plan]:
        """Return the plan of each worker."""
        return [
            structs.replace(self, tables=tables, idle=idle, processes=1)
            for tables, idle in zip(_split(self.tables, self.processes), _split(self.idle, self.processes), strict=True)
        ]

    def probe_share(self) -> Plan:
        """Return the plan of the probe: one table of the same kind, and pings."""
        tables = min(1, self.tables)
        return structs.replace(self, tables=tables, idle=0, processes=1, think=PROBE_THINK, ping_interval=PING_INTERVAL)

    @property
    def viewers(self) -> int:
        """The number of connections that receive each action."""
        return self.players + self.spectators

    @property
    def connections(self) -> int:
        """The number of connections of all tables and idle users."""
        return self.tables * self.viewers + self.idle


def _split(number: int, parts: int) -> list[int]:
    return [number * (part + 1) // parts - number * part // parts for part in range(parts)]
