"""The clean-stop mark: it records in the lock file that the last server stopped cleanly, and the file's state then.

Without the mark, or when the file has another size or time than it says, the file is checked
before it is served: after a crash or a power cut, after a restored backup, after a copy by hand. An earlier version of
Palatine left no mark either.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

LENGTH = 80  # bytes; longer than any mark


def write_owner(lock: int) -> None:
    """Write into the lock file who serves the file from now on; this takes the mark away, durably."""
    _write(lock, str(os.getpid()))


def write_mark(lock: int, file: Path) -> None:
    """Write the mark, unless entries are left in the write-ahead log; without a mark the next start checks the file."""
    with suppress(OSError):
        if _has_log(file):
            return
        _write(lock, f"closed {_state_of(file)}")


def is_marked(lock: int, file: Path) -> bool:
    """Return whether the file is as the last server left it after a clean stop."""
    try:
        return read_lock(lock) == f"closed {_state_of(file)}"
    except OSError:
        return False


def read_lock(lock: int) -> str:
    """Return what the lock file says: a process id, or a mark."""
    return os.pread(lock, LENGTH, 0).decode(errors="replace").strip()


def _has_log(file: Path) -> bool:
    """Return whether something is still in the write-ahead log, because it found no room in the file."""
    log = file.with_name(f"{file.name}-wal")
    return log.exists() and log.stat().st_size > 0


def _state_of(file: Path) -> str:
    found = file.stat()
    return f"{found.st_size} {found.st_mtime_ns}"


def _write(lock: int, words: str) -> None:
    os.pwrite(lock, f"{words:<{LENGTH}}".encode(), 0)
    os.fsync(lock)
