"""`palatine verify`, `record`, `archive` and `erase`: games that are over, as files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import NoReturn, TypeVar

import anyio
import typer
from rich.progress import track
from rich.table import Table
from rich.text import Text

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Refused
from ..games.registry import UnknownGame, load_games
from ..records.export import export_record
from ..records.file_format import decode_record, encode_record, erase_texts
from ..records.key_fetch import fetch_keys, read_keys_file
from ..records.key_ring import BadKeys
from ..records.record_limits import BadRecord, read_file
from ..records.signatures import Signer
from ..records.signing_keys import find_documents, read_signer
from ..records.texts import Kind
from ..records.verdict import judge_record
from ..records.verify import Finding
from ..store import CannotOpen, Unavailable
from ..store.readonly import Archive, open_archive
from ..tables.storage import persistence
from ..tables.storage.compatibility import NewerTable, UnreadableTable

console = ScreenConsole()
BEFORE_INVITATION = "#"  # as in TABLE#CODE; whoever has the data needs none
T = TypeVar("T")


def verify(file: Path, server: str, keys: Path | None, game: list[str] | None) -> None:
    """Verify a record, and print what was found."""
    if server and keys:
        raise typer.BadParameter("give --server or --keys, not both")
    try:
        content = read_file(file)
        known = fetch_keys(server) if server else read_keys_file(keys) if keys else None
        found = list(judge_record(decode_record(content), load_games(game or []), known))
    except (BadRecord, BadKeys, UnknownGame) as why:
        _give_up(str(why))
    rows = Table.grid(padding=(0, 2))
    for finding in found:
        rows.add_row(_mark(finding), finding.what, finding.more)
    console.print(rows, highlight=False)
    raise typer.Exit(0 if all(finding.is_right for finding in found) else 1)


def _mark(finding: Finding) -> Text:
    if finding.is_open:
        return Text("?", "yellow")
    return Text("✓", "green") if finding.is_right else Text("✗", "red")


def record(
    table: str,
    out: Path | None,
    without_names: bool,
    without_chat: bool,
    data: Path,
    store: str,
    durability: str,
    public_url: str,
) -> None:
    """Write the record of one table."""
    name, _, _ = table.partition(BEFORE_INVITATION)
    path = out or Path(f"{name}.palatine")
    work = partial(_exported, name, _kinds(without_names, without_chat), public_url, data)
    path.write_bytes(_run(work, data, store, durability))
    console.print(f"{path}: palatine replay shows it, palatine verify checks it", highlight=False)


def archive(
    folder: Path, without_names: bool, without_chat: bool, data: Path, store: str, durability: str, public_url: str
) -> None:
    """Write the records of all games that are over."""
    folder.mkdir(parents=True, exist_ok=True)
    work = partial(_archived, folder, _kinds(without_names, without_chat), public_url, data)
    console.print(f"{_run(work, data, store, durability)} new records in {folder}", highlight=False)


def erase(file: Path, names: bool, chat: bool, out: Path | None) -> None:
    """Erase texts from a record."""
    if not (names or chat):
        raise typer.BadParameter("say what to erase: --names, --chat, or both")
    try:
        content = encode_record(erase_texts(decode_record(read_file(file)), _kinds(names, chat)))
    except BadRecord as why:
        _give_up(str(why))
    put_file(out or file, content)
    console.print(f"{out or file}: erased {' and '.join(_kinds(names, chat))}", highlight=False, markup=False)


def _kinds(names: bool, chat: bool) -> list[Kind]:
    chosen: dict[Kind, bool] = {"name": names, "chat": chat}
    return [kind for kind, is_chosen in chosen.items() if is_chosen]


# The work


async def _exported(table: str, without: list[Kind], public_url: str, data: Path, archive: Archive) -> bytes:
    signer = await read_signer(find_documents(archive, data), public_url)
    return await _export(table, signer, without, archive)


async def _export(table: str, signer: Signer | None, without: list[Kind], archive: Archive) -> bytes:
    page, _ = await persistence.load(table, archive)
    return export_record(table, page, await persistence.read(table, 0, page.version, archive), signer, without)


async def _archived(folder: Path, without: list[Kind], public_url: str, data: Path, archive: Archive) -> int:
    count, signer = 0, await read_signer(find_documents(archive, data), public_url)
    for table in track([table async for table in archive.every()], "tables", console=console, transient=True):
        path = folder / f"{table}.palatine"
        try:
            content = b"" if path.exists() else await _export(table, signer, without, archive)
        except (NewerTable, UnreadableTable) as why:
            console.print(f"table {table} cannot be read: {why.reason}", style="yellow", markup=False, highlight=False)
            continue
        except Refused:  # not over, or gone meanwhile
            continue
        if content:
            put_file(path, content)
            count += 1
    return count


def put_file(path: Path, content: bytes) -> None:
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
        _give_up(str(why) or "the store does not answer")
    except Refused as why:
        _give_up(why.sentence)


def _give_up(sentence: str) -> NoReturn:
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(2)
