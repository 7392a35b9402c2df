"""Shared strings: tables that are read from the store share one copy of each piece's name."""

from __future__ import annotations

from sys import intern
from typing import Any


def with_shared_strings(value: Any) -> Any:
    """Return equal plain data whose strings are shared with all other tables."""
    if type(value) is str:
        return intern(value)
    if type(value) is list:
        return [with_shared_strings(item) for item in value]
    if type(value) is dict:
        return {key: with_shared_strings(item) for key, item in value.items()}
    return value
