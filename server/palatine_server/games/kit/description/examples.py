"""Examples of play for authors of clients, in `examples.json`; `palatine check --record` writes this file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

EXAMPLES: Final = "examples.json"
GROUPS: Final = ("actions", "news", "refusals", "questions")


def read_examples(folder: Path) -> dict[str, Any]:
    """Return the examples in the folder of a game, by group; a game without the file has none."""
    file = folder / EXAMPLES
    found = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {"games": found.get("games", []), **{group: found.get(group, {}) for group in GROUPS}}
