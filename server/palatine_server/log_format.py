"""The log format: one line for each event, made of fields from an allow-list.

The event is a sentence from our code; of its arguments, only numbers and errors are logged. An error of ours is logged
with its message, which holds no secrets. Any other error is logged with its class and place only, because its message
may quote what a client sent. For the same reason, a library's message is replaced by the place where it was logged.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from logging import LogRecord
from pathlib import Path
from traceback import walk_tb
from types import TracebackType
from typing import Any, Literal

import msgspec
from msgspec import Struct

from palatine_client.screen_text import screen_json, screen_lines, screen_text

Style = Literal["auto", "json", "text"]

LOG = logging.getLogger(__name__)
OURS = "palatine"  # the prefix of our loggers and modules
LIBRARY = "a library logged a message; see its code at the place below"
REDACTED = "…"
MOST_ERRORS = 5  # errors of a chain or a group
MOST_PLACES = 20  # innermost frames of a traceback


class LogLine(Struct, kw_only=True, omit_defaults=True):
    """A line of the log: the allow-list of fields."""

    time: str
    level: str
    node: str
    logger: str
    event: str
    table: str | None = None
    version: int | None = None
    seat: int | None = None
    code: str | None = None
    url: str | None = None  # an address of this server
    origin: str | None = None  # the origin of a refused web page, if it is valid
    errors: list[str] = []
    places: list[str] = []


EXTRA = ("table", "version", "seat", "code", "url", "origin")


def configure_logging(style: Style) -> None:
    """Log to standard error in this style from now on: our events from level info, those of libraries from warning."""
    handler = logging.StreamHandler(sys.stderr)
    is_text = style == "text" or (style == "auto" and sys.stderr.isatty())
    handler.setFormatter(LineFormatter(as_text if is_text else as_json))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(OURS).setLevel(logging.INFO)
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # otherwise the logging module would print arguments that it cannot format
    sys.excepthook = _report_uncaught
    sys.unraisablehook = lambda failed: _report("a finalizer raised an error; report it", failed.exc_value)
    threading.excepthook = lambda failed: _report("an error ended a thread; report it", failed.exc_value)


def _report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        _report("an error ends the process; report it", error)


def _report(event: str, error: BaseException | None) -> None:
    LOG.critical(event, exc_info=error)


class LineFormatter(logging.Formatter):
    """Formats a log record as one line."""

    def __init__(self, write: Callable[[LogLine], str]) -> None:
        super().__init__()
        self._write = write
        self._node = f"{socket.gethostname()}:{os.getpid()}"

    def format(self, record: LogRecord) -> str:
        """Return the line of a record, in the chosen style."""
        return self._write(build_line(record, self._node))


def as_json(line: LogLine) -> str:
    return screen_json(msgspec.json.encode(line))


def as_text(line: LogLine) -> str:
    """Return the line as text for people."""
    extra = (f" {name}={value}" for name in EXTRA if (value := getattr(line, name)) is not None)
    errors = "".join(f" [{error}]" for error in line.errors)
    places = "".join(f"\n    {place}" for place in line.places)
    head = f"{line.time} {line.level} {line.logger}: {line.event}{''.join(extra)}{errors}"
    return screen_text(head) + screen_lines(places)


def build_line(record: LogRecord, node: str) -> LogLine:
    """Return the fields of a record that may be logged."""
    is_ours = record.name.startswith(OURS)
    error = record.exc_info[1] if record.exc_info else None
    return LogLine(
        time=datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        level=record.levelname.lower(),
        node=node,
        logger=record.name,
        event=format_event(record) if is_ours else LIBRARY,
        errors=list(islice(describe_errors(error), MOST_ERRORS)),
        places=list_places(error) or ([] if is_ours else [f"{shorten_path(record.pathname)}:{record.lineno}"]),
        **{name: getattr(record, name, None) for name in EXTRA},
    )


def format_event(record: LogRecord) -> str:
    """Return the sentence, with arguments that may hold secrets replaced."""
    given = record.args if isinstance(record.args, tuple) else ()
    try:
        return str(record.msg) % tuple(map(redact_argument, given))
    except (TypeError, ValueError):
        return str(record.msg)


def redact_argument(given: object) -> Any:
    if isinstance(given, BaseException):
        return describe_error(given)
    return given if isinstance(given, int | float) else REDACTED


def describe_error(error: BaseException) -> str:
    """Return the class of an error, and its message if the class is ours."""
    kind = type(error)
    is_ours = kind.__module__.startswith(OURS)
    return f"{kind.__name__}: {error}" if is_ours and str(error) else kind.__name__


def describe_errors(error: BaseException | None) -> Iterator[str]:
    """Yield descriptions of an error, of the errors in its group, and of its causes."""
    if error is None:
        return
    yield describe_error(error)
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from describe_errors(part)
    yield from describe_errors(error.__cause__ or (None if error.__suppress_context__ else error.__context__))


def list_places(error: BaseException | None) -> list[str]:
    """Return the files, lines and functions of the traceback, outermost first."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    trace = walk_tb(error.__traceback__) if error else ()
    places = [f"{shorten_path(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}" for frame, line in trace]
    return places[-MOST_PLACES:]


def shorten_path(path: str) -> str:
    """Return the last parts of a path, which name the package and the module."""
    return "/".join(Path(path).parts[-4:])
