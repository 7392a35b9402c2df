"""The store: the log of every table, durable before anybody hears of it."""

from .contract import (
    CannotOpen,
    Committed,
    Duplicate,
    Gone,
    IdReused,
    Keep,
    Outcome,
    RequestKey,
    Stale,
    Store,
    Stored,
    Summary,
    Unavailable,
)

__all__ = [
    "CannotOpen",
    "Committed",
    "Duplicate",
    "Gone",
    "IdReused",
    "Keep",
    "Outcome",
    "RequestKey",
    "Stale",
    "Store",
    "Stored",
    "Summary",
    "Unavailable",
]
