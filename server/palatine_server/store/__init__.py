"""The store: the log of every table, durable before anybody hears of it."""

from .contract import (
    Append,
    CannotOpen,
    Committed,
    Damaged,
    Duplicate,
    Gone,
    HistoryChanged,
    IdReused,
    Keep,
    Outcome,
    Overloaded,
    RequestKey,
    Span,
    Stale,
    Store,
    Stored,
    Summary,
    Unavailable,
    milliseconds,
)
from .hash_chain import Head
from .together import some_at_a_time

__all__ = [
    "Append",
    "CannotOpen",
    "Committed",
    "Damaged",
    "Duplicate",
    "Gone",
    "Head",
    "HistoryChanged",
    "IdReused",
    "Keep",
    "Outcome",
    "Overloaded",
    "RequestKey",
    "Span",
    "Stale",
    "Store",
    "Stored",
    "Summary",
    "Unavailable",
    "milliseconds",
    "some_at_a_time",
]
