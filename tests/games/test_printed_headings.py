"""Every chapter of RULES.md says where it stands in the printed rulebook, and names no rule that does not exist."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from palatine_server.games.registry import GAMES

PREFIX = {"between_two_castles": "B2C", "noblemen": "NM"}
RULE = re.compile(r"\b[A-Z]+(?:-[A-Z]+)?-\d+\b")
RANGE = re.compile(r"\b(([A-Z]+(?:-[A-Z]+)?)-(\d+)) to \2-(\d+)\b")
SAID = re.compile(r"\*Printed:\* (.+?)\n\n", re.DOTALL)
IN_EACH_GAME = pytest.mark.parametrize("game", PREFIX)


def chapters(game: str) -> dict[str, str]:
    """The text of each chapter, by its heading."""
    text = (GAMES[game].folder / "RULES.md").read_text(encoding="utf-8")
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    return {heading: rest for heading, _, rest in (part.partition("\n") for part in parts)}


def named(printed: str) -> Iterator[str]:
    """The rules that such a line names, and those between the ends of a range."""
    line = " ".join(printed.split())
    yield from RULE.findall(line)
    for _, group, first, last in RANGE.findall(line):
        yield from (f"{group}-{number}" for number in range(int(first), int(last) + 1))


@IN_EACH_GAME
def test_every_chapter_names_its_printed_heading(game: str) -> None:
    assert len(chapters(game)) > 15
    assert not [heading for heading, text in chapters(game).items() if not SAID.match(text)]


@IN_EACH_GAME
def test_the_rules_named_there_stand_in_the_chapter(game: str) -> None:
    for heading, text in chapters(game).items():
        found = SAID.match(text)
        assert found
        rest = text[found.end() :]
        for rule in {*named(found[1])} - {*re.findall(r"NM-AMB-\d+|A-\d+", found[1])}:
            assert re.search(rf"\b{PREFIX[game]}-{rule}\b", rest) or rule.startswith("AMB"), (heading, rule)


def test_noblemen_every_printed_rule_is_led_to() -> None:
    """Where a chapter tells its rules apart, all that the rulebook states are named."""
    for heading, text in chapters("noblemen").items():
        found = SAID.match(text)
        assert found
        leads = {*named(found[1])}
        stated = re.findall(r"^- NM-([A-Z]+-\d+) \[R", text, flags=re.MULTILINE)
        if heading.startswith(("1.", "17.")):  # components, and the end, which the book tells in the same order
            continue
        assert not {*stated} - leads, heading
