"""The legend of the signs of Palais Royal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from ...games.palais_royal import theme
from ...games.palais_royal.names import PalaisRoyalNames


def render_legend(names: PalaisRoyalNames) -> RenderableType:
    """Render the meanings of the signs."""
    return Group(Rule(style="dim"), Columns([*list_entries(names)], padding=(0, 3)), Text())


def list_entries(names: PalaisRoyalNames) -> Iterator[Text]:
    yield render_sign("4", f"bold {theme.GOLD}", names.label("price"))
    yield render_sign("↓3", f"bold {theme.REDUCED}", names.label("reduced"))
    for seal, (mark, colour) in theme.SEALS.items():
        yield render_sign(mark, colour, names.name_piece(seal))
    yield render_sign(" 6 ", theme.POINTS, names.label("points"))
    for kind, (mark, colour) in theme.BENEFITS.items():
        if not kind.startswith("seal"):
            yield render_sign(mark, colour, names.name_entry(names.benefits[kind]))
    yield render_sign("·", theme.GRASS, names.label("free"))
    yield render_sign("×2", "bold", names.label("double"))
    ornaments = "".join(theme.ORNAMENTS.values())
    yield render_sign(ornaments, theme.STONE, names.label("ornament"))
    yield render_sign(theme.MAJORITY, "bold", names.label("majority"))


def render_sign(mark: str, style: str, words: str) -> Text:
    return Text.assemble((mark, style), f" {words}")
