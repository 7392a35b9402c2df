"""Bounds of texts: lines that fit a label, and parts that fit a message."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from ...screen_console import ScreenConsole
from ...screen_text import CUT, screen_lines, screen_text

HELP_WIDTH = 80  # columns of texts that are laid out for a terminal


def cut_text(text: str, longest: int) -> str:
    """Return a text as one harmless line of at most so many characters."""
    line = " ".join(screen_text(text, 4 * longest + 1).split())
    return line if len(line) <= longest else line[: longest - 1].rstrip() + CUT


def cut_lines(lines: Iterable[str], longest: int) -> list[str]:
    """Return as many lines as fit, with a sign if some are left out."""
    kept: list[str] = []
    left = longest
    for line in lines:
        clean = screen_lines(line)
        if len(clean) + 1 > left - 2:
            kept.append(CUT)
            break
        kept.append(clean)
        left -= len(clean) + 1
    return kept


def render_plain(shown: RenderableType) -> list[str]:
    """Return what a terminal would show as lines of plain text."""
    console = ScreenConsole(width=HELP_WIDTH, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(shown)
    return [line.rstrip() for line in captured.get().splitlines()]


def read_columns(columns: Iterable[RenderableType]) -> list[str]:
    """Return the texts among the columns of a menu entry."""
    return [column.plain.strip() for column in columns if isinstance(column, Text) and column.plain.strip()]
