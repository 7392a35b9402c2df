"""`palatine verify`, `palatine record` and `palatine archive`: games that are over, as files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, NoReturn, TypeVar

import anyio
import typer
from rich.progress import track
from rich.table import Table
from rich.text import Text

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Refused
from ..games.shelf import NoGame, shelf_with
from ..settings import Settings
from ..store import CannotOpen, Unavailable
from ..store.archive import Archive, open_archive
from ..tables import pages
from ..tables.compatibility import NewerTable, UnreadableTable
from .record import Record, Spoilt, read, recorded, written
from .verify import findings

DEFAULT = Settings()
PANEL = "Records of games"
console = ScreenConsole()
BEFORE_INVITATION = "#"  # as in TABLE#CODE; whoever has the data needs none
T = TypeVar("T")

File = Annotated[Path, typer.Argument(help="The record.", exists=True, dir_okay=False, readable=True)]
Data = Annotated[
    Path, typer.Option(help="The data directory of a server, running or not.", envvar="PALATINE_DATA", file_okay=False)
]
Store = Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")]
Durability = Annotated[str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")]
Games = Annotated[list[str] | None, typer.Option("--game", metavar="MODULE:GAME", help="This game too.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands about records."""
    for command in (verify, record, archive):
        app.command(rich_help_panel=PANEL)(command)


def verify(file: File, game: Games = None) -> None:
    """Play a recorded game again and say whether every shuffle, draw and result follows.

    No server is asked. It ends with code 1 if anything does not follow, and with 2 if the file cannot be read. A game
    of another edition of the rules may part from the installed ones: then only the record itself is checked.
    """
    try:
        found = list(findings(read(file.read_bytes()), shelf_with(game or [])))
    except (Spoilt, NoGame) as why:
        _give_up(str(why))
    rows = Table.grid(padding=(0, 2))
    for finding in found:
        mark = Text("?", "yellow") if finding.is_open else Text("✓", "green") if finding.is_right else Text("✗", "red")
        rows.add_row(mark, finding.what, finding.more)
    console.print(rows, highlight=False)
    raise typer.Exit(0 if all(finding.is_right for finding in found) else 1)


def record(
    table: Annotated[str, typer.Argument(help="The table; its game must be over.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write it; TABLE.palatine if absent.")
    ] = None,
    data: Data = DEFAULT.data,
    store: Store = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
) -> None:
    """Write the record of a game to a file; no server is disturbed."""
    name, _, _ = table.partition(BEFORE_INVITATION)
    path = out or Path(f"{name}.palatine")
    path.write_bytes(written(_run(partial(_recorded, name), data, store, durability)))
    console.print(f"{path}: palatine replay shows it, palatine verify checks it", highlight=False)


def archive(
    folder: Annotated[Path, typer.Argument(help="Where to put them; made if it is not there.", file_okay=False)],
    data: Data = DEFAULT.data,
    store: Store = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
) -> None:
    """Write the records of all games that are over to files, except those that are there already."""
    folder.mkdir(parents=True, exist_ok=True)
    count = _run(partial(_archived, folder), data, store, durability)
    console.print(f"{count} new records in {folder}", highlight=False)


# The work


async def _recorded(table: str, archive: Archive) -> Record:
    page, _ = await pages.load(table, archive)
    return recorded(table, page, await pages.read(table, 0, page.version, archive))


async def _archived(folder: Path, archive: Archive) -> int:
    count = 0
    for table in track([table async for table in archive.every()], "tables", console=console, transient=True):
        path = folder / f"{table}.palatine"
        try:
            content = b"" if path.exists() else written(await _recorded(table, archive))
        except (NewerTable, UnreadableTable) as why:
            console.print(f"table {table} cannot be read: {why.reason}", style="yellow", markup=False, highlight=False)
            continue
        except Refused:  # not over, or gone meanwhile
            continue
        if content:
            _put(path, content)
            count += 1
    return count


def _put(path: Path, content: bytes) -> None:
    """Write a file so that it is there as a whole or not at all."""
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(content)
    unfinished.rename(path)


def _run(work: Callable[[Archive], Awaitable[T]], data: Path, store: str, durability: str) -> T:
    async def at_work() -> T:
        archive = await open_archive(data, store, durability)
        try:
            return await work(archive)
        finally:
            await archive.close()

    try:
        return anyio.run(at_work)
    except (CannotOpen, Unavailable) as why:
        _give_up(str(why))
    except Refused as why:
        _give_up(why.sentence)


def _give_up(sentence: str) -> NoReturn:
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(2)
