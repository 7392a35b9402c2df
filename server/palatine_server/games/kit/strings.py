"""Shared strings: tables that are read from the store share one copy of each piece's name."""

from __future__ import annotations

from sys import intern
from typing import Any, Final

LONGEST_WORD: Final = 64  # characters, as many as a seed has; longer strings are sentences


def share_strings(value: Any) -> Any:
    """Return equal plain data whose words are shared with all other tables."""
    if type(value) is str:
        return intern(value) if len(value) <= LONGEST_WORD else value
    if type(value) is list:
        return [share_strings(item) for item in value]
    if type(value) is dict:
        return {key: share_strings(item) for key, item in value.items()}
    return value
