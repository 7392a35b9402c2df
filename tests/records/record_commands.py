"""The commands about records as one app, which tests call without loading the others."""

from __future__ import annotations

import typer

from palatine_server.cli.commands import archive, erase, import_records, keys, record, replay, verify

COMMANDS = typer.Typer()
for command in (archive, erase, import_records, keys, record, replay, verify):
    command.add_to(COMMANDS)
