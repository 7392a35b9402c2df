"""`palatine import`: verify recorded games and turn them into tables again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palatine_client.game_option import MoreGames

from ..games import open_games
from ..options import DEFAULT, RECORD_PANEL, AdminToken, OwnDataDirectory, ServerUrl, StoreUrl
from ..output import NO_ANSWER, print_line

if TYPE_CHECKING:
    from ...records.importer import ImportedTable
    from ...settings import Settings

TIMEOUT = 120.0  # seconds for a server to play the game again


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command("import", rich_help_panel=RECORD_PANEL)(import_records)


def import_records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Record files.", exists=True, dir_okay=False)],
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: OwnDataDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
    game: MoreGames = None,
) -> None:
    """Import recorded games into a server, where they can be watched and replayed under their old table ids.

    A record that cannot be verified is refused; then the exit code is 1.

    While a server keeps its tables in a file, only that server can import records: name it with --server, and put an
    administrator's token into PALATINE_ADMIN_TOKEN.
    """
    from ...web.preflight import explain_failures, merge_settings

    with explain_failures():
        settings = merge_settings(data=data, store=store, games=game or [])
    outcomes = [_print_outcome(file, _import_file(file, server, admin_token, settings)) for file in files]
    raise typer.Exit(0 if all(outcomes) else 1)


def _import_file(file: Path, server: str, admin_token: str, settings: Settings) -> ImportedTable | str:
    """Import a record; return its table, or a sentence that says why it was not imported."""
    import anyio

    from ...games.kit import Refused
    from ...games.named_games import UnknownGame
    from ...records import BadRecord, read_file
    from ...records.importer import ImportedTable
    from ...store import CannotOpen, Unavailable
    from ...web.admin_client import post_as_admin

    try:
        content = read_file(file)
        if server:
            answer = post_as_admin(server, admin_token, "/v1/records", content, "application/jsonl", TIMEOUT)
            return ImportedTable(**answer)
        return anyio.run(_import_into_store, content, settings)
    except Refused as why:
        return why.sentence
    except BadRecord as why:
        return f"The record cannot be read: {why}."
    except CannotOpen as why:
        return f"{why}; or let that server do it, with --server URL"
    except (Unavailable, UnknownGame, OSError) as why:
        return str(why) or NO_ANSWER


async def _import_into_store(content: bytes, settings: Settings) -> ImportedTable:
    from ...records.importer import prepare_import, store_import
    from ...web.app import open_store

    game, store = prepare_import(content, open_games(settings.games)), await open_store(settings)
    try:
        return await store_import(game, store)
    finally:
        await store.close()


def _print_outcome(file: Path, outcome: ImportedTable | str) -> bool:
    """Print the result of an import, and return whether it succeeded."""
    if isinstance(outcome, str):
        print_line(f"{file}: {outcome}", "red")
        return False
    invitation = f", by invitation {outcome.invitation}" if outcome.invitation else ""
    print_line(f"{file}: table {outcome.table}{invitation}")
    return True
