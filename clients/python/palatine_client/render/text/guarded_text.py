"""The guard around the text rendering of a presentation: where it fails, the generic rendering answers instead.

A presentation may come from any package. A mistake in it must not end a client or a server, nor hide a decision from a
player. It is logged once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from rich.text import Text

from ..presentation import report_failure
from ..terminal.guarded_renderable import GuardedRenderable
from .base import GameText

Answer = Callable[[], Any]


class GuardedText(GameText):
    """Answers every question with the rendering of a presentation, or with the generic one if that fails."""

    def __init__(self, game: str, own: GameText) -> None:
        self._game, self._own, self._generic = game, own, GameText()

    def __getattribute__(self, name: str) -> Any:
        """Return a method of the presentation that cannot fail; fields are those of the presentation."""
        if name.startswith("_"):
            return super().__getattribute__(name)
        own, generic = getattr(self._own, name), getattr(self._generic, name)
        return partial(self._ask, own, generic) if callable(own) else own

    def _ask(self, own: Callable[..., Any], generic: Callable[..., Any], *given: Any, **named: Any) -> Any:
        answer: Answer = partial(generic, *given, **named)
        try:
            shown = own(*given, **named)
            return iter(self._guard([*shown], answer)) if isinstance(shown, Iterator) else self._guard(shown, answer)
        except Exception as error:
            report_failure(self._game, error)
            return answer()

    def _guard(self, shown: Any, answer: Answer) -> Any:
        """Return what a presentation shows; drawings are guarded until they are printed."""
        if is_drawing(shown):
            return GuardedRenderable(self._game, shown, lambda: answer() or Text())
        if isinstance(shown, list) and any(map(is_drawing, shown)):
            return [self._guard(each, partial(pick, answer, at)) for at, each in enumerate(shown)]
        return shown


def is_drawing(shown: Any) -> bool:
    return hasattr(shown, "__rich_console__") and not isinstance(shown, Text)


def pick(answer: Answer, at: int) -> Any:
    """Return the generic drawing at this place of a list; nothing if the generic list is shorter."""
    those = [*answer()]
    return those[at] if at < len(those) else Text()
