"""The limits of a record: the largest file, line, text and value. Every reader of records checks them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from palatine_protocol import patch
from palatine_protocol.messages import Info

LARGEST_RECORD = 32 * 2**20  # bytes; the largest record that we have seen has 320 KB
LARGEST_LINE = 256 * 1024  # bytes; the longest line that we have seen has 6 KB
LARGEST_INFO = 64 * 1024  # bytes of the table's info, at any moment
MOST_ENTRIES = 50_000
MOST_LINES = 4 * MOST_ENTRIES  # including the lines of names and chat
MOST_SEATS = 16
LONGEST_TEXT = {"name": 100, "chat": 1_000}  # characters; a server accepts 24 and 300
LONGEST_STRING = 10_000  # characters
DEEPEST = patch.DEEPEST + 8  # levels of lists and maps in one line; the values of a patch begin a few levels down


class BadRecord(ValueError):  # noqa: N818 (a mistake in a file)
    """The file is not a record, or was changed; the text says why and quotes nothing from the file."""


def read_file(path: Path) -> bytes:
    """Return the content of a file, or raise BadRecord without reading it if it is too large."""
    with path.open("rb") as file:
        return check_size(file.read(LARGEST_RECORD + 1))


def check_size(content: bytes) -> bytes:
    """Return the content, or raise BadRecord if it is larger than any record."""
    if len(content) > LARGEST_RECORD:
        raise BadRecord(f"it is larger than {LARGEST_RECORD // 2**20} MiB, the most that a record may have")
    return content


def split_lines(content: bytes) -> list[bytes]:
    """Return the lines with their ends, or raise BadRecord if there are too many or one is too long."""
    lines = check_size(content).split(b"\n", MOST_LINES + 1)
    if len(lines) > MOST_LINES + 1:
        raise BadRecord(f"it has more than {MOST_LINES} lines, the most that a record may have")
    if max(map(len, lines)) >= LARGEST_LINE:
        raise BadRecord(f"it has a line longer than {LARGEST_LINE // 1024} KiB, the most that a record may have")
    if lines.pop():
        raise BadRecord("its last line has no end: this is no record, or not a whole one")
    return [line + b"\n" for line in lines]


def read_line(line: bytes, kind: type[Any], name: str) -> Any:
    """Return the typed value of a line, or raise BadRecord."""
    return convert_value(read_value(line, name), kind, name)


def read_value(line: bytes, name: str) -> Any:
    """Return the plain value of a line, or raise BadRecord if it is not JSON or exceeds a limit."""
    try:
        value = msgspec.json.decode(line)
    except RecursionError:
        raise BadRecord(f"{name} is nested more than {DEEPEST} levels deep") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise BadRecord(f"{name} cannot be read; this is no record, or not a whole one") from None
    _check(value, name, 0)
    return value


def convert_value(value: Any, kind: type[Any], name: str) -> Any:
    """Return a plain value as this type, or raise BadRecord."""
    try:
        return msgspec.convert(value, kind)
    except (msgspec.ValidationError, RecursionError):
        raise BadRecord(f"{name} does not have the fields of a record") from None


def _check(value: Any, name: str, depth: int) -> None:
    """Raise BadRecord unless a value has only types that documents may hold; the depth bounds the recursion."""
    if depth > DEEPEST:
        raise BadRecord(f"{name} is nested more than {DEEPEST} levels deep")
    kind = type(value)
    if kind is list:
        for item in value:
            _check(item, name, depth + 1)
    elif kind is dict:
        for key, item in value.items():
            _check_string(key, name)
            _check(item, name, depth + 1)
    elif kind is str:
        _check_string(value, name)
    elif kind is float or (kind is int and not -patch.LARGEST <= value <= patch.LARGEST):
        raise BadRecord(f"{name} holds a number that is no integer between -(2^53 - 1) and 2^53 - 1")


def _check_string(text: str, name: str) -> None:
    if len(text) > LONGEST_STRING:
        raise BadRecord(f"{name} holds a text of more than {LONGEST_STRING} characters")


def check_text(kind: str, text: Any) -> str:
    """Return a name or a chat line; raise BadRecord if the value is not a text, or is too long."""
    if not isinstance(text, str) or len(text) > LONGEST_TEXT[kind]:
        raise BadRecord(f"it holds a {kind} that is no text of at most {LONGEST_TEXT[kind]} characters")
    return text


def check_info(info: Any, name: str) -> None:
    """Raise BadRecord unless the value is a valid info of a table and within its size limit."""
    known: Info = convert_value(info, Info, name)
    if not 1 <= len(known.seats) <= MOST_SEATS:
        raise BadRecord(f"{name} names no table of 1 to {MOST_SEATS} seats")
    if len(msgspec.json.encode(info)) > LARGEST_INFO:
        raise BadRecord(f"{name} makes the info of the table larger than {LARGEST_INFO // 1024} KiB")
