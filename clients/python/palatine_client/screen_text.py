"""Foreign text for a screen: what servers, players and files say can move no cursor and hide nothing.

Foreign is everything that another machine or person wrote: names, talk, ids, titles, catalogs, sentences of refusals,
fields of records, addresses. Each character that a terminal would obey or would not show becomes one visible `�`: the
length stays, and a reader sees that something was there. Rich markup is left as it is: a `ScreenConsole` does not read
it.
"""

from __future__ import annotations

import re
import unicodedata

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
LONGEST = 65_536  # characters of one text; a whole table in words has a tenth of that
CUT = "…"

# Escapes and other controls, directions (bidi) and zero widths, halves of characters, separators of lines.
_OBEYED = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
# Invisible characters that Unicode counts as letters or marks, or has not assigned: fillers and hidden selectors.
_INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2065\u3164\uffa0\U000e0000-\U000e0fff]")
_JOINERS = "\u200c\u200d"  # emoji and some scripts need them, so they stay behind other characters than ASCII
_PILED_UP = re.compile("(?<=[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{4})"
                       "[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+")  # fmt: skip


def screen_text(foreign: object, longest: int = LONGEST) -> str:
    """Return foreign text as one line that a terminal only shows."""
    return screen_lines(foreign, longest).replace("\n", " ")


def screen_lines(foreign: object, longest: int = LONGEST) -> str:
    """Return foreign text as lines that a terminal only shows; tabs become spaces."""
    text = str(foreign)
    if len(text) > longest:
        text = text[: longest - 1] + CUT
    return text if is_harmless(text) else _cleaned(text)


def is_harmless(text: str) -> bool:
    """Tell whether a terminal shows all of this text and obeys none of it."""
    return text.replace("\n", "").isprintable() and not _INVISIBLE.search(text) and not _PILED_UP.search(text)


def _cleaned(text: str) -> str:
    kept = "".join(_shown(char, before) for before, char in zip("\0" + text, text, strict=False))
    shown = _INVISIBLE.sub(REPLACEMENT, kept)
    return _PILED_UP.sub(lambda found: REPLACEMENT * len(found[0]), shown)


def _shown(char: str, before: str) -> str:
    if char == "\n" or (char in _JOINERS and not before.isascii()):
        return char
    if char == "\t":
        return " "
    return REPLACEMENT if unicodedata.category(char) in _OBEYED else char


def screen_json(encoded: bytes) -> str:
    """Return JSON with everything escaped that a terminal would obey; JSON itself escapes only a part of that."""
    text = encoded.decode()
    if is_harmless(text):
        return text
    return "".join(_escaped(char) for char in _PILED_UP.sub(lambda found: "".join(map(_escape, found[0])), text))


def _escaped(char: str) -> str:
    is_obeyed = char != "\n" and unicodedata.category(char) in _OBEYED
    return _escape(char) if is_obeyed or _INVISIBLE.match(char) else char


def _escape(char: str) -> str:
    pair = char.encode("utf-16-be").hex()
    return "".join(f"\\u{pair[at : at + 4]}" for at in range(0, len(pair), 4))
