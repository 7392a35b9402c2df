"""Command lines that a user can copy."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence

OWN_NAME = "palatine"
BEFORE_INVITATION = "#"


def build_command(*words: str) -> str:
    """Return the `palatine` command with these arguments, by its path if it is not on PATH."""
    found = OWN_NAME if shutil.which(OWN_NAME) or not sys.argv[0].endswith(OWN_NAME) else sys.argv[0]
    return shlex.join([found, *words])


def add_invitation(table: str, invitation: str = "") -> str:
    """Return a table and its invitation as one word."""
    return f"{table}{BEFORE_INVITATION}{invitation}" if invitation else table


def split_invitation(name: str, invitation: str = "") -> tuple[str, str]:
    """Return the table and the invitation, given as one word or as two."""
    table, _, with_it = name.partition(BEFORE_INVITATION)
    return table, invitation or with_it


def build_play_command(table: str, where: Sequence[str]) -> str:
    """Return the command that joins a table; `where` holds the arguments of the server."""
    named = [f"--table={table}"] if table.startswith("-") else ["--table", table]
    return build_command("play", *named, *where)


def build_watch_command(table: str, where: Sequence[str]) -> str:
    return build_command("watch", *where, *(["--"] if table.startswith("-") else []), table)
