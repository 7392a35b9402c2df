"""RULES.md: somebody with the printed book finds the text of every rule."""

import re

from games.printed_headings import SAID, chapters, named, require_headings

from palatine_server.games.noblemen import NOBLEMEN


def test_every_chapter_names_its_printed_heading() -> None:
    require_headings(NOBLEMEN, "NM")


def test_every_printed_rule_is_led_to() -> None:
    """Where a chapter tells its rules apart, all that the rulebook states are named."""
    for heading, text in chapters(NOBLEMEN).items():
        found = SAID.match(text)
        assert found
        leads = {*named(found[1])}
        stated = re.findall(r"^- NM-([A-Z]+-\d+) \[R", text, flags=re.MULTILINE)
        if heading.startswith(("1.", "17.")):  # components, and the end, which the book tells in the same order
            continue
        assert not {*stated} - leads, heading
