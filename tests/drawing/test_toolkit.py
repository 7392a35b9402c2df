"""The SVG toolkit: escaping, numbers, groups, and text that is measured, wrapped and shrunk."""

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest
from drawing.contrast import contrast
from fontTools.ttLib import TTFont

from palatine_client.render.svg.elements import (
    LONGEST_NAME,
    clean_name,
    document,
    element,
    escape,
    format_number,
    group,
)
from palatine_client.render.svg.fonts import BOLD, FACES, SANS, TITLE, list_font_files, measure_text
from palatine_client.render.svg.paper import PAPERS
from palatine_client.render.svg.text_block import draw_block, draw_text, fit_text, wrap_text

HOSTILE = [
    '"><script>alert(1)</script>',
    "</text></svg><svg onload=alert(1)>",
    "&amp;&#x41;",
    "a\0b\x1b[2Jc\x7f",
    "\u202eevil\u2066\u200f",
    "\ufffe\uffff\ud800",
    "x" * 10_000,
    "A\u0301\u0301\u0301\u0301\u0301\u0301\u0301\u0301",
    "שלום 你好 🏰👩‍👩‍👧",
    "",
    "   ",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_players_name_is_text_and_nothing_else(name: str) -> None:
    written = document(10, 10, [draw_text(clean_name(name), 0, 0, 10, "#000")], title=name, lang="en")
    root = ElementTree.fromstring(written.encode())
    assert [node.tag.rpartition("}")[2] for node in root.iter()] == ["svg", "title", "text"]
    shown = root[1].text or ""
    assert 0 < len(shown) <= LONGEST_NAME
    assert not set(shown) & set("\0\x1b\x7f\u202e\u2066\u200f\ufffe\uffff")


def test_attributes_are_escaped_and_named_as_in_svg() -> None:
    assert element("rect", stroke_width=1.5, fill='"/>', x=None) == '<rect stroke-width="1.5" fill="&quot;/&gt;"/>'
    assert escape("a<b & c") == "a&lt;b &amp; c"


@pytest.mark.parametrize(
    ("number", "written"), [(1, "1"), (1.5, "1.5"), (1 / 3, "0.33"), (-0.001, "0"), (2.0, "2"), (1e6, "1000000")]
)
def test_numbers_are_short_and_stable(number: float, written: str) -> None:
    assert format_number(number) == written


def test_a_group_says_which_fact_it_shows() -> None:
    assert group(["<g/>"], x=3, y=0.5, fact="castles/0") == (
        '<g data-fact="castles/0" transform="translate(3 0.5)"><g/></g>'
    )


# Text


@pytest.mark.parametrize("file", list_font_files(), ids=lambda path: path.stem)
def test_the_table_of_widths_is_that_of_the_font(file: Path) -> None:
    font = TTFont(file)
    face = next(face for face in FACES if face.file == file.name)
    for code, glyph in font.getBestCmap().items():
        advance = font["hmtx"][glyph][0] / font["head"].unitsPerEm
        if chr(code) not in "\xa0\xad":
            assert measure_text(chr(code), face, 1) == pytest.approx(advance, abs=0.001)


def test_the_fonts_have_all_letters_of_our_languages() -> None:
    letters = "".join(map(chr, [*range(0x20, 0x7F), *range(0xC0, 0x100)])) + "äöüÄÖÜßẞ„“”‚‘’–—…·×−€"
    for file in list_font_files():
        assert set(map(ord, letters)) <= set(TTFont(file).getBestCmap())


def test_text_shrinks_before_it_is_cut() -> None:
    assert fit_text("Nachmittagsteesalon", 200, BOLD, 14).size == 14
    small = fit_text("Nachmittagsteesalon", 100, BOLD, 14, smallest=8)
    assert 8 <= small.size < 14
    assert small.lines == ("Nachmittagsteesalon",)
    cut = fit_text("Nachmittagsteesalon", 50, BOLD, 14, smallest=12)
    assert cut.lines[0].endswith("…")
    assert cut.width <= 50


def test_text_is_wrapped_with_hyphens() -> None:
    block = fit_text("Halle der knarrenden Dielen", 90, SANS, 12, smallest=8, lines=2)
    assert len(block.lines) == 2
    assert "".join(block.lines).replace("-", "").replace(" ", "") == "HallederknarrendenDielen"
    assert wrap_text("Nachmittagsteesalon", 80, SANS, 12).lines == ("Nachmittags-", "teesalon")


def test_no_line_is_wider_than_its_room() -> None:
    for width in range(20, 200, 40):
        for text in ("Schmetterlingsgarten am See", "x" * 60, "你好" * 20, "🏰" * 40, ""):
            assert fit_text(text, width, TITLE, 20, smallest=6, lines=2).width <= max(width, 6 * 2)


def test_each_line_is_an_element_of_its_own() -> None:
    block = wrap_text("a b", 1, SANS, 10)
    assert draw_block(block, 0, 10, "#000").count("<text") == 2


# Paper


def test_text_on_paper_has_contrast() -> None:
    for paper in PAPERS.values():
        for text in (paper.ink, paper.muted, paper.accent):
            assert min(contrast(text, paper.page), contrast(text, paper.card)) >= 4.5
        assert contrast(paper.badge_ink, paper.badge) >= 4.5


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
    assert all(contrast(a, b) == contrast(b, a) for a, b in combinations(["#123456", "#abcdef", "#fff"], 2))
