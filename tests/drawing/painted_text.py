"""The texts of a picture with their places and what is painted behind them, found by reading the SVG."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from xml.etree import ElementTree

from fontTools.pens.boundsPen import BoundsPen
from fontTools.svgLib.path import parse_path

from palatine_client.render.svg.fonts import FACES, SANS, FontFace, measure_text

Box = tuple[float, float, float, float]  # left, top, right, bottom
MOVES = re.compile(r"(translate|scale)\(([^)]*)\)")


@dataclass(frozen=True)
class Transform:
    """A scale and a shift, as groups have them."""

    scale: float = 1
    x: float = 0
    y: float = 0

    def apply(self, text: str | None) -> Transform:
        """Return this transform followed by those of an attribute."""
        now = self
        for kind, numbers in MOVES.findall(text or ""):
            values = [float(number) for number in numbers.replace(",", " ").split()]
            now = now.shift(*values) if kind == "translate" else Transform(now.scale * values[0], now.x, now.y)
        return now

    def shift(self, x: float, y: float = 0) -> Transform:
        return Transform(self.scale, self.x + x * self.scale, self.y + y * self.scale)

    def place(self, box: Box) -> Box:
        left, top, right, bottom = (self.scale * value for value in box)
        return left + self.x, top + self.y, right + self.x, bottom + self.y


@dataclass(frozen=True)
class PaintedText:
    """A text, where it stands, its colour and the colour behind it."""

    text: str
    box: Box
    fill: str
    behind: str
    size: float


def list_painted_texts(svg: str) -> list[PaintedText]:
    """Return all texts of a picture, in the order of painting."""
    shapes: list[tuple[Box, str]] = []
    texts: list[PaintedText] = []
    for node, transform in walk(ElementTree.fromstring(svg), Transform()):
        kind = node.tag.rpartition("}")[2]
        if kind == "text":
            texts.append(read_text(node, transform, shapes))
        elif is_solid(node) and (box := find_box(kind, node)):
            shapes.append((transform.place(box), node.get("fill", "#000000")))
    return texts


def walk(node: ElementTree.Element, transform: Transform) -> Iterator[tuple[ElementTree.Element, Transform]]:
    own = transform.apply(node.get("transform"))
    yield node, own
    for child in node:
        yield from walk(child, own)


def is_solid(node: ElementTree.Element) -> bool:
    fill = node.get("fill", "#000000")
    return fill.startswith("#") and float(node.get("fill-opacity", 1)) > 0.5 and float(node.get("opacity", 1)) > 0.5


def find_box(kind: str, node: ElementTree.Element) -> Box | None:
    """Return the bounds of a shape before its transform."""
    if kind == "rect":
        x, y, width, height = (float(node.get(name, 0)) for name in ("x", "y", "width", "height"))
        return x, y, x + width, y + height
    if kind == "circle":
        x, y, r = (float(node.get(name, 0)) for name in ("cx", "cy", "r"))
        return x - r, y - r, x + r, y + r
    return find_path_box(node.get("d", "")) if kind == "path" else None


@lru_cache(maxsize=4096)
def find_path_box(line: str) -> Box | None:
    pen = BoundsPen(None)
    parse_path(line, pen)
    return pen.bounds


def read_text(node: ElementTree.Element, transform: Transform, shapes: list[tuple[Box, str]]) -> PaintedText:
    text, size, face = "".join(node.itertext()), float(node.get("font-size", 16)), find_face(node)
    width = measure_text(text, face, size)
    left = float(node.get("x", 0)) - width * {"middle": 0.5, "end": 1}.get(node.get("text-anchor", ""), 0)
    base = float(node.get("y", 0))
    box = transform.place((left, base - size * 0.72, left + width, base))
    return PaintedText(text, box, node.get("fill", "#000000"), find_behind(box, shapes), size * transform.scale)


def find_face(node: ElementTree.Element) -> FontFace:
    families, weight = node.get("font-family", SANS.families), int(node.get("font-weight", SANS.weight))
    return next(face for face in FACES if (face.families, face.weight) == (families, weight))


def find_behind(box: Box, shapes: list[tuple[Box, str]]) -> str:
    """Return the colour of the last shape that covers the middle of a box."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return next((fill for shape, fill in reversed(shapes) if is_inside(x, y, shape)), "#ffffff")


def is_inside(x: float, y: float, box: Box) -> bool:
    left, top, right, bottom = box
    return left <= x <= right and top <= y <= bottom
