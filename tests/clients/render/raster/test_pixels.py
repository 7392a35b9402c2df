"""Pixels: PNG, WebP and GIF from SVG, with our fonts alone, within limits."""

import os
import subprocess
import sys
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from palatine_client.render.raster import pixels
from palatine_client.render.raster.animation import MOST_FRAMES, animate
from palatine_client.render.raster.markup_check import UnsafePicture
from palatine_client.render.raster.pixels import (
    LONGEST_SIDE,
    MOST_PIXELS,
    NARROWEST,
    choose_width,
    find_size,
    rasterise,
)
from palatine_client.render.svg.elements import document, rectangle
from palatine_client.render.svg.fonts import BOLD, TITLE
from palatine_client.render.svg.text_block import draw_text


def draw(width: float = 400, height: float = 200, word: str = "Palatine", paper: str = "#ffffff") -> str:
    content = [
        rectangle(0, 0, width, height, fill=paper),
        rectangle(0, 0, 40, 40, fill="#ff0000"),
        draw_text(word, 60, 80, 40, "#000000", BOLD),
        draw_text(word, 60, 150, 40, "#000000", TITLE),
    ]
    return document(width, height, content, title="A test", lang="en")


def open_image(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


@pytest.mark.parametrize("kind", ["png", "webp", "gif"])
def test_every_kind_has_the_wanted_width_and_the_colours(kind: pixels.Kind) -> None:
    image = open_image(rasterise(draw(), kind, 600))
    assert (image.format, image.size) == (kind.upper(), (600, 300))
    red, _, _ = image.convert("RGB").getpixel((20, 20))
    assert red > 220


def test_texts_are_drawn_with_the_bundled_fonts() -> None:
    plain, titled = (open_image(rasterise(draw(word=word))) for word in ("", "Palatine"))
    assert plain.tobytes() != titled.tobytes()
    dark = sum(1 for colour in titled.convert("L").tobytes() if colour < 128)
    assert dark > 1000


def test_same_picture_is_the_same_everywhere_whatever_fonts_the_machine_has(tmp_path: Path) -> None:
    code = "import sys; from palatine_client.render.raster.pixels import rasterise; "
    code += "sys.stdout.buffer.write(rasterise(open(sys.argv[1], encoding='utf-8').read()))"
    file = tmp_path / "picture.svg"
    file.write_text(draw(word="Schloß Ελλάδα Žluťoučký"), "utf-8")
    environment = {**os.environ, "FONTCONFIG_FILE": "/nowhere", "HOME": "/nowhere", "LANG": "C"}
    there = subprocess.run([sys.executable, "-c", code, str(file)], env=environment, capture_output=True, check=True)
    assert there.stdout == rasterise(file.read_text("utf-8"))


def test_small_pictures_are_drawn_larger_and_large_ones_as_they_are() -> None:
    assert find_size(draw(400, 200)) == (800, 400)
    assert find_size(draw(1400, 700)) == (1400, 700)
    assert find_size(draw(600, 6000)).width >= 500  # a long list stays readable
    assert choose_width(draw(1600, 1600), 1_000_000) == 1000
    assert choose_width(draw(1600, 6400), 1_000_000) == NARROWEST


@pytest.mark.parametrize(("width", "height"), [(9_000, 100), (100, 9_000), (5_000, 5_000), (1e5, 1e5)])
def test_pixels_are_bounded(width: float, height: float) -> None:
    for wanted in (None, 6000):
        size = find_size(draw(width, height), wanted)
        assert max(size) <= LONGEST_SIDE
        assert size.width * size.height <= MOST_PIXELS
        assert abs(size.width / size.height / (width / height) - 1) < 0.05


@pytest.mark.parametrize("svg", ["", "<svg/>", '<svg viewBox="0 0 0 5"/>', '<svg viewBox="0 0 1e9 1"/>'])
def test_pictures_without_a_size_are_refused(svg: str) -> None:
    with pytest.raises(UnsafePicture):
        rasterise(svg)


def test_a_picture_cannot_read_files(tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    secret.write_bytes(rasterise(draw()))
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><image href="{secret}"/></svg>'
    with pytest.raises(UnsafePicture, match="<image>"):
        rasterise(svg)


# Animations


@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_animation_has_every_picture_in_one_size(kind: pixels.Kind) -> None:
    papers, frames = ["#ff0000", "#00ff00", "#0000ff"], list[int]()
    pictures = [draw(400 + 50 * at, 200, paper=paper) for at, paper in enumerate(papers)]
    film = open_image(animate(pictures, kind, 4, 300, lambda: frames.append(1)))  # type: ignore[arg-type]
    assert (film.n_frames, film.size, len(frames)) == (3, (300, 120), 3)  # type: ignore[attr-defined]
    for at, channel in enumerate((0, 1, 2)):
        film.seek(at)
        colour = film.convert("RGB").getpixel((150, 115))
        assert max(range(3), key=lambda each: colour[each]) == channel


def test_animation_is_bounded() -> None:
    for pictures in ([], [draw()] * (MOST_FRAMES + 1)):
        with pytest.raises(ValueError, match="1 to 300 pictures"):
            animate(pictures, "gif", 2)
