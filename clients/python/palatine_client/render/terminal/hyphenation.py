"""Hyphenation of English and German names that are too long for a narrow box."""

from __future__ import annotations

import re

_SOFT = "\N{SOFT HYPHEN}"  # shown only at the end of a line

FAIR_REST = 4  # the fewest letters that may move to the next line

# A syllable begins with a consonant before a vowel. Letters of one sound, and consonants before l or r, stay together.
_TOGETHER = "sch[lmnrw]?|ch|ck|ph|th|sh|qu|st|sp|[bcdfgkpt][lr]"
_SYLLABLE = re.compile(rf"(?=(?:{_TOGETHER}|[bcdfghjklmnpqrstvwxz])[aeiouyäöü])|(?<=-)", re.IGNORECASE)
_INSIDE = re.compile(r".*?(?:sc|ch|ck|ph|th|sh|qu|sch[lmnrw]|[bcdfgkpt][lr]|[^aeiouyäöü]s[tp])", re.IGNORECASE)

# Most long words are compounds that end in one of these.
_LAST_PART = re.compile(
    r"(?<=\w\w\w)(?:kammer|zimmer|raum|stube|garten|halle|saal|salon|keller|vorrat|stall|teich|haus|platz|grube|werkstatt"
    r"|quartier|eingang|kabinett|warte|küche|ecke|räume|house|room|place|making|waiter)$"
)


def wrap_name(name: str, width: int) -> list[str]:
    """Return the name in lines of at most this width."""
    lines = [""]
    for piece in (piece for word in name.split() for piece in split_word(word, width)):
        joined = _join_piece(lines[-1], piece)
        lines[-1:] = [joined] if len(joined) <= width else [lines[-1], piece]
    return [line.replace(_SOFT, "-") for line in lines if line]


def _join_piece(line: str, piece: str) -> str:
    return line[:-1] + piece if line.endswith(_SOFT) else f"{line} {piece}".strip()


def split_word(word: str, width: int) -> list[str]:
    """Split a word into pieces of at most this width that end in a hyphen."""
    if len(word) <= width:
        return [word]
    if last := _LAST_PART.search(word):
        return [*split_word(word[: last.start()] + _SOFT, width), *split_word(last[0], width)]
    head, tail = _split_once(word, max(width, 2))
    return [head, *split_word(tail, width)]


def _split_once(word: str, width: int) -> tuple[str, str]:
    """Split off as many syllables as fit, with a hyphen; a word without a good break is split anywhere."""
    fitting = [at for at in _find_breaks(word) if at + (word[at - 1] != "-") <= width]
    at = max(fitting, key=lambda at: (len(word) - at >= FAIR_REST, at), default=width - 1)
    return word[:at] + ("" if word[at - 1] == "-" else _SOFT), word[at:]


def _find_breaks(word: str) -> list[int]:
    places = (match.start() for match in _SYLLABLE.finditer(word))
    return [at for at in places if at >= 2 and not _INSIDE.fullmatch(word[max(at - 3, 0) : at + 1])]
