"""The embedded store: one SQLite file in a data directory, served by one process.

One thread writes. Whatever waits for it is carried out in one transaction, made durable by one sync of the disk, and
only then is anybody answered. Readers have connections of their own, see only what is durable, and wait for no writer.
The log is the truth about a table's version: it is the number of its last entry, kept nowhere else. A table nobody
plays at any more is taken away some time after its last entry, with everything that belongs to it.
"""

from ..contract import CannotOpen
from .connections import StoreLocked
from .store import SqliteStore

__all__ = ["CannotOpen", "SqliteStore", "StoreLocked"]
