"""Build the bundled fonts of pictures and the table of their advance widths; run it with `make fonts`.

Inter comes from Debian's fonts-inter, EB Garamond from the npm package @fontsource/eb-garamond, both under the SIL Open
Font License. Each face keeps only the characters below, so that all four together stay near 250 kB.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fontTools.merge import Merger
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent.parent / "python" / "palatine_client" / "render" / "svg" / "fonts"
LATIN = [*range(0x20, 0x7F), *range(0xA0, 0x180), 0x218, 0x219, 0x21A, 0x21B, 0x1E9E]
GREEK_AND_CYRILLIC = [*range(0x370, 0x460)]  # for the names of players
SIGNS = [*range(0x2010, 0x2028), 0x202F, 0x2030, 0x2032, 0x2033, 0x2039, 0x203A, 0x20AC, 0x2116, 0x2122]
MATHS = [*range(0x2190, 0x219A), 0x2212, 0x221E, 0x2248, 0x2260, 0x2264, 0x2265, 0x25A0, 0x25CF, 0x2605, 0x2713]
CHARACTERS = [*LATIN, *GREEK_AND_CYRILLIC, *SIGNS, *MATHS]
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "liga"]
VARIABLE_TABLES = ("STAT", "DSIG", "gasp", "prep", "fpgm", "cvt ", "meta")


def build_fonts(folder: Path) -> None:
    """Download both families into a scratch folder, and write the subsets and the table of widths."""
    inter, garamond = download_inter(folder), download_garamond(folder)
    for weight in ("Regular", "Bold"):
        font = reduce_font(inter / f"Inter-{weight}.otf")
        replace_notdef(font)
        font.save(FONTS / f"Inter-{weight}.otf")
    for weight, number in (("Regular", 400), ("SemiBold", 600)):
        merge_garamond(garamond, number, folder).save(FONTS / f"EBGaramond-{weight}.ttf")
    write_widths()


def download_inter(folder: Path) -> Path:
    run("apt-get", "download", "fonts-inter", folder=folder)
    run("dpkg", "-x", *map(str, folder.glob("fonts-inter_*.deb")), "debian", folder=folder)
    return folder / "debian/usr/share/fonts/opentype/inter"


def download_garamond(folder: Path) -> Path:
    run("npm", "pack", "--silent", "@fontsource/eb-garamond", folder=folder)
    with tarfile.open(next(folder.glob("fontsource-eb-garamond-*.tgz"))) as archive:
        archive.extractall(folder, filter="data")
    return folder / "package/files"


def run(*command: str, folder: Path) -> None:
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)  # noqa: S603 - fixed commands


def merge_garamond(files: Path, weight: int, folder: Path) -> TTFont:
    """Merge the two files into which the npm package splits the Latin letters."""
    parts = []
    for script in ("latin", "latin-ext"):
        parts.append(folder / f"{script}-{weight}.ttf")
        reduce_font(files / f"eb-garamond-{script}-{weight}-normal.woff2").save(parts[-1])
    return Merger().merge([str(part) for part in parts])


def reduce_font(path: Path) -> TTFont:
    """Read a font and keep the characters of pictures."""
    font, options = TTFont(path), Options()
    font.flavor = None
    for table in VARIABLE_TABLES:
        if table in font:
            del font[table]
    options.layout_features, options.hinting, options.glyph_names = FEATURES, False, False
    options.notdef_outline, options.name_IDs = True, [0, 1, 2, 3, 4, 5, 6, 13, 14, 16, 17]
    reducer = Subsetter(options)
    reducer.populate(unicodes=CHARACTERS)
    reducer.subset(font)
    return font


def replace_notdef(font: TTFont) -> None:
    """Draw a character that the font lacks as a thin frame; Inter has a dark pattern, too loud for players' names."""
    top = font["CFF "].cff.topDictIndex[0]
    old, units = top.CharStrings[".notdef"], font["head"].unitsPerEm
    pen = T2CharStringPen(round(units * 0.7), font.getGlyphSet())
    for inset, is_hole in ((0.0, False), (0.05, True)):
        draw_frame(pen, units, inset, is_hole)
    top.CharStrings[".notdef"] = pen.getCharString(old.private, old.globalSubrs)
    font["hmtx"][".notdef"] = (round(units * 0.7), round(units * 0.1))


def draw_frame(pen: T2CharStringPen, units: int, inset: float, is_hole: bool) -> None:
    left, right, low, high = 0.1 + inset, 0.6 - inset, inset, 0.72 - inset
    corners = [(left, low), (right, low), (right, high), (left, high)]
    for number, (x, y) in enumerate(reversed(corners) if is_hole else corners):
        (pen.lineTo if number else pen.moveTo)((round(x * units), round(y * units)))
    pen.closePath()


# The table of advance widths


def write_widths() -> None:
    """Write the advance widths of all characters, in thousandths of the font size."""
    faces = [f'"{path.stem}": {json.dumps(dict(list_widths(TTFont(path))))}' for path in sorted(FONTS.glob("*.?tf"))]
    (FONTS / "widths.json").write_text("{\n" + ",\n".join(faces) + "\n}\n", encoding="utf-8")


def list_widths(font: TTFont) -> Iterator[tuple[str, int]]:
    scale = 1000 / font["head"].unitsPerEm
    for code, glyph in sorted(font.getBestCmap().items()):
        yield chr(code), round(font["hmtx"][glyph][0] * scale)


if __name__ == "__main__":
    if sys.argv[1:] == ["widths"]:
        write_widths()
    else:
        with tempfile.TemporaryDirectory() as scratch:
            build_fonts(Path(scratch))
