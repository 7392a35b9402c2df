"""Warnings of the client: one line each, which cannot command the terminal."""

import logging
import sys

import pytest
from clients.hostile_text import EVERYTHING, must_be_harmless

from palatine_client.cli.log_lines import LineFormatter, use_line_handler


def record_of(message: str, error: Exception | None = None) -> logging.LogRecord:
    try:
        if error:
            raise error
    except Exception:
        return logging.LogRecord("palatine.x", logging.ERROR, "", 0, message, (), sys.exc_info())
    return logging.LogRecord("palatine.x", logging.ERROR, "", 0, message, (), None)


def test_an_error_is_one_harmless_line_with_its_place() -> None:
    line = LineFormatter().format(record_of("it fails", KeyError(f"pwned\n{EVERYTHING}")))
    assert line.startswith("palatine: it fails (KeyError: ")
    assert "\n" not in line
    must_be_harmless(line)
    assert "test_log_lines.py:" in LineFormatter().format(record_of("it fails", ValueError("why")))
    assert LineFormatter().format(record_of("slow")) == "palatine: slow"


def test_it_writes_only_where_nothing_else_is_configured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(logging, "lastResort", None)
    use_line_handler()
    lonely = logging.getLogger("lonely")
    monkeypatch.setattr(lonely, "propagate", False)
    lonely.warning("look")
    lonely.info("do not look")
    assert capsys.readouterr().err == "palatine: look\n"
