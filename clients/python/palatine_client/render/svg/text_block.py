"""Text in pictures: measured, wrapped and shrunk to fit a width, and written line by line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Literal

from ..hyphenation import breaks_at_parts, wrap_name
from .elements import Markup, Number, element, escape
from .fonts import SANS, FontFace, measure_text

Anchor = Literal["start", "middle", "end"]
STEP = 0.5  # how much smaller the next try is
FAIR = 0.8  # how much smaller a text may be to be broken well
ELLIPSIS = "…"
LINE_HEIGHT = 1.15


@dataclass(frozen=True)
class TextBlock:
    """Lines of text in one size that fit a width."""

    lines: tuple[str, ...]
    face: FontFace
    size: float

    @property
    def width(self) -> float:
        return max((measure_text(line, self.face, self.size) for line in self.lines), default=0)

    @property
    def height(self) -> float:
        """The height from the top of the first line to the bottom of the last."""
        return self.size * (1 + LINE_HEIGHT * (len(self.lines) - 1))


@lru_cache(maxsize=4096)
def fit_text(text: str, width: float, face: FontFace, size: float, *, smallest: float = 0, lines: int = 1) -> TextBlock:
    """Return the text in at most so many lines, as large as possible; if even the smallest is too large, cut it.

    A little smaller is better than a word that is broken inside one of its parts.
    """
    first: TextBlock | None = None
    for block in _list_fitting(text, width, face, size, smallest or size, lines):
        first = first or block
        if block.size < first.size * FAIR:
            break
        if breaks_at_parts(block.lines, text):
            return block
    return first or TextBlock(_cut(text, width, face, smallest or size, lines), face, smallest or size)


def _list_fitting(
    text: str, width: float, face: FontFace, size: float, smallest: float, lines: int
) -> Iterator[TextBlock]:
    """Yield the text in each size in which it fits, the largest first."""
    while size >= smallest:
        block = TextBlock(_wrap(text, width, face, size) if lines > 1 else (" ".join(text.split()),), face, size)
        if len(block.lines) <= lines and block.width <= width:
            yield block
        size -= STEP


@lru_cache(maxsize=4096)
def wrap_text(text: str, width: float, face: FontFace, size: float) -> TextBlock:
    """Return the text in as many lines as it needs."""
    return TextBlock(_wrap(text, width, face, size), face, size)


def _wrap(text: str, width: float, face: FontFace, size: float) -> tuple[str, ...]:
    if measure_text(text, face, size) <= width:
        return (" ".join(text.split()),)
    return tuple(wrap_name(text, width, partial(measure_text, face=face, size=size)))


def _cut(text: str, width: float, face: FontFace, size: float, lines: int) -> tuple[str, ...]:
    """Return the first lines; the last one ends in an ellipsis."""
    wrapped = _wrap(text, width, face, size) if lines > 1 else (text,)
    kept, last = wrapped[: lines - 1], wrapped[lines - 1 : lines]
    rest = last[0].rstrip("-") if last else ""
    while rest and measure_text(rest + ELLIPSIS, face, size) > width:
        rest = rest[:-1]
    return (*kept, rest.rstrip() + ELLIPSIS)


# Most texts stay where they are from one picture to the next.
@lru_cache(maxsize=4096)
def draw_text(
    text: str, x: Number, y: Number, size: Number, fill: str, face: FontFace = SANS, anchor: Anchor = "start"
) -> Markup:
    """Return one line of text with its baseline at y."""
    return element(
        "text",
        escape(text),
        x=x,
        y=y,
        font_size=size,
        fill=fill,
        font_weight=face.weight if face.weight != SANS.weight else None,
        font_family=face.families if face.families != SANS.families else None,
        text_anchor=anchor if anchor != "start" else None,
    )


def draw_block(block: TextBlock, x: Number, y: Number, fill: str, anchor: Anchor = "start") -> Markup:
    """Return a block of text with the baseline of its first line at y."""
    step = block.size * LINE_HEIGHT
    return "".join([
        draw_text(line, x, y + number * step, block.size, fill, block.face, anchor)
        for number, line in enumerate(block.lines)
    ])  # fmt: skip


def draw_block_around(block: TextBlock, x: Number, middle: Number, fill: str, anchor: Anchor = "start") -> Markup:
    """Return a block of text whose lines lie around a height: their capitals are centred there."""
    first = middle - (len(block.lines) - 1) * block.size * LINE_HEIGHT / 2 + block.size * 0.36
    return draw_block(block, x, first, fill, anchor)
