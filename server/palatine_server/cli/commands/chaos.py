"""`palatine chaos`: the command is part of the tests, so it exists only in a checkout."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import typer

TESTS = Path(__file__).parents[4] / "tests"


def add_to(app: typer.Typer) -> None:
    """Add the command if the folder of the tests exists."""
    if (TESTS / "chaos" / "command.py").exists():
        sys.path.append(str(TESTS))
        import_module("chaos.command").add_to(app)
