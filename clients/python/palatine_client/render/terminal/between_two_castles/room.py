"""The boxes in the picture of a castle: its rooms, and the spaces that the player may choose."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.text import Text

from ...games.between_two_castles.names import CastleNames, Plain, find_kind, has_open_sky
from ...games.between_two_castles.theme import (
    DECORATIONS,
    LOOKS,
    NEW,
    POSITIONS,
    SKY,
    SKY_EDGE,
    RoomLook,
)
from ...hyphenation import wrap_name

# One room: a box with its kind at the top, its name in the middle and its decoration at the bottom

ROOMY = 9  # columns; a narrower box has no walls, so that the name fits


@dataclass(frozen=True)
class RoomBox:
    """The box of a room."""

    name: str
    look: RoomLook
    decoration: str = ""
    open_sky: bool = False
    remark: str = ""
    is_new: bool = False

    def list_words(self, width: int) -> list[str]:
        room_for_words = width - 2 if width >= ROOMY else width - 1
        return [*wrap_name(self.name, room_for_words), *([self.remark] if self.remark else [])]

    def render_lines(self, width: int, height: int) -> Iterator[Text]:
        """Render the box, line by line."""
        words, inner = self.list_words(width), height - 2
        above = (inner - len(words)) // 2
        padded = [""] * above + words + [""] * (inner - above - len(words))
        yield self.render_top(width)
        yield from (self.render_middle(line, width) for line in padded)
        yield self.render_bottom(width)

    def render_top(self, width: int) -> Text:
        left, right = self.look.corners[:2]
        edge, style = (SKY_EDGE, SKY) if self.open_sky else (self.look.edge, self.look.style)
        rest = edge * (width - 6) + NEW + edge if self.is_new and width > 6 else edge * (width - 4)
        return Text(left + edge + self.look.sign + rest + right, style)

    def render_middle(self, line: str, width: int) -> Text:
        wall, style = self.look.wall, self.look.style
        if width < ROOMY:
            return Text(f" {line:{width - 1}}", f"bold {style}")
        return Text.assemble(wall, (line.center(width - 2), "bold"), wall, style=style)

    def render_bottom(self, width: int) -> Text:
        left, right = self.look.corners[2:]
        sign, edge = self.decoration or self.look.edge, self.look.edge
        return Text(left + edge * (width - 4) + sign + edge + right, self.look.style)


def build_room(name: str, names: CastleNames, is_new: bool = False) -> RoomBox:
    """Build the box of a room of the catalog."""
    piece = names.pieces[name]
    remark = format_wishes(piece) if "attendant_slots" in piece else ""
    decoration = DECORATIONS.get(piece["decoration"], "")
    return RoomBox(
        names.name_entry(piece), LOOKS[find_kind(piece)], decoration, has_open_sky(piece, names), remark, is_new
    )


def format_wishes(throne: Plain) -> str:
    """Return the wishes of a throne room for rooms around it, as signs."""
    liked, where = (LOOKS[kind].sign for kind in throne["types"]), (POSITIONS[at] for at in throne["positions"])
    return f"{' '.join(liked)} {''.join(where)}"


# One space: a dashed box around an empty cell, with the number that the player types to choose it

SPACE, SPACE_NUMBER = "#c9a94a", "bold #241a00 on #ffd75f"


@dataclass(frozen=True)
class SpaceBox:
    """The box of an empty cell that the player may choose."""

    number: int
    remark: str = ""

    def list_words(self, width: int) -> list[str]:
        return [f" {self.number} "[: width - 2], *([self.remark[: width - 2]] if self.remark else [])]

    def render_lines(self, width: int, height: int) -> Iterator[Text]:
        """Render the box, line by line."""
        words, inner = self.list_words(width), height - 2
        above = (inner - len(words)) // 2
        yield Text(f"┌{'╌' * (width - 2)}┐", SPACE)
        for at in range(inner):
            yield self.render_middle(words[at - above] if 0 <= at - above < len(words) else "", width, at == above)
        yield Text(f"└{'╌' * (width - 2)}┘", SPACE)

    def render_middle(self, word: str, width: int, is_number: bool) -> Text:
        rest = width - 2 - len(word)
        shown = (word, SPACE_NUMBER if is_number else SPACE)
        return Text.assemble("╎", " " * (rest // 2), shown, " " * (rest - rest // 2), "╎", style=SPACE)
