"""The commands of the client. What they need is loaded when they are called, so that `palatine --help` is quick."""

from __future__ import annotations

import typer

from . import bot, load, play, tables, watch, webhook, whoami


def add_to(app: typer.Typer) -> None:
    """Add the commands of somebody who plays."""
    for command in (play, watch, tables, bot, webhook, whoami, load):
        command.add_to(app)
