"""What lies under the texts of a picture: its shapes are laid one over the other, in the order of the document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from drawing.contrast import channels
from fontTools.pens.boundsPen import ControlBoundsPen
from fontTools.svgLib.path import parse_path

from palatine_client.render.svg.fonts import FACES, SANS, FontFace, measure_text

STEP = re.compile(r"(translate|scale)\(([^)]*)\)")
UNKNOWN = "url("  # gradients have no one colour


@dataclass(frozen=True)
class Frame:
    """A transformation of moves and scales."""

    x: float = 0
    y: float = 0
    scale: float = 1

    def enter(self, transform: str) -> Frame:
        """Return the frame inside of a group or shape with this transformation."""
        frame = self
        for name, values in STEP.findall(transform):
            numbers = [float(value) for value in values.replace(",", " ").split()]
            frame = frame.move(*numbers) if name == "translate" else frame.zoom(numbers[0])
        return frame

    def move(self, x: float, y: float = 0) -> Frame:
        return Frame(self.x + x * self.scale, self.y + y * self.scale, self.scale)

    def zoom(self, scale: float) -> Frame:
        return Frame(self.x, self.y, self.scale * scale)

    def place(self, x: float, y: float) -> tuple[float, float]:
        return self.x + x * self.scale, self.y + y * self.scale


@dataclass(frozen=True)
class Shape:
    """The box of a filled shape."""

    left: float
    top: float
    right: float
    bottom: float
    fill: str
    opacity: float

    def covers(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.top <= y <= self.bottom


@dataclass(frozen=True)
class Written:
    """A text, its colour, the colour under each of three of its points, and where it stands."""

    text: str
    fill: str
    backgrounds: list[str]
    left: float
    right: float
    size: float


def list_texts(svg: str) -> Iterator[Written]:
    """Yield the texts of a picture with what lies under them."""
    shapes: list[Shape] = []
    for node, frame in walk(ElementTree.fromstring(svg), Frame()):
        tag = node.tag.rpartition("}")[2]
        if tag == "text":
            yield read_text(node, frame, shapes)
        elif tag in {"rect", "circle", "path"} and node.get("fill", "#000") != "none":
            shapes.append(read_shape(tag, node, frame))


def read_text(node: ElementTree.Element, frame: Frame, shapes: list[Shape]) -> Written:
    under = [find_background(shapes, *point) for point in list_points(node, frame, (0.1, 0.5, 0.9))]
    (left, _), (right, _) = list_points(node, frame, (0, 1))
    size = float(node.get("font-size", "0")) * frame.scale
    colours = [colour for colour in under if colour]
    return Written("".join(node.itertext()), node.get("fill", ""), colours, left, right, size)


def walk(node: ElementTree.Element, frame: Frame) -> Iterator[tuple[ElementTree.Element, Frame]]:
    for child in node:
        if not child.tag.endswith("}defs"):
            inside = frame.enter(child.get("transform", ""))
            yield child, inside
            yield from walk(child, inside)


def list_points(node: ElementTree.Element, frame: Frame, parts: Sequence[float]) -> Iterator[tuple[float, float]]:
    """Yield points of a text, at parts of its width from 0 to 1, at half the height of its capitals."""
    size, text = float(node.get("font-size", "0")), "".join(node.itertext())
    width = measure_text(text, find_face(node), size)
    shift = {"middle": 0.5, "end": 1.0}.get(node.get("text-anchor", ""), 0)
    x, y = float(node.get("x", "0")), float(node.get("y", "0"))
    for part in parts:
        yield frame.place(x + (part - shift) * width, y - size * 0.36)


def find_face(node: ElementTree.Element) -> FontFace:
    """Find the font face of a text; without a family and a weight it is the plain one."""
    families, weight = node.get("font-family", SANS.families), int(node.get("font-weight", SANS.weight))
    return next(face for face in FACES if (face.families, face.weight) == (families, weight))


def find_background(shapes: list[Shape], x: float, y: float) -> str:
    """Return the colour at a point; empty if a gradient is there."""
    colour = ""
    for shape in shapes:
        if shape.covers(x, y):
            colour = "" if shape.fill.startswith(UNKNOWN) else blend(shape.fill, colour, shape.opacity)
    return colour


def blend(upper: str, lower: str, opacity: float) -> str:
    if opacity == 1 or not lower:
        return upper
    mixed = [one * opacity + other * (1 - opacity) for one, other in zip(channels(upper), channels(lower), strict=True)]
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in mixed)


def read_shape(tag: str, node: ElementTree.Element, frame: Frame) -> Shape:
    left, top, right, bottom = {"rect": box_rect, "circle": box_circle, "path": box_path}[tag](node)
    opacity = float(node.get("fill-opacity", "1")) * float(node.get("opacity", "1"))
    return Shape(*frame.place(left, top), *frame.place(right, bottom), node.get("fill", "#000"), opacity)


Box = tuple[float, float, float, float]


def box_rect(node: ElementTree.Element) -> Box:
    x, y, width, height = (float(node.get(name, "0")) for name in ("x", "y", "width", "height"))
    return x, y, x + width, y + height


def box_circle(node: ElementTree.Element) -> Box:
    x, y, radius = (float(node.get(name, "0")) for name in ("cx", "cy", "r"))
    return x - radius, y - radius, x + radius, y + radius


def box_path(node: ElementTree.Element) -> Box:
    pen = ControlBoundsPen(None)
    parse_path(node.get("d"), pen)
    left, top, right, bottom = pen.bounds
    return left, top, right, bottom
