"""Values of unknown type and length: tables, texts and numbers are taken only if they are what they should be."""

from __future__ import annotations

from typing import Any

from ...screen_text import CUT as CUT
from ...screen_text import screen_text

LONGEST = 500  # characters of one name or sentence
LARGEST = 10**18  # numbers beyond it are not shown

Plain = dict[str, Any]


def get_table(value: Any, *keys: str) -> Plain:
    """Return the table under these keys; an empty one if there is none."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, dict) else {}


def get_list(value: Any, key: str) -> list[Any]:
    """Return the list under a key; an empty one if there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return found if isinstance(found, list) else []


def get_text(value: Any, key: str) -> str:
    """Return the text under a key in one clean line; nothing if there is none."""
    found = value.get(key) if isinstance(value, dict) else None
    return clean_line(found) if isinstance(found, str) else ""


def clean_line(text: str) -> str:
    """Return a text as one line of bounded length, without characters that a terminal obeys."""
    return " ".join(screen_text(text[: LONGEST + 1], LONGEST).split())


def humanise_name(name: object) -> str:
    """Turn an identifier into readable words."""
    words = clean_line(str(name).replace("_", " "))
    return words[:1].upper() + words[1:]


def format_number(number: float) -> str:
    """Return a number in digits, unless it has too many of them."""
    return str(number) if -LARGEST < number < LARGEST else CUT
