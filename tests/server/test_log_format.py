"""Logs: fields from an allow-list, and no payload however it comes in."""

import ast
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from palatine_server.log_format import EXTRA, LIBRARY, LineFormatter, LogLine, as_json, as_text
from palatine_server.store import Unavailable

SERVER = Path(__file__).parent.parent.parent / "server" / "palatine_server"
SECRET = "palatine_WyJhYmMiLCJMdWR3aWciXQ"


def logged(name: str, message: Any, *given: Any, error: BaseException | None = None, **extra: Any) -> dict[str, Any]:
    """What becomes of a log record."""
    details = (type(error), error, error.__traceback__) if error else None
    record = logging.getLogger(name).makeRecord(name, logging.ERROR, __file__, 1, message, given, details, extra=extra)
    line: dict[str, Any] = json.loads(LineFormatter(as_json).format(record))
    assert SECRET not in LineFormatter(as_text).format(record)
    assert SECRET not in json.dumps(line)
    return line


def raised(error: Exception, *, cause: Exception | None = None) -> Exception:
    """An error as it is when it was raised, with a secret among the variables."""
    held = SECRET
    try:
        raise error from cause
    except Exception as caught:
        assert held
        return caught


def test_an_event_has_the_fields_of_the_allow_list_and_no_others() -> None:
    line = logged("palatine.tables", "table broke", table="Ab12", version=7, seat=1, user=SECRET, token=SECRET)
    assert {*line} == {"time", "level", "node", "logger", "event", "table", "version", "seat"}
    assert (line["event"], line["table"], line["version"]) == ("table broke", "Ab12", 7)
    assert {*EXTRA} < {*LogLine.__struct_fields__}


def test_of_the_arguments_only_numbers_and_errors_are_told() -> None:
    line = logged("palatine.workers", "worker %d said %s: %s", 7, SECRET, Unavailable("the disk is full"))
    assert line["event"] == "worker 7 said …: Unavailable: the disk is full"


@pytest.mark.parametrize("message", ["a sentence with too few %s", "a sentence"])
def test_arguments_that_do_not_fit_are_left_out(message: str) -> None:
    assert logged("palatine", message, SECRET, SECRET)["event"] == message


def test_of_errors_of_others_only_the_class_and_the_place_are_told() -> None:
    line = logged("palatine.tables", "table broke", error=raised(KeyError(SECRET)))
    assert line["errors"] == ["KeyError"]
    assert "tests/server/test_log_format.py:" in line["places"][-1]
    assert line["places"][-1].endswith(" raised")


def test_causes_and_groups_are_told_alike() -> None:
    caused = raised(Unavailable("the line is closed"), cause=ValueError(SECRET))
    line = logged("palatine.tables", "table broke", error=ExceptionGroup(SECRET, [caused, OSError(SECRET)]))
    assert line["errors"] == ["ExceptionGroup", "Unavailable: the line is closed", "ValueError", "OSError"]


def test_what_a_library_says_is_not_repeated() -> None:
    line = logged("asyncio", f"Task exception was never retrieved\nfuture: {SECRET}", error=raised(ValueError(SECRET)))
    assert line["event"] == LIBRARY
    assert line["errors"] == ["ValueError"]


def test_an_event_is_one_line_of_json() -> None:
    record = logging.getLogger("palatine").makeRecord("palatine", 40, "x", 1, "two\nlines", (), None)
    assert "\n" not in LineFormatter(as_json).format(record)


LOGGING = {"debug", "info", "warning", "error", "critical", "exception", "log"}


class LogCall(NamedTuple):
    """A call of a logger in the code."""

    place: str
    call: ast.Call
    tables: set[str]  # names in the same module of constant tables of sentences


def log_calls() -> Iterator[LogCall]:
    for path in SERVER.rglob("*.py"):
        module = ast.parse(path.read_text())
        tables = {name for statement in module.body for name in names_of_sentences(statement)}
        for node in ast.walk(module):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "LOG"), attr=name)) if name in LOGGING:
                    yield LogCall(f"{path.relative_to(SERVER)}:{node.lineno}", node, tables)


def names_of_sentences(statement: ast.stmt) -> Iterator[str]:
    """The name of a constant whose values are all constant sentences, if this statement assigns one."""
    match statement:
        case (
            ast.AnnAssign(target=ast.Name(id=name), value=ast.Dict(values=values))
            | ast.Assign(targets=[ast.Name(id=name)], value=ast.Dict(values=values))
        ) if name.isupper() and all(isinstance(value, ast.Constant) for value in values):
            yield name


def is_constant_sentence(found: LogCall) -> bool:
    match found.call.args:
        case [ast.Constant(value=str()), *_]:
            return True
        case [ast.Subscript(value=ast.Name(id=name)), *_]:
            return name in found.tables
    return False


def test_every_event_in_the_code_is_a_constant_sentence() -> None:
    calls = list(log_calls())
    assert len(calls) > 10
    helper = "log_format.py:"  # its one call is given constants
    odd = [found.place for found in calls if not is_constant_sentence(found)]
    assert all(place.startswith(helper) for place in odd), odd


def test_fields_in_the_code_are_in_the_allow_list() -> None:
    extras = [(found.place, word.value) for found in log_calls() for word in found.call.keywords if word.arg == "extra"]
    assert extras
    for place, given in extras:
        assert {key.value for key in given.keys} <= {*EXTRA}, place  # type: ignore[attr-defined]
