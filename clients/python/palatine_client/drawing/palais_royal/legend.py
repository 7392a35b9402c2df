"""What the signs mean."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from . import looks
from .names import Names


def legend(names: Names) -> RenderableType:
    """What the signs mean."""
    return Group(Rule(style="dim"), Columns([*entries(names)], padding=(0, 3)), Text())


def entries(names: Names) -> Iterator[Text]:
    yield sign("4", f"bold {looks.GOLD}", names.label("price"))
    yield sign("↓3", f"bold {looks.REDUCED}", names.label("reduced"))
    for seal, (mark, colour) in looks.SEALS.items():
        yield sign(mark, colour, names.piece(seal))
    yield sign(" 6 ", looks.POINTS, names.label("points"))
    for kind, (mark, colour) in looks.BENEFITS.items():
        if not kind.startswith("seal"):
            yield sign(mark, colour, names.of(names.benefits[kind]))
    yield sign("·", looks.GRASS, names.label("free"))
    yield sign("×2", "bold", names.label("double"))
    ornaments = "".join(looks.ORNAMENTS.values())
    yield sign(ornaments, looks.STONE, names.label("ornament"))
    yield sign(looks.MAJORITY, "bold", names.label("majority"))


def sign(mark: str, style: str, words: str) -> Text:
    return Text.assemble((mark, style), f" {words}")
