"""The four font faces of pictures, and the measuring of text from a table of their advance widths."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

UNKNOWN = 1000  # thousandths of the font size for a character that the font lacks: emoji and Chinese are about so wide
JOINERS = "\u200c\u200d\ufe0e\ufe0f"  # between and after emoji
SAME_AS = {"\N{SOFT HYPHEN}": "-", "\N{NO-BREAK SPACE}": " "}


@dataclass(frozen=True, eq=False)  # the four faces are compared by identity, which makes caches of text quick
class FontFace:
    """One face: the file, and the names by which SVG asks for it; browsers without the family use the others."""

    file: str
    families: str
    weight: int


_SANS = "Inter, system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"
_SERIF = "'EB Garamond', Garamond, Georgia, 'Times New Roman', serif"
SANS = FontFace("Inter-Regular.otf", _SANS, 400)
BOLD = FontFace("Inter-Bold.otf", _SANS, 700)
SERIF = FontFace("EBGaramond-Regular.ttf", _SERIF, 400)
TITLE = FontFace("EBGaramond-SemiBold.ttf", _SERIF, 600)
FACES = (SANS, BOLD, SERIF, TITLE)


def list_font_files() -> list[Path]:
    """Return the paths of the font files, for a rasteriser."""
    return [Path(str(files(__name__).joinpath(face.file))) for face in FACES]


def has_glyph(char: str, face: FontFace) -> bool:
    """Return whether a face can show a character."""
    return char in _load_widths(face.file)


def measure_text(text: str, face: FontFace, size: float) -> float:
    """Return the width of a text. Kerning is left out: it changes the width by about one hundredth."""
    widths = _load_widths(face.file)
    return sum([widths.get(char, UNKNOWN) for char in text]) * size / 1000


@cache
def _load_widths(file: str) -> dict[str, int]:
    table = files(__name__).joinpath("widths.json").read_bytes()
    widths = msgspec.json.decode(table, type=dict[str, dict[str, int]])[file.partition(".")[0]]
    return widths | {char: widths[same] for char, same in SAME_AS.items()} | dict.fromkeys(JOINERS, 0)
