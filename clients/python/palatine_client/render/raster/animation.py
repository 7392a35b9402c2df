"""A game as moving pictures: GIF or WebP from a picture of each moment, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Final, Literal

from PIL import Image

from .pixels import COLOURS, Size, bound_size, draw_pixels, read_size

AnimatedKind = Literal["webp", "gif"]
ANIMATED_WIDTH: Final = 800  # pixels
MOST_FRAMES: Final = 300  # of one file; each takes about 70 milliseconds
SAMPLES: Final = 6  # pictures from which the colours of a GIF are chosen
LAST_FRAME: Final = 4.0  # seconds for which the end stays


def animate(
    pictures: Sequence[str],
    kind: AnimatedKind,
    pace: float,
    width: int = ANIMATED_WIDTH,
    on_frame: Callable[[], object] = lambda: None,
) -> bytes:
    """Return pictures as one animated file with `pace` pictures per second; `on_frame` is called for each of them."""
    if not 0 < len(pictures) <= MOST_FRAMES:
        raise ValueError(f"an animation has 1 to {MOST_FRAMES} pictures, not {len(pictures)}")
    film = Film(pictures, find_frame_size(pictures, width), on_frame, has_few_colours=kind == "gif")
    times = [*[round(1000 / pace)] * (len(pictures) - 1), round(1000 * LAST_FRAME)]
    how = {"quality": 80, "method": 2} if kind == "webp" else {"optimize": False, "disposal": 1}
    out = BytesIO()
    film.save(out, kind.upper(), save_all=True, duration=times, loop=0, **how)
    return out.getvalue()


def find_frame_size(pictures: Sequence[str], width: int) -> Size:
    """Return a size in pixels that holds every picture: boards grow during a game."""
    widths, heights = zip(*map(read_size, pictures), strict=True)
    return bound_size((max(widths), max(heights)), width)


def choose_colours(pictures: Sequence[str], size: Size) -> Image.Image:
    """Return a palette with the colours of some pictures, evenly spread over the film."""
    step = max(1, len(pictures) // SAMPLES)
    some = [draw_pixels(svg, size) for svg in pictures[::-1][::step][:SAMPLES]]
    together = Image.new("RGB", (size.width, size.height * len(some)))
    for at, image in enumerate(some):
        together.paste(image, (0, at * size.height))
    return together.quantize(COLOURS, dither=Image.Dither.NONE)


class Film(Image.Image):
    """An image of Pillow with many frames. It draws a frame when Pillow asks for it, so that only one is in memory."""

    def __init__(
        self, pictures: Sequence[str], size: Size, on_frame: Callable[[], object], *, has_few_colours: bool
    ) -> None:
        super().__init__()
        self._pictures, self._frame_size, self._on_frame = pictures, size, on_frame
        self.n_frames, self.is_animated, self._at = len(pictures), len(pictures) > 1, -1
        # The frames of a GIF share their colours, so that nothing flickers.
        self._colours = choose_colours(pictures, size) if has_few_colours else None
        self.seek(0)

    def seek(self, frame: int) -> None:
        """Draw a frame."""
        if not 0 <= frame < self.n_frames:
            raise EOFError
        if frame != self._at:
            self._show(draw_pixels(self._pictures[frame], self._frame_size))
            self._on_frame() if frame > self._at else None
            self._at = frame

    def tell(self) -> int:
        """Return the number of the frame that is shown."""
        return self._at

    def _show(self, drawn: Image.Image) -> None:
        if self._colours is not None:
            drawn = drawn.quantize(palette=self._colours, dither=Image.Dither.NONE)
        self.im, self._mode, self._size, self.palette = drawn.im, drawn.mode, drawn.size, drawn.palette
