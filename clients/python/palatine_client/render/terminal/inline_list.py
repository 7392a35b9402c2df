"""A list with commas that wraps between its items, never within one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text


@dataclass(frozen=True)
class InlineList:
    """A list with commas that wraps between its items."""

    things: list[Text]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield from self.wrap_lines(options.max_width)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [text.cell_len for text in self.add_commas()]
        return Measurement(max(widths), sum(widths) + len(widths)).clamp(max_width=options.max_width)

    def add_commas(self) -> list[Text]:
        *most, last = self.things
        return [*(Text.assemble(thing, ",") for thing in most), last]

    def wrap_lines(self, width: int) -> Iterator[Text]:
        line = Text()
        for part in self.add_commas():
            if line and line.cell_len + 1 + part.cell_len > width:
                yield line
                line = Text()
            line = Text.assemble(line, " ", part) if line else part
        yield line
