"""Logs: one line for each event, made of fields from an allow-list and of nothing else.

An event is a sentence that stands in our code; of its arguments only numbers and errors are told. Of an error of ours
the message is told, which holds no secrets; of any other only the class and where it was raised, for its message may
quote whatever somebody sent. What a library says is not repeated either, only where it said so.
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
OURS = "palatine"  # how our loggers and modules begin
LIBRARY = "a library reports something"
REDACTED = "…"
MOST_ERRORS = 5  # of a chain or a group
MOST_PLACES = 20  # of a traceback, the innermost ones


class LogLine(Struct, kw_only=True, omit_defaults=True):
    """All that is ever told: the allow-list."""

    time: str
    level: str
    node: str
    logger: str
    event: str
    table: str | None = None
    version: int | None = None
    seat: int | None = None
    code: str | None = None
    url: str | None = None  # our own
    origin: str | None = None  # of a web page that was refused, if it is one that a browser sends
    errors: list[str] = []
    places: list[str] = []


EXTRA = ("table", "version", "seat", "code", "url", "origin")


def configure_logging(style: Style) -> None:
    """From now on, log like this on standard error; of our own news, also those that are no warnings."""
    handler = logging.StreamHandler(sys.stderr)
    is_text = style == "text" or (style == "auto" and sys.stderr.isatty())
    handler.setFormatter(LineFormatter(as_text if is_text else as_json))
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger(OURS).setLevel(logging.INFO)
    logging.captureWarnings(True)
    logging.raiseExceptions = False  # it would print what could not be formatted
    sys.excepthook = _report_uncaught
    sys.unraisablehook = lambda failed: _report("an error in a finalizer", failed.exc_value)
    threading.excepthook = lambda failed: _report("a thread ended by an error", failed.exc_value)


def _report_uncaught(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if not issubclass(kind, KeyboardInterrupt):
        _report("the process ends by an error", error)


def _report(event: str, error: BaseException | None) -> None:
    LOG.critical(event, exc_info=error)


class LineFormatter(logging.Formatter):
    """Writes a record as a line."""

    def __init__(self, write: Callable[[LogLine], str]) -> None:
        super().__init__()
        self._write = write
        self._node = f"{socket.gethostname()}:{os.getpid()}"

    def format(self, record: LogRecord) -> str:
        """What may be told of it."""
        return self._write(build_line(record, self._node))


def as_json(line: LogLine) -> str:
    return screen_json(msgspec.json.encode(line))


def as_text(line: LogLine) -> str:
    """The same for people."""
    extra = (f" {name}={value}" for name in EXTRA if (value := getattr(line, name)) is not None)
    errors = "".join(f" [{error}]" for error in line.errors)
    places = "".join(f"\n    {place}" for place in line.places)
    said = f"{line.time} {line.level} {line.logger}: {line.event}{''.join(extra)}{errors}"
    return screen_text(said) + screen_lines(places)


def build_line(record: LogRecord, node: str) -> LogLine:
    """A record, without all that may not be told."""
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
    """The sentence with those arguments that may be told."""
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
    """Its class, and what it says if it is ours."""
    kind = type(error)
    is_ours = kind.__module__.startswith(OURS)
    return f"{kind.__name__}: {error}" if is_ours and str(error) else kind.__name__


def describe_errors(error: BaseException | None) -> Iterator[str]:
    """An error, those in its group, and what caused it."""
    if error is None:
        return
    yield describe_error(error)
    for part in error.exceptions if isinstance(error, BaseExceptionGroup) else ():
        yield from describe_errors(part)
    yield from describe_errors(error.__cause__ or (None if error.__suppress_context__ else error.__context__))


def list_places(error: BaseException | None) -> list[str]:
    """Where it was raised, outermost first: files, lines and functions, but no values."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    trace = walk_tb(error.__traceback__) if error else ()
    places = [f"{shorten_path(frame.f_code.co_filename)}:{line} {frame.f_code.co_name}" for frame, line in trace]
    return places[-MOST_PLACES:]


def shorten_path(path: str) -> str:
    """The last parts of a path, which tell the package and the module."""
    return "/".join(Path(path).parts[-4:])
