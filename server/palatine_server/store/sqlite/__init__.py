"""The embedded store: one SQLite file in a data directory, served by one process.

One thread writes. It carries out all waiting changes in one transaction, makes them durable with one sync of the disk,
and only then returns their outcomes. Readers have connections of their own, see only durable data, and wait for no
writer. The version of a table is the number of the last entry in its log, and is stored nowhere else. An unused table
expires some time after its last entry, with everything that belongs to it.
"""

from ..contract import CannotOpen
from .connections import StoreLocked
from .store import SqliteStore

__all__ = ["CannotOpen", "SqliteStore", "StoreLocked"]
