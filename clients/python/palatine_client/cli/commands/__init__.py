"""The commands of the client; each function imports its modules when it runs, so that `palatine --help` is quick."""

from __future__ import annotations

import typer

from . import bot, conform, load, play, tables, watch, webhook, whoami


def add_to(app: typer.Typer) -> None:
    """Add all commands of the client."""
    for command in (play, watch, tables, bot, webhook, whoami, load, conform):
        command.add_to(app)
