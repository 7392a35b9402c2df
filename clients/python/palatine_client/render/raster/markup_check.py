"""The check of a picture's markup: only shapes and text. Nothing that runs, loads or links.

Presentations may come from any package. A rasteriser reads files that an `<image>` names, and a browser runs scripts.
So each picture is checked before it is rasterised or served.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.parsers import expat

LARGEST_SVG = 2 * 2**20  # characters
DEEPEST = 64  # elements inside each other
ELEMENTS = frozenset({
    "circle", "clipPath", "defs", "desc", "ellipse", "g", "line", "linearGradient", "marker", "mask", "path", "pattern",
    "polygon", "polyline", "radialGradient", "rect", "stop", "svg", "symbol", "text", "title", "tspan", "use",
})  # fmt: skip
LINK = "href"  # in any namespace
_URL = re.compile(r"url\(\s*['\"]?(.?)")
_REFERENCES = ("href", "url", "&#", "\\")  # an attribute with none of these refers to nothing


class UnsafePicture(ValueError):  # noqa: N818 (the picture is unsafe, whatever drew it)
    """A picture contains something else than shapes and text; the message names it."""


def check_markup(svg: str) -> None:
    """Raise UnsafePicture if a picture is too large, is no SVG, or contains more than shapes and text."""
    if len(svg) > LARGEST_SVG:
        raise UnsafePicture(f"the picture has {len(svg)} characters, more than {LARGEST_SVG}")
    lowered = svg.lower()
    check = _MarkupCheck(has_references=any(word in lowered for word in _REFERENCES))
    try:
        check.parser.Parse(svg.encode(), True)
    except (expat.ExpatError, UnicodeEncodeError) as error:
        raise UnsafePicture(f"the picture is no XML: {error}") from None


class _MarkupCheck:
    """Looks at each part of a document while it is parsed."""

    def __init__(self, *, has_references: bool) -> None:
        self.parser = expat.ParserCreate()
        self._depth, self._has_references = 0, has_references
        self._safe = set[str]()  # names of attributes that were checked
        self.parser.StartElementHandler, self.parser.EndElementHandler = self._start, self._end
        self.parser.StartDoctypeDeclHandler = lambda *given: refuse_markup("a document type")
        self.parser.ProcessingInstructionHandler = lambda *given: refuse_markup("a processing instruction")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            refuse_markup(f"more than {DEEPEST} elements inside each other")
        if name not in ELEMENTS or (self._depth == 1) != (name == "svg"):
            refuse_markup(f"<{name[:40]}>")
        if not self._safe.issuperset(attributes):
            self._check_names(attributes)
        if self._has_references:
            for key, value in attributes.items():
                check_reference(key, value)

    def _check_names(self, names: Iterable[str]) -> None:
        """Raise UnsafePicture if an attribute of such a name may run code."""
        for name in names:
            if name.lower().startswith("on") or name == "style":
                refuse_markup(f"the attribute {name[:40]}")
            self._safe.add(name)

    def _end(self, name: str) -> None:
        self._depth -= 1


def check_reference(name: str, value: str) -> None:
    """Raise UnsafePicture if an attribute refers to something outside the picture."""
    if name.rpartition(":")[2] == LINK and not value.startswith("#"):
        refuse_markup(f"a link to {value[:40]!r}")
    if any(place != "#" for place in _URL.findall(value.lower())):
        refuse_markup(f"a reference to {value[:40]!r}")
    # In style sheets \75 is the letter u, so an escape could hide a reference; no style sheet reads data attributes.
    if "\\" in value and not name.startswith("data-"):
        refuse_markup(f"an escape in {value[:40]!r}")


def refuse_markup(what: str) -> None:
    """Raise UnsafePicture about a part of a picture."""
    raise UnsafePicture(f"the picture contains {what}; only shapes and text are allowed")
