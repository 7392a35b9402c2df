"""Bounds of texts: lines that fit a label, and parts that fit a message."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rich.console import RenderableType
from rich.text import Text

from ...screen_console import ScreenConsole
from ...screen_text import CUT, screen_lines, screen_text

WIDE = 10_000  # columns: a paragraph is one line, which the chat breaks itself
COLUMNS = re.compile(r"(?<=\S) {2,}(?=\S)")


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


def render_prose(shown: RenderableType) -> list[str]:
    """Return what a terminal would show as paragraphs; a row of a table is one line, with a colon after its head."""
    console = ScreenConsole(width=WIDE, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(shown)
    text = "\n".join(COLUMNS.sub(": ", line.strip(), 1) for line in captured.get().splitlines())
    return re.sub(r"\n{3,}", "\n\n", text.strip()).splitlines()


def read_columns(columns: Iterable[RenderableType]) -> list[str]:
    """Return the texts among the columns of a menu entry."""
    return [column.plain.strip() for column in columns if isinstance(column, Text) and column.plain.strip()]
