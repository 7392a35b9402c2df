"""The guard around the text rendering of a presentation: where it fails, the generic rendering answers instead.

A presentation may come from any package. A mistake in it must not end a client or a server, nor hide a decision from a
player. It is logged once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from types import NoneType
from typing import Any

from rich.text import Text

from ..presentation import FAILURES, report_failure
from ..terminal.guarded_renderable import GuardedRenderable
from .base import GameText

Answer = Callable[[], Any]

# What methods return; all other methods that render something return anything that rich can print.
RETURNED: dict[str, type | tuple[type, ...]] = {
    "filter_choices": list,
    "render_entry": Text,
    "render_question": Text,
    "render_news": Text,
    "render_heading": (Text, NoneType),
    "render_columns": list,
    "render_row": list,
    "format_value": str,
    "format_action": str,
    "format_option": str,
    "describe_pieces": str,
    "name_field": str,
    "name_player": str,
}
ITEMS: dict[str, type] = {"narrate_board": list, "narrate_changed_boards": list, "narrate_hand": str}


class GuardedText(GameText):
    """Answers every question with the rendering of a presentation, or with the generic one if that fails."""

    def __init__(self, game: str, own: GameText) -> None:
        self._game, self._own, self._generic = game, own, GameText()

    def __getattribute__(self, name: str) -> Any:
        """Return a method of the presentation that cannot fail; fields are those of the presentation."""
        if name.startswith("_"):
            return super().__getattribute__(name)
        own = getattr(self._own, name)
        return partial(self._ask, name) if callable(own) else own

    def _ask(self, name: str, *given: Any, **named: Any) -> Any:
        answer: Answer = partial(getattr(self._generic, name), *given, **named)
        try:
            shown = getattr(self._own, name)(*given, **named)
            if isinstance(shown, Iterator):
                return iter(self._guard(check_items(name, [*shown]), answer))
            return self._guard(check(name, shown), answer)
        except FAILURES as error:
            report_failure(self._game, error)
            return answer()

    def _guard(self, shown: Any, answer: Answer) -> Any:
        """Return what a presentation shows; drawings are guarded until they are printed."""
        if is_drawing(shown):
            return GuardedRenderable(self._game, shown, lambda: answer() or Text())
        if isinstance(shown, list) and any(map(is_drawing, shown)):
            return [self._guard(each, partial(pick, answer, at)) for at, each in enumerate(shown)]
        return shown


def check(name: str, shown: Any) -> Any:
    """Return what a method has returned; raise TypeError if it is of another type than promised."""
    if not isinstance(shown, RETURNED.get(name, object)):
        raise TypeError(f"{name} of a presentation returned {type(shown).__name__}")
    return shown


def check_items(name: str, shown: list[Any]) -> list[Any]:
    """Return what an iterator has yielded; raise TypeError if an item is of another type than promised."""
    wanted = ITEMS.get(name, object)
    if not all(isinstance(each, wanted) for each in shown):
        raise TypeError(f"{name} of a presentation yielded something else than {wanted.__name__}")
    return shown


def is_drawing(shown: Any) -> bool:
    return hasattr(shown, "__rich_console__") and not isinstance(shown, Text)


def pick(answer: Answer, at: int) -> Any:
    """Return the generic drawing at this place of a list; nothing if the generic list is shorter."""
    those = [*answer()]
    return those[at] if at < len(those) else Text()
