"""Park and palace: side by side if the terminal is wide enough, otherwise the palace below the park."""

from __future__ import annotations

from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from ...games.palais_royal.names import PalaisRoyalNames, Plain
from . import palace, park

APART = 2  # columns between park and palace


@dataclass(frozen=True)
class ParkAndPalace:
    """Park and palace, side by side if the terminal is wide enough."""

    board: Plain
    names: PalaisRoyalNames

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        left = options.max_width - park.measure_park(park.NARROWEST, self.names) - APART
        if left >= measure_palace(palace.NARROWEST):
            yield from self.render_side_by_side(options.max_width)
        else:
            yield from (park.Park(self.board, self.names), Text(), palace.Palace(self.board, self.names))

    def render_side_by_side(self, available: int) -> RenderResult:
        """Render both side by side: the park gets the width that the palace does not need."""
        lawn = park.Park(self.board, self.names)
        space = lawn.choose_width(available - APART - measure_palace(palace.NARROWEST))
        left = available - park.measure_park(space, self.names) - APART
        room = min(palace.WIDEST, (left - palace.ACROSS + 1) // palace.ACROSS)
        rooms = palace.render_tall_palace(self.board, self.names, room)
        for one, other in zip(lawn.render_lines(space), rooms, strict=True):
            yield Text.assemble(one, " " * APART, other, no_wrap=True)


def measure_palace(room: int) -> int:
    return palace.ACROSS * room + palace.ACROSS - 1
