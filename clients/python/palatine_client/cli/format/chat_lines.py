"""Chat lines as the terminal shows them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rich.text import Text

from palatine_protocol.messages import Line

from ...render.text.render_context import RenderContext
from ...view import build_chat_line

MOST_LINES = 5  # shown to a user who has just joined


def render_chat_line(line: Line, scene: RenderContext) -> Text:
    """Render a chat line with its author and, unless plain, its number."""
    among = f" ({scene.label('among spectators')})" if line.to == "spectators" else ""
    if scene.plain:
        return Text(f"{line.name}{among}: {line.text}")
    return Text.assemble((f"{line.name}{among}: ", "bold #87afd7"), line.text, (f"  #{line.line}", "dim"))


def find_chat_line(news: dict[str, Any], version: int) -> Line | None:
    """Return the chat line that a piece of news holds; None if it holds none."""
    match news:
        case {"news": "said", "name": str(name), "text": str(text)}:
            return build_chat_line(version, name, text, news)
    return None


def select_missed_lines(lines: Iterable[Line], last: int) -> list[Line]:
    """Return the lines after the one with this number; after 0, only the latest few."""
    newer = [line for line in lines if line.line > last]
    return newer if last else newer[-MOST_LINES:]
