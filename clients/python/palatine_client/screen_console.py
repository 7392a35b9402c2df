"""The console that all commands print on. Foreign text may be given to it as it is.

There are two walls. Strings are text, never markup or emoji codes, and are cleaned before they are laid out; so are
rich's `Text` objects. Then every segment is cleaned again as it is rendered, whatever it came from, and links are
removed from styles. So the only escape sequences that reach a terminal are those that rich writes for our own styles
and for cursor movements of our own displays.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable
from types import TracebackType
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from .screen_text import is_harmless, screen_lines


class ScreenConsole(Console):
    """rich's console, for text that anybody may have written."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **given})

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a string as text to be laid out."""
        return super().render_str(screen_lines(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield what is to be written."""
        shown = clean_text(renderable) if isinstance(renderable, Text) else renderable
        return map(clean_segment, super().render(shown, options))


def clean_text(text: Text) -> Text:
    """Return text with harmless characters; styles stay where they are."""
    shown = screen_lines(text.plain)
    if shown == text.plain:
        return text
    cleaned = text.copy()
    cleaned.plain = shown
    return cleaned


def clean_segment(segment: Segment) -> Segment:
    """Return a segment with harmless characters and without a link; control codes are our own."""
    text, style, control = segment
    if control is not None:
        return segment
    if style is not None and style.link:
        style = style.update_link(None)
    return segment if style is segment.style and is_harmless(text) else Segment(screen_lines(text), style)


def show_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Write an uncaught exception like Python, but harmlessly: its message may quote anybody. For `sys.excepthook`."""
    sys.stderr.write(screen_lines("".join(traceback.format_exception(kind, error, trace))))
