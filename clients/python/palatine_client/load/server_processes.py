"""The memory and CPU of a server on this machine, measured from outside."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from time import monotonic

PROC = Path("/proc")
TICKS, PAGE = os.sysconf("SC_CLK_TCK"), os.sysconf("SC_PAGE_SIZE")


class ServerProcesses:
    """The processes with these ids, and all their children."""

    def __init__(self, pids: Iterable[int]) -> None:
        self.pids = list(pids)
        self.memory_before = self.memory()
        self.begin()

    def begin(self) -> None:
        """Measure CPU from now on."""
        self._since, self._before, self._starved_before = monotonic(), self._seconds(), self._seconds_starved()

    def memory(self) -> int:
        """Return the resident memory in bytes."""
        return sum(int((PROC / str(pid) / "statm").read_text().split()[1]) * PAGE for pid in self._family())

    def cpu(self) -> float:
        """Return the share of a core since the measurement began."""
        return (self._seconds() - self._before) / max(monotonic() - self._since, 1e-9)

    def starved(self) -> float:
        """Return the share of the time since the measurement began in which it waited for a busy core."""
        return (self._seconds_starved() - self._starved_before) / max(monotonic() - self._since, 1e-9)

    def _seconds_starved(self) -> float:
        return sum(_nanoseconds_in_queue(pid) for pid in self._family()) / 1e9

    def _seconds(self) -> float:
        return sum(sum(map(int, _stat(pid)[11:13])) for pid in self._family()) / TICKS

    def _family(self) -> list[int]:
        parents = {int(path.name): _parent(int(path.name)) for path in PROC.iterdir() if path.name.isdecimal()}
        family = [*self.pids]
        for member in family:  # the loop also visits the processes that it appends
            family += [pid for pid, parent in parents.items() if parent == member]
        return family


def _parent(pid: int) -> int:
    try:
        return int(_stat(pid)[1])
    except OSError:  # the process has ended meanwhile
        return 0


def _nanoseconds_in_queue(pid: int) -> int:
    """Return how long the main thread was ready to run without running; 0 where the kernel does not count it."""
    try:
        return int((PROC / str(pid) / "schedstat").read_text().split()[1])
    except (OSError, IndexError):
        return 0


def _stat(pid: int) -> list[str]:
    """Return the fields of /proc/pid/stat after the name, which may contain spaces."""
    return (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
