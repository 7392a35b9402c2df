"""The landscape behind a castle: sky, hills, grass and earth."""

from __future__ import annotations

from ..elements import Markup, format_number, path, rectangle
from ..shapes import bottom_band, strips
from .scene import CastleScene

GRASS = 7
RADIUS = 14
SKY, EARTH = 14, 5  # strips of colour


def draw_landscape(scene: CastleScene, width: float, ground: float, below: float, *, is_last: bool) -> Markup:
    """Return sky and hills down to the ground, and the earth below it; the last part of a panel has round corners."""
    sky = strips(0, 0, width, ground, scene.fill("sky_top"), scene.fill("sky_bottom"), SKY, RADIUS)
    far = draw_hill(scene, "far_hills", width, ground, (0.2, 0.36, 0.14))
    near = draw_hill(scene, "hills", width, ground, (0.08, 0.22, 0.17))
    grass = rectangle(0, ground - GRASS / 2, width, GRASS, fill=scene.fill("grass"))
    return sky + far + near + draw_earth(scene, width, ground, below, is_last=is_last) + grass


def draw_earth(scene: CastleScene, width: float, ground: float, below: float, *, is_last: bool) -> Markup:
    top, bottom, foot = scene.fill("earth_top"), scene.fill("earth_bottom"), RADIUS if is_last else 0
    deep = strips(0, ground, width, below - foot, top, bottom, EARTH) if below > foot else ""
    return deep + (bottom_band(0, ground + below - foot - 1, width, foot + 1, bottom, foot) if foot else "")


def draw_hill(
    scene: CastleScene, colour: str, width: float, ground: float, shares: tuple[float, float, float]
) -> Markup:
    """Return a line of hills; their heights are shares of the height of the sky."""
    start, crest, end = (format_number(ground * (1 - share)) for share in shares)
    quarter, half, far = (format_number(width * share) for share in (0.25, 0.5, 1))
    line = f"M0 {format_number(ground)}V{start}Q{quarter} {crest} {half} {start}T{far} {end}V{format_number(ground)}z"
    return path(line, fill=scene.fill(colour))
