"""SVG as text: elements, groups and documents. All content is escaped here; the same input gives the same bytes."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from ...screen_text import REPLACEMENT, screen_text
from .fonts import SANS

LONGEST_NAME = 40  # characters of a player's name that a picture shows

Number = float | int
Markup = str  # a piece of SVG whose texts and attributes are escaped
Attribute = str | Number | None

_ESCAPES = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;"})
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def escape(text: str) -> Markup:
    """Return text for the content or an attribute of an element; characters that XML forbids become `�`."""
    return _NOT_IN_XML.sub(REPLACEMENT, text).translate(_ESCAPES)


def clean_name(name: object) -> str:
    """Return the name of a player for a picture: one line, bounded, without invisible and bidi characters."""
    return screen_text(name, LONGEST_NAME).strip() or REPLACEMENT


@lru_cache(maxsize=16_384)
def format_number(number: Number) -> str:
    """Return a number with at most two decimals and no trailing zeros."""
    text = f"{number:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class KnownAttributes(dict[tuple[str, Attribute], Markup]):
    """The markup of attributes by their names and values; pictures repeat most of theirs, so the last ones are kept."""

    MOST = 16_384

    def __missing__(self, attribute: tuple[str, Attribute]) -> Markup:
        if len(self) >= self.MOST:
            self.clear()
        self[attribute] = markup = format_attribute(*attribute)
        return markup


_KNOWN = KnownAttributes()


def format_attribute(name: str, value: Attribute) -> Markup:
    """Return an attribute as markup; `stroke_width` is written as `stroke-width`, and None is left out."""
    if value is None:
        return ""
    text = escape(value) if isinstance(value, str) else format_number(value)
    return f' {name.rstrip("_").replace("_", "-")}="{text}"'


def element(name: str, content: Markup = "", /, **attributes: Attribute) -> Markup:
    """Return an element with markup as its content."""
    written = "".join([_KNOWN[attribute] for attribute in attributes.items()])
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def group(content: Iterable[Markup], *, x: Number = 0, y: Number = 0, scale: Number = 1, fact: str = "") -> Markup:
    """Return a group, moved and scaled. `fact` is the id of the thing that it shows, the same for every renderer."""
    moves = [f"translate({format_number(x)} {format_number(y)})"] if x or y else []
    moves += [f"scale({format_number(scale)})"] if scale != 1 else []
    return element("g", "".join(content), data_fact=fact or None, transform=" ".join(moves) or None)


def rectangle(x: Number, y: Number, width: Number, height: Number, **attributes: Attribute) -> Markup:
    """Return a rectangle."""
    return element("rect", x=x or None, y=y or None, width=width, height=height, **attributes)


def circle(x: Number, y: Number, radius: Number, **attributes: Attribute) -> Markup:
    """Return a circle around a point."""
    return element("circle", cx=x, cy=y, r=radius, **attributes)


def path(line: str, **attributes: Attribute) -> Markup:
    """Return a path."""
    return element("path", d=line, **attributes)


def linear_gradient(name: str, top: str, bottom: str) -> Markup:
    """Return the definition of a gradient from top to bottom, for `fill="url(#name)"`.

    Pages may contain several pictures, so the name must name the colours: the same name, the same gradient.
    """
    stops = element("stop", offset=0, stop_color=top) + element("stop", offset=1, stop_color=bottom)
    return element("linearGradient", stops, id=name, x1=0, y1=0, x2=0, y2=1)


def document(width: Number, height: Number, content: Iterable[Markup], *, title: str, lang: str) -> str:
    """Return a whole SVG document with a title for screen readers. Its texts are in the sans serif font."""
    body = element("title", escape(title)) + "".join(content)
    size = f"0 0 {format_number(width)} {format_number(height)}"
    return element(
        "svg",
        body,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=size,
        width=width,
        height=height,
        font_family=SANS.families,
        lang=lang,
        role="img",
    )
