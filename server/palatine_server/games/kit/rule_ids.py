"""Rule ids, as RULES.md writes them: `LQ-LAY-2`. All ids of a game begin with the same letters.

An id is defined at the beginning of a line, of an item of a list, of a row of a table or of a sentence.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

ID: Final = r"[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*-\d+"
DEFINED: Final = re.compile(rf"(?m)^[ \t]*(?:[-*+|#]+|\d+[.)])?[ \t]*[*`]*({ID})\b")
IN_LINE: Final = re.compile(rf"(?<=[.!?] )({ID})\b")


def find_prefix(text: str) -> str:
    """Return the letters with which most ids begin that a line defines; "" if there are none."""
    prefixes = Counter(rule.partition("-")[0] for rule in DEFINED.findall(text))
    return prefixes.most_common(1)[0][0] if prefixes else ""


def list_defined(text: str) -> set[str]:
    """Return all ids that a text defines."""
    prefix = find_prefix(text)
    return {rule for rule in [*DEFINED.findall(text), *IN_LINE.findall(text)] if rule.partition("-")[0] == prefix}
