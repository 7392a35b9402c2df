"""Warnings of the client in one clean line each; a server formats its log itself."""

from __future__ import annotations

import logging
import traceback

from ..screen_text import screen_text

LONGEST = 500  # characters of one line


class LineFormatter(logging.Formatter):
    """Writes a record as one line, with the error and its place instead of a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        return screen_text(f"palatine: {record.getMessage()}{describe_error(error) if error else ''}", LONGEST)


def describe_error(error: BaseException) -> str:
    """Return an error and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
    return f" ({type(error).__name__}: {error}{place})"


def use_line_handler() -> None:
    """Use clean lines where nothing else has configured logging, instead of Python's raw ones."""
    handler = logging.StreamHandler()
    handler.setLevel(logging.WARNING)
    handler.setFormatter(LineFormatter())
    logging.lastResort = handler
