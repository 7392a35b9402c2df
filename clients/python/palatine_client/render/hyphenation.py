"""Hyphenation of English and German names that are too long for a narrow box."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise

Measure = Callable[[str], float]
_SOFT = "\N{SOFT HYPHEN}"  # shown only at the end of a line

FAIR_REST = 4  # the fewest letters that may move to the next line

# A syllable begins with a consonant before a vowel. Letters of one sound, and consonants before l or r, stay together.
_TOGETHER = "sch[lmnrw]?|ch|ck|ph|th|sh|qu|st|sp|[bcdfgkpt][lr]"
_SYLLABLE = re.compile(rf"(?=(?:{_TOGETHER}|[bcdfghjklmnpqrstvwxz])[aeiouyäöü])|(?<=-)", re.IGNORECASE)
_INSIDE = re.compile(r".*?(?:sc|ch|ck|ph|th|sh|qu|sch[lmnrw]|[bcdfgkpt][lr]|[^aeiouyäöü]s[tp])", re.IGNORECASE)

# Most long words are compounds that end in one of these.
_PARTS = (
    "teesalon|kammer|zimmer|raum|stube|garten|halle|saal|salon|keller|vorrat|stall|teich|haus|platz|grube|werkstatt"
    "|quartier|eingang|kabinett|warte|küche|ecke|räume|house|room|place|making|waiter"
)
_LAST_PART = re.compile(rf"(?<=\w\w\w)(?:{_PARTS})$")
_BEGINS_PART = re.compile(rf"(?:{_PARTS})\b")


def breaks_at_parts(lines: Sequence[str], name: str) -> bool:
    """Return whether the words of a wrapped name are broken only between the parts of compounds."""
    return all(
        not line.endswith("-") or line.split()[-1] in name or _BEGINS_PART.match(after)
        for line, after in pairwise(lines)
    )


def wrap_name(name: str, width: float, measure: Measure = len) -> list[str]:
    """Return the name in lines of at most this width, in characters or in the units of a measure."""
    lines = [""]
    for piece in (piece for word in name.split() for piece in split_word(word, width, measure)):
        joined = _join_piece(lines[-1], piece)
        lines[-1:] = [joined] if measure(joined) <= width else [lines[-1], piece]
    return [line.replace(_SOFT, "-") for line in lines if line]


def _join_piece(line: str, piece: str) -> str:
    return line[:-1] + piece if line.endswith(_SOFT) else f"{line} {piece}".strip()


def split_word(word: str, width: float, measure: Measure = len) -> list[str]:
    """Split a word into pieces of at most this width that end in a hyphen."""
    if measure(word) <= width or len(word) < 3:
        return [word]
    if last := _LAST_PART.search(word):
        head, tail = word[: last.start()] + _SOFT, last[0]
    else:
        head, tail = _split_once(word, width, measure)
    return [*split_word(head, width, measure), *split_word(tail, width, measure)]


def _split_once(word: str, width: float, measure: Measure) -> tuple[str, str]:
    """Split off as many syllables as fit, with a hyphen; a word without a good break is split anywhere."""
    fitting = [at for at in _find_breaks(word) if measure(_end_line(word[:at])) <= width]
    at = max(fitting, key=lambda at: (len(word) - at >= FAIR_REST, at), default=0) or _find_cut(word, width, measure)
    return _end_line(word[:at]), word[at:]


def _find_cut(word: str, width: float, measure: Measure) -> int:
    cuts = (at for at in range(len(word) - 1, 1, -1) if measure(_end_line(word[:at])) <= width)
    return next(cuts, 1)


def _end_line(head: str) -> str:
    return head if head.endswith("-") else head + _SOFT


def _find_breaks(word: str) -> list[int]:
    places = (match.start() for match in _SYLLABLE.finditer(word))
    return [at for at in places if at >= 2 and not _INSIDE.fullmatch(word[max(at - 3, 0) : at + 1])]
