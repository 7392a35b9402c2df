"""`palatine verify`: check whether everything in a record follows from its seed and the rules, and who signed it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from palatine_client.game_option import MoreGames

from ..games import open_games
from ..options import RECORD_PANEL, RecordFile
from ..output import console, give_up

if TYPE_CHECKING:
    from rich.text import Text

    from ...records.verify import Finding


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(verify)


def verify(
    file: RecordFile,
    server: Annotated[
        str, typer.Option(metavar="URL", help="Require a signature of this server, which is asked for its keys.")
    ] = "",
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Require a signature by keys saved from /v1/keys of a server.")
    ] = None,
    game: MoreGames = None,
) -> None:
    """Play a recorded game again; say whether every shuffle, draw and result follows, and who signed the record.

    No server is asked unless you name one. The exit code is 1 if anything does not follow or the server that you
    named did not sign the record, and 2 if the record or the keys cannot be read. If the game was played with another
    edition of the rules and they lead elsewhere, only the record itself is checked.
    """
    from rich.table import Table

    from ...games.named_games import UnknownGame
    from ...records import BadRecord, decode_record, read_file
    from ...records.key_fetch import fetch_keys, read_keys_file
    from ...records.key_ring import BadKeys
    from ...records.verdict import judge_record

    if server and keys:
        raise typer.BadParameter("give --server or --keys, not both")
    try:
        content = read_file(file)
        known = fetch_keys(server) if server else read_keys_file(keys) if keys else None
        found = list(judge_record(decode_record(content), open_games(game), known))
    except (BadRecord, BadKeys, UnknownGame) as why:
        give_up(str(why))
    rows = Table.grid(padding=(0, 2))
    for finding in found:
        rows.add_row(_render_mark(finding), finding.what, finding.more)
    console.print(rows, highlight=False)
    raise typer.Exit(0 if all(finding.is_right for finding in found) else 1)


def _render_mark(finding: Finding) -> Text:
    from rich.text import Text

    if finding.is_open:
        return Text("?", "yellow")
    return Text("✓", "green") if finding.is_right else Text("✗", "red")
