"""What was said at a table, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from palatine_protocol.messages import Line

from ...render.text.render_context import RenderContext
from ...view import said

MOST_LINES = 5  # that somebody is told who has just come


def shown(line: Line, scene: RenderContext) -> Text:
    """A line with who said it, and its number for those who see it."""
    among = f" ({scene.label('among spectators')})" if line.to == "spectators" else ""
    if scene.plain:
        return Text(f"{line.name}{among}: {line.text}")
    return Text.assemble((f"{line.name}{among}: ", "bold #87afd7"), line.text, (f"  #{line.line}", "dim"))


def line_in(news: dict[str, Any], version: int) -> Line | None:
    """The line that news tell, if they do."""
    match news:
        case {"news": "said", "name": str(name), "text": str(text)}:
            return said(version, name, text, news)
    return None


def missed(lines: Iterable[Line], last: int) -> list[Line]:
    """What was said after the line of this number; to somebody who has just come only the end of it."""
    newer = [line for line in lines if line.line > last]
    return newer if last else newer[-MOST_LINES:]
