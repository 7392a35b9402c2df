"""Park and palace: side by side where there is room, else the palace below the park as on the table."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...games.palais_royal.names import PalaisRoyalNames, Plain
from . import palace, park

APART = 2  # columns between park and palace


@dataclass(frozen=True)
class Picture:
    """Park and palace as they are drawn."""

    board: Plain
    names: PalaisRoyalNames

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left = options.max_width - park.width_of(park.NARROWEST, self.names) - APART
        if left >= palace_width(palace.NARROWEST):
            yield from self.beside(options.max_width)
        else:
            yield from (park.Park(self.board, self.names), Text(), palace.Palace(self.board, self.names))

    def beside(self, available: int) -> RenderResult:
        """The park gets what the palace does not need, then the palace what is left."""
        lawn = park.Park(self.board, self.names)
        space = lawn.fitting(available - APART - palace_width(palace.NARROWEST))
        left = available - park.width_of(space, self.names) - APART
        room = min(palace.WIDEST, (left - palace.ACROSS + 1) // palace.ACROSS)
        rooms = palace.tall_lines(self.board, self.names, room)
        for one, other in zip(lawn.lines(space), rooms, strict=True):
            yield Text.assemble(one, " " * APART, other, no_wrap=True)


def palace_width(room: int) -> int:
    return palace.ACROSS * room + palace.ACROSS - 1
