"""The console that all commands print on; it makes untrusted text safe.

It cleans text twice. Before layout it cleans strings and rich's `Text` objects, and it never reads markup or emoji
codes in them. While rendering it cleans every segment again, whatever its source, and removes links from styles. So the
only escape sequences that reach a terminal are rich's own, for our styles and for cursor movements of live displays.
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
    """A rich console for text from untrusted sources."""

    def __init__(self, **given: Any) -> None:
        super().__init__(**{"markup": False, "emoji": False, **given})

    def render_str(self, text: str, **how: Any) -> Text:
        """Return a string as clean text for the layout."""
        return super().render_str(screen_lines(text), **how)

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Yield clean segments."""
        shown = clean_text(renderable) if isinstance(renderable, Text) else renderable
        return map(clean_segment, super().render(shown, options))


def clean_text(text: Text) -> Text:
    """Return the text with unsafe characters replaced; its styles keep their places."""
    shown = screen_lines(text.plain)
    if shown == text.plain:
        return text
    cleaned = text.copy()
    cleaned.plain = shown
    return cleaned


def clean_segment(segment: Segment) -> Segment:
    """Return a segment with unsafe characters replaced and without a link; control segments are our own and stay."""
    text, style, control = segment
    if control is not None:
        return segment
    if style is not None and style.link:
        style = style.update_link(None)
    return segment if style is segment.style and is_harmless(text) else Segment(screen_lines(text), style)


def show_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an uncaught exception as `sys.excepthook` does, but clean: its message may quote untrusted text."""
    sys.stderr.write(screen_lines("".join(traceback.format_exception(kind, error, trace))))
