"""SVG to pixels, as pure functions. Fonts come from our package alone, so that every machine draws the same picture.

The rasteriser holds the interpreter lock for as long as it draws. A server must call it in another process.
"""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from math import sqrt
from typing import Final, Literal, NamedTuple

import resvg_py
from PIL import Image

from ..svg.fonts import BOLD, TITLE, list_font_files
from .markup_check import UnsafePicture, check_markup

Kind = Literal["png", "webp", "gif"]
NARROWEST: Final = 800  # pixels, unless the caller wants another width; a wider picture has a pixel for each unit
LONGEST_SIDE: Final = 6000  # pixels
MOST_PIXELS: Final = 8_000_000
COLOURS: Final = 256  # of a GIF
_VIEW_BOX = re.compile(r'<svg\b[^>]*?\sviewBox="0 0 ([0-9.]+) ([0-9.]+)"')


class Size(NamedTuple):
    """The size of a picture in pixels."""

    width: int
    height: int


def rasterise(svg: str, kind: Kind = "png", width: float | None = None) -> bytes:
    """Return a picture as PNG, WebP or GIF of this width in pixels, or narrower at the limits."""
    png = _draw_png(svg, find_size(svg, width))
    return png if kind == "png" else _convert(png, kind)


def draw_pixels(svg: str, size: Size) -> Image.Image:
    """Return a picture as pixels of exactly this size; the picture keeps its proportions on its own paper."""
    drawn = Image.open(BytesIO(_draw_png(svg, _fit_into(read_size(svg), size)))).convert("RGB")
    if drawn.size == size:
        return drawn
    paper = Image.new("RGB", size, drawn.getpixel((0, 0)))
    paper.paste(drawn, ((size.width - drawn.width) // 2, 0))
    return paper


def find_size(svg: str, width: float | None = None) -> Size:
    """Return the size in pixels that a picture gets, within the limits."""
    own = read_size(svg)
    return bound_size(own, max(own[0], NARROWEST) if width is None else width)


def choose_width(svg: str, pixels: int) -> float:
    """Return the width of a picture with about so many pixels at most, but with a width that is readable."""
    width, height = read_size(svg)
    return max(NARROWEST, width * min(1, sqrt(pixels / (width * height))))


def bound_size(own: tuple[float, float], width: float) -> Size:
    """Return a size of this width and these proportions; it is smaller if it would have too many pixels."""
    limits = LONGEST_SIDE / max(own), sqrt(MOST_PIXELS / (own[0] * own[1]))
    scale = min(width / own[0], *limits)
    return Size(max(1, int(own[0] * scale + 1e-6)), max(1, int(own[1] * scale + 1e-6)))  # 500, not 499.999


def read_size(svg: str) -> tuple[float, float]:
    """Return the width and height of a picture in its own units; raise UnsafePicture if it has none."""
    found = _VIEW_BOX.search(svg[:1000])
    width, height = map(float, found.groups()) if found else (0.0, 0.0)
    if not (0 < width < 1e6 and 0 < height < 1e6 and 0.01 < width / height < 100):
        raise UnsafePicture('the picture has no usable size; begin with <svg … viewBox="0 0 width height">')
    return width, height


def _fit_into(own: tuple[float, float], size: Size) -> Size:
    scale = min(size.width / own[0], size.height / own[1])
    return Size(min(size.width, max(1, round(own[0] * scale))), min(size.height, max(1, round(own[1] * scale))))


def _draw_png(svg: str, size: Size) -> bytes:
    check_markup(svg)
    try:
        return resvg_py.svg_to_bytes(
            svg_string=svg,
            width=size.width,  # the height follows
            skip_system_fonts=True,
            font_files=_list_fonts(),
            font_family=_name_family(BOLD.families),
            sans_serif_family=_name_family(BOLD.families),
            serif_family=_name_family(TITLE.families),
        )
    except ValueError as error:
        raise UnsafePicture(f"the picture cannot be rasterised: {error}") from None


@cache
def _list_fonts() -> list[str]:
    return [str(file) for file in list_font_files()]


def _name_family(families: str) -> str:
    return families.split(",")[0].strip("' ")


def _convert(png: bytes, kind: Kind) -> bytes:
    image, out = Image.open(BytesIO(png)).convert("RGB"), BytesIO()
    if kind == "webp":
        image.save(out, "WEBP", quality=90, method=4)
    else:
        image.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "GIF")
    return out.getvalue()
