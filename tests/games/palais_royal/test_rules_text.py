"""RULES.md: somebody with the printed book finds the text of every rule."""

import re

import pytest
from games.palais_royal.situations import GAME

RULES = (GAME.folder / "RULES.md").read_text(encoding="utf-8")
CHAPTERS = re.split(r"^(?=## \d+\. )", RULES, flags=re.MULTILINE)[1:]
PRINTED = "\n*Printed:* "


def title(text):
    return text.splitlines()[0]


def sections(chapter):
    """The parts of a chapter with a heading of their own, or the chapter."""
    parts = re.split(r"^(?=### )", chapter, flags=re.MULTILINE)[1:]
    return parts or [chapter]


def of_chapters(first, last):
    return [part for chapter in CHAPTERS[first - 1 : last] for part in sections(chapter)]


def said_to_be_printed(section):
    (line,) = (line for line in section.splitlines() if line.startswith(PRINTED.strip()))
    return line


@pytest.mark.parametrize("section", of_chapters(1, 16), ids=title)
def test_every_chapter_names_the_printed_heading_it_comes_from(section):
    assert section.count(PRINTED) == 1
    assert len(said_to_be_printed(section)) > len(PRINTED)


@pytest.mark.parametrize("section", of_chapters(2, 14), ids=title)
def test_every_rule_is_named_with_its_paragraph_or_as_ours(section):
    rules = set(re.findall(r"\*\*PR-([A-Z]+-\d+)", section))
    named = set(numbers_in(said_to_be_printed(section)))
    assert named >= rules
    assert all(f"**PR-{name} " in RULES or f"**PR-{name}**" in RULES for name in named)


def numbers_in(line):
    """All rules that a line names, `X-1 to X-3` written out."""
    yield from re.findall(r"[A-Z]+-\d+", line)
    for kind, first, last in re.findall(r"([A-Z]+)-(\d+) to \1-(\d+)", line):
        yield from (f"{kind}-{number}" for number in range(int(first), int(last) + 1))
