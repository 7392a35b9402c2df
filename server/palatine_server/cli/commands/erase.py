"""`palatine erase`: remove names or chat from a record for good."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..options import RECORD_PANEL, RecordFile
from ..output import console, give_up


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(erase)


def erase(
    file: RecordFile,
    names: Annotated[bool, typer.Option("--names", help="Erase all names.")] = False,
    chat: Annotated[bool, typer.Option("--chat", help="Erase all chat.")] = False,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", show_default="the record itself", help="The file to write."),
    ] = None,
) -> None:
    """Erase names or chat from a record for good; its signature and everything else can be verified as before."""
    from ...records import BadRecord, decode_record, encode_record, erase_texts, read_file
    from ...records.files import replace_file
    from ...records.texts import select_kinds

    kinds = select_kinds(names, chat)
    if not kinds:
        raise typer.BadParameter("say what to erase: --names, --chat, or both")
    try:
        content = encode_record(erase_texts(decode_record(read_file(file)), kinds))
    except BadRecord as why:
        give_up(str(why))
    replace_file(out or file, content)
    console.print(f"{out or file}: erased {' and '.join(kinds)}", highlight=False, markup=False)
