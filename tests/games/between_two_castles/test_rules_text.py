"""RULES.md: somebody with the printed book finds the text of every rule."""

from games.printed_headings import require_headings

from palatine_server.games.between_two_castles import BETWEEN_TWO_CASTLES


def test_every_chapter_names_its_printed_heading() -> None:
    require_headings(BETWEEN_TWO_CASTLES, "B2C")
