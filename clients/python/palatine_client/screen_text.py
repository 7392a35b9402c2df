"""Cleaning of untrusted text for a terminal, so that it cannot move the cursor or hide anything.

Text is untrusted if another machine or person wrote it: names, chat, ids, titles, catalogs, sentences of refusals,
fields of records, addresses. Each character that a terminal would obey or would not show becomes one visible `�`, so
the length stays and a reader sees that something was there. Rich markup stays as it is, because a `ScreenConsole` does
not interpret it.
"""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST = 65_536  # characters of one text; the narration of a whole table is ten times shorter
CUT = "…"

# Escapes and other controls, directions (bidi) and zero widths, surrogates, line separators.
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Invisible characters that Unicode classifies as letters or marks, or has not assigned: fillers and hidden selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\uffa0\U000e0000-\U000e0fff]")
_JOINERS = "\u200c\u200d"  # emoji and some scripts need them, so they stay after characters outside ASCII
_PILED_UP = re.compile("(?<=[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})"
                       "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")  # fmt: skip


def screen_text(untrusted: object, longest: int = LONGEST) -> str:
    """Return untrusted text as one line without characters that a terminal would obey."""
    return screen_lines(untrusted, longest).replace("\n", " ")


def screen_lines(untrusted: object, longest: int = LONGEST) -> str:
    """Return untrusted text as lines without characters that a terminal would obey; tabs become spaces."""
    text = str(untrusted)
    if len(text) > longest:
        text = text[: longest - 1] + CUT
    return text if is_harmless(text) else _clean(text)


def is_harmless(text: str) -> bool:
    """Return whether a terminal shows all of this text and obeys none of it."""
    return text.replace("\n", "").isprintable() and not _INVISIBLE.search(text) and not _PILED_UP.search(text)


def _clean(text: str) -> str:
    kept = "".join(_clean_char(char, before) for before, char in zip("\0" + text, text, strict=False))
    shown = _INVISIBLE.sub(REPLACEMENT, kept)
    return _PILED_UP.sub(lambda found: REPLACEMENT * len(found[0]), shown)


def _clean_char(char: str, before: str) -> str:
    if char == "\n" or (char in _JOINERS and not before.isascii()):
        return char
    if char == "\t":
        return " "
    return REPLACEMENT if unicodedata.category(char) in _OBEYED else char


def screen_json(encoded: bytes) -> str:
    """Return JSON in which every character that a terminal would obey is escaped; JSON itself escapes only some."""
    text = encoded.decode()
    if is_harmless(text):
        return text
    escaped = _PILED_UP.sub(lambda found: "".join(map(_escape, found[0])), text)
    return "".join(map(_escape_if_obeyed, escaped))


def _escape_if_obeyed(char: str) -> str:
    is_obeyed = char != "\n" and unicodedata.category(char) in _OBEYED
    return _escape(char) if is_obeyed or _INVISIBLE.match(char) else char


def _escape(char: str) -> str:
    pair = char.encode("utf-16-be").hex()
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))
