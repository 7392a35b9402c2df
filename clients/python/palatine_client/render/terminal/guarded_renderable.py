"""A rendering that cannot break a screen: if it fails when it is printed, a generic one is printed instead."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

from ..presentation import FAILURES, report_failure


@dataclass(frozen=True)
class GuardedRenderable:
    """The rendering of a presentation, and the generic rendering of the same."""

    game: str
    own: RenderableType
    render_generic: Callable[[], RenderableType]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        try:
            yield from [*console.render(self.own, options)]
        except FAILURES as error:
            report_failure(self.game, error)
            yield self.render_generic()
