"""The store: the log of every table, durable before anybody hears of it."""

from .contract import (
    Append,
    CannotOpen,
    Committed,
    Duplicate,
    Gone,
    IdReused,
    Keep,
    Outcome,
    Overloaded,
    RequestKey,
    Stale,
    Store,
    Stored,
    Summary,
    Unavailable,
    milliseconds,
)
from .together import some_at_a_time

__all__ = [
    "Append",
    "CannotOpen",
    "Committed",
    "Duplicate",
    "Gone",
    "IdReused",
    "Keep",
    "Outcome",
    "Overloaded",
    "RequestKey",
    "Stale",
    "Store",
    "Stored",
    "Summary",
    "Unavailable",
    "milliseconds",
    "some_at_a_time",
]
