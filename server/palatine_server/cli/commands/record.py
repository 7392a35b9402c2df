"""`palatine record`: write the record of a finished game to a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ..options import DEFAULT, RECORD_PANEL, DataDirectory, Durability, PublicUrl, StoreUrl, WithoutChat, WithoutNames
from ..output import console
from ..store_location import StoreLocation, run_or_give_up

if TYPE_CHECKING:
    from ...store.readonly import ReadonlyStore

BEFORE_INVITATION = "#"  # separates table and invitation, as in TABLE#CODE; the owner of the data needs no invitation


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(record)


def record(
    table: Annotated[str, typer.Argument(help="The id of the table; its game must be over.")],
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", show_default="TABLE.palatine", help="The file to write."),
    ] = None,
    without_names: WithoutNames = False,
    without_chat: WithoutChat = False,
    data: DataDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
    public_url: PublicUrl = DEFAULT.public_url,
) -> None:
    """Write the record of a finished game to a file, signed if the server's key is there.

    The command only reads the store and disturbs no server.
    """
    from ...records.export import export_stored_table, open_signer
    from ...records.texts import select_kinds

    name, _, _ = table.partition(BEFORE_INVITATION)
    path = out or Path(f"{name}.palatine")

    async def export(archive: ReadonlyStore) -> bytes:
        signer = await open_signer(archive, data, public_url)
        return await export_stored_table(name, archive, signer, select_kinds(without_names, without_chat))

    path.write_bytes(run_or_give_up(export, StoreLocation(data, store, durability)))
    console.print(f"{path}: palatine replay shows it, palatine verify checks it", highlight=False)
