"""The check of markup: shapes and text pass; whatever runs, loads or links does not."""

import pytest

from palatine_client.render.raster.markup_check import LARGEST_SVG, UnsafePicture, check_markup

NAMESPACE = 'xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"'


def picture(content: str) -> str:
    return f"<svg {NAMESPACE}>{content}</svg>"


@pytest.mark.parametrize(
    "content",
    [
        "<title>A &lt;script&gt; in words</title>",
        '<g transform="scale(2)"><text x="1">onclick=1</text></g>',
        '<defs><linearGradient id="sky"><stop offset="0"/></linearGradient></defs><rect fill="url(#sky)"/>',
        '<use href="#sky"/>',
        r'<g data-fact="a\b"><text>C:\\</text></g>',
    ],
)
def test_shapes_text_and_own_references_pass(content: str) -> None:
    check_markup(picture(content))


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ('<image href="/etc/passwd"/>', "<image>"),
        ("<foreignObject/>", "<foreignObject>"),
        ("<style>@import url(http://evil.example)</style>", "<style>"),
        ('<a href="javascript:alert(1)"/>', "<a>"),
        ("<animate/>", "<animate>"),
        ("<svg/>", "<svg>"),
        ('<rect onclick="alert(1)"/>', "onclick"),
        ('<rect ONLOAD="alert(1)"/>', "ONLOAD"),
        ('<rect style="fill:red"/>', "style"),
        ('<use href="http://evil.example/x.svg#a"/>', "a link to"),
        ('<use xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="file:///etc/passwd"/>', "a link to"),
        ('<use xmlns:x="http://www.w3.org/1999/xlink" x:href="file:///etc/passwd"/>', "a link to"),
        ('<rect fill="url(http://evil.example)"/>', "a reference to"),
        ('<rect fill="URL( //evil.example)"/>', "a reference to"),
        ('<rect filter="url(#a) url(http://evil.example)"/>', "a reference to"),
        (r'<rect fill="\75 rl(http://evil.example)"/>', "an escape in"),
        ('<rect fill="&#117;rl(http://evil.example)"/>', "a reference to"),
        ('<use xmlns:x="http://www.w3.org/1999/xlink" x:hre&#102;="file:///etc/passwd"/>', "no XML"),
        ("<?xml-stylesheet href='x'?>", "a processing instruction"),
        ("<g>" * 70 + "</g>" * 70, "more than 64 elements"),
    ],
)
def test_everything_else_is_refused_and_named(content: str, named: str) -> None:
    with pytest.raises(UnsafePicture, match=named.replace("(", "\\(")):
        check_markup(picture(content))


@pytest.mark.parametrize(
    "svg",
    [
        "",
        "no picture",
        "<svg",
        "<html/>",
        f"<!DOCTYPE svg [<!ENTITY a 'b'>]><svg {NAMESPACE}>&a;</svg>",
        f"<svg {NAMESPACE}><text>\ud800</text></svg>",
        "<svg>" + " " * LARGEST_SVG + "</svg>",
    ],
    ids=["nothing", "words", "half", "html", "entities", "surrogate", "large"],
)
def test_whatever_is_no_small_svg_is_refused(svg: str) -> None:
    with pytest.raises(UnsafePicture):
        check_markup(svg)
