"""`palatine import`: a recorded game becomes a table again, if everything in it follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import anyio
import typer

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Refused
from ..games.registry import UnknownGame, load_games
from ..records import BadRecord, read_file
from ..records.importer import ImportedTable, prepare_import, store_import
from ..settings import Settings
from ..store import CannotOpen, Unavailable
from ..web.admin_client import post_as_admin
from ..web.app import open_store
from ..web.preflight import explain_failures, merge_settings

PATIENCE = 120.0  # seconds for a server to play the game again
console = ScreenConsole()


def import_records(
    files: list[Path], server: str, admin_token: str, data: Path, store: str, game: list[str] | None
) -> None:
    """Import records: through a running server, or into the store; exit with 1 if any is refused."""
    with explain_failures():
        here = merge_settings(data=data, store=store, games=game or [])
    outcomes = [_tell(file, _brought(file, server, admin_token, here)) for file in files]
    raise typer.Exit(0 if all(outcomes) else 1)


def _brought(file: Path, server: str, admin_token: str, here: Settings) -> ImportedTable | str:
    """Where the game is now, or why it is not there."""
    try:
        content = read_file(file)
        if server:
            return ImportedTable(
                **post_as_admin(server, admin_token, "/v1/records", content, "application/jsonl", PATIENCE)
            )
        return anyio.run(_imported_here, content, here)
    except Refused as why:
        return why.sentence
    except BadRecord as why:
        return f"The record cannot be read: {why}."
    except CannotOpen as why:
        return f"{why}; or let that server do it, with --server URL"
    except (Unavailable, UnknownGame, OSError) as why:
        return str(why) or "the store does not answer"


async def _imported_here(content: bytes, here: Settings) -> ImportedTable:
    game, store = prepare_import(content, load_games(here.games)), await open_store(here)
    try:
        return await store_import(game, store)
    finally:
        await store.close()


def _tell(file: Path, outcome: ImportedTable | str) -> bool:
    if isinstance(outcome, str):
        _say(f"{file}: {outcome}", style="red")
        return False
    invitation = f", by invitation {outcome.invitation}" if outcome.invitation else ""
    _say(f"{file}: table {outcome.table}{invitation}")
    return True


def _say(line: str, **how: Any) -> None:
    console.print(line, markup=False, highlight=False, soft_wrap=True, **how)
