"""`palatine archive`: write the records of all finished games to files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import DEFAULT, RECORD_PANEL, DataDirectory, Durability, PublicUrl, StoreUrl, WithoutChat, WithoutNames
from ..output import console, print_line
from ..store_location import StoreLocation, run_or_give_up

if TYPE_CHECKING:
    from ...store.readonly import ReadonlyStore


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(archive)


def archive(
    folder: Annotated[
        Path, typer.Argument(help="The folder for the files; created if it does not exist.", file_okay=False)
    ],
    without_names: WithoutNames = False,
    without_chat: WithoutChat = False,
    data: DataDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
    public_url: PublicUrl = DEFAULT.public_url,
) -> None:
    """Write the records of all finished games to files, except for those that are in the folder already."""
    from rich.progress import track

    from ...games.kit import Refused
    from ...records.export import export_stored_table, open_signer
    from ...records.files import replace_file
    from ...records.texts import select_kinds
    from ...tables.storage.compatibility import NewerTable, UnreadableTable

    kinds = select_kinds(without_names, without_chat)
    folder.mkdir(parents=True, exist_ok=True)

    async def export_all(stored: ReadonlyStore) -> int:
        count, signer = 0, await open_signer(stored, data, public_url)
        tables = [table async for table in stored.scan_tables()]
        for table in track(tables, "tables", console=console, transient=True):
            path = folder / f"{table}.palatine"
            if path.exists():
                continue
            try:
                replace_file(path, await export_stored_table(table, stored, signer, kinds))
            except (NewerTable, UnreadableTable) as why:
                print_line(f"Table {table} is skipped: {why.reason}. palatine doctor says more.", "yellow")
            except Refused:  # the game is not over, or the table has expired meanwhile
                pass
            else:
                count += 1
        return count

    count = run_or_give_up(export_all, StoreLocation(data, store, durability))
    console.print(f"{count} new records in {folder}", highlight=False)
