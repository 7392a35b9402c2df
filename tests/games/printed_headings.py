"""Printed headings: where each chapter of RULES.md stands in the printed rulebook, with its rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palatine_server.games.kit import Game

RULE = re.compile(r"\b[A-Z]+(?:-[A-Z]+)?-\d+\b")
RANGE = re.compile(r"\b(([A-Z]+(?:-[A-Z]+)?)-(\d+)) to \2-(\d+)\b")
SAID = re.compile(r"\*Printed:\* (.+?)\n\n", re.DOTALL)


def chapters(game: Game) -> dict[str, str]:
    """The text of each chapter, by its heading."""
    text = (game.folder / "RULES.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {heading: rest for heading, _, rest in (part.partition("\n") for part in parts)}


def named(printed: str) -> Iterator[str]:
    """The rules that such a line names, and those between the ends of a range."""
    line = " ".join(printed.split())
    yield from RULE.findall(line)
    for _, group, first, last in RANGE.findall(line):
        yield from (f"{group}-{number}" for number in range(int(first), int(last) + 1))


def require_headings(game: Game, prefix: str) -> None:
    """Every chapter names its printed heading, and the rules named there stand in the chapter."""
    assert len(chapters(game)) > 15
    for heading, text in chapters(game).items():
        found = SAID.match(text)
        assert found, heading
        rest = text[found.end() :]
        for rule in {*named(found[1])} - {*re.findall(rf"{prefix}-AMB-\d+|A-\d+", found[1])}:
            assert re.search(rf"\b{prefix}-{rule}\b", rest) or rule.startswith("AMB"), (heading, rule)
