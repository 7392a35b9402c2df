"""Write the vectors for drawing, after rules or words were changed on purpose; `make vectors` runs this."""

from __future__ import annotations

import json
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from palatine_server.games.registry import GAMES

VECTORS = Path(__file__).parent.parent.parent / "protocol" / "vectors" / "drawing"
DRAWN = [game for game in GAMES if find_spec(f"drawing.{game}")]  # games whose facts are written down


def build_vectors(game: str) -> list[dict[str, Any]]:
    """Return the moments of a game with the facts that a picture of each must show."""
    module = import_module(f"drawing.{game}")
    return [
        {"name": moment.name, "view": moment.view(), "facts": [each.plain() for each in module.list_facts(moment)]}
        for moment in module.list_moments()
    ]


def format_vectors(vectors: list[dict[str, Any]]) -> str:
    """Return the text of a file: one line for a view and for each fact, so that a difference can be read."""
    return "[\n" + ",\n".join(map(format_moment, vectors)) + "\n]\n"


def format_moment(vector: dict[str, Any]) -> str:
    facts = ",\n  ".join(json.dumps(fact, ensure_ascii=False) for fact in vector["facts"])
    view = json.dumps(vector["view"], ensure_ascii=False, separators=(",", ":"))
    return f'{{"name": {json.dumps(vector["name"])},\n "view": {view},\n "facts": [\n  {facts}\n ]}}'


def find_file(game: str) -> Path:
    """Return the path of the vectors of a game."""
    return VECTORS / f"{game}.json"


if __name__ == "__main__":
    VECTORS.mkdir(parents=True, exist_ok=True)
    for game in DRAWN:
        find_file(game).write_text(format_vectors(build_vectors(game)), encoding="utf-8")
