"""Tools that only a checkout has: they live with the tests and are not installed with the server."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import typer

TESTS = Path(__file__).parents[3] / "tests"


def add_to(app: typer.Typer) -> None:
    """Add `palatine chaos`, where the tests are."""
    if (TESTS / "chaos" / "command.py").exists():
        sys.path.append(str(TESTS))
        import_module("chaos.command").add_to(app)
