"""Command lines that somebody can type as they stand."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Sequence

OWN_NAME = "palatine"
BEFORE_INVITATION = "#"


def build_command(*words: str) -> str:
    """Our own command with these words, as it can be found from here."""
    found = OWN_NAME if shutil.which(OWN_NAME) or not sys.argv[0].endswith(OWN_NAME) else sys.argv[0]
    return shlex.join([found, *words])


def add_invitation(table: str, invitation: str = "") -> str:
    """A table with the invitation to it, in one word."""
    return f"{table}{BEFORE_INVITATION}{invitation}" if invitation else table


def split_invitation(name: str, invitation: str = "") -> tuple[str, str]:
    """The table and the invitation that somebody named, in one word or in two."""
    table, _, with_it = name.partition(BEFORE_INVITATION)
    return table, invitation or with_it


def build_play_command(table: str, where: Sequence[str]) -> str:
    """How to sit down at a table; `where` says at which server."""
    named = [f"--table={table}"] if table.startswith("-") else ["--table", table]
    return build_command("play", *named, *where)


def build_watch_command(table: str, where: Sequence[str]) -> str:
    return build_command("watch", *where, *(["--"] if table.startswith("-") else []), table)
