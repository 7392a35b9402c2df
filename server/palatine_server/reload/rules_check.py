"""The check of changed rules, in a process of its own: a new interpreter imports them as the next server will.

The process reads the settings from standard input, as a worker does, and writes a report as JSON to standard output.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import anyio
import msgspec

from ..games.kit import Game, Refused
from ..games.named_games import UnknownGame
from ..games.registry import load_games, load_installed
from ..settings import Settings, decode_settings
from ..store import CannotOpen, Unavailable, milliseconds
from ..store.readonly import ReadonlyStore, open_readonly_store
from ..tables.storage import persistence
from ..tables.storage.compatibility import NewerTable, UnreadableTable
from ..web.develop.rules_report import RulesReport, TableDifference
from .replayed_table import find_difference

OWN = Path(__file__).parents[1]  # our own package, of which only the games are watched
MOST_TABLES = 200  # that are played again after a change


def check_rules(settings: Settings) -> RulesReport:
    """Load the games, and play the live tables again with them."""
    report = RulesReport(at=milliseconds())
    try:
        games = load_games(settings.games)
    except UnknownGame as why:
        return msgspec.structs.replace(report, error=str(why))
    folders = sorted({str(find_package(game.folder)) for game in games.values()})
    report = msgspec.structs.replace(report, folders=folders, troubles=load_installed()[1])
    return anyio.run(replay_tables, settings, games, report)


def find_package(folder: Path) -> Path:
    """Return the folder of the package that a game belongs to; for a game inside Palatine, that of the game."""
    package = folder
    while (package.parent / "__init__.py").exists():
        package = package.parent
    return folder if package == OWN else package


async def replay_tables(settings: Settings, games: Mapping[str, Game], report: RulesReport) -> RulesReport:
    """Return the report with every live table that the rules play differently."""
    try:
        archive = await open_readonly_store(settings.data, settings.store, settings.durability)
    except (CannotOpen, Unavailable):  # there is no store yet
        return report
    try:
        return await replay_all(archive, games, report)
    finally:
        await archive.close()


async def replay_all(archive: ReadonlyStore, games: Mapping[str, Game], report: RulesReport) -> RulesReport:
    tables = [table async for table in archive.scan_tables()]
    different: list[TableDifference] = []
    played = entries = left_out = 0
    for table in tables:
        if played == MOST_TABLES:
            left_out += 1
        elif (result := await replay_one(archive, games, table)) is not None:
            count, difference = result
            played, entries = played + 1, entries + count
            different += [difference] if difference else []
    return msgspec.structs.replace(report, tables=played, entries=entries, left_out=left_out, different=different)


async def replay_one(
    archive: ReadonlyStore, games: Mapping[str, Game], table: str
) -> tuple[int, TableDifference | None] | None:
    """Return how many entries a table has, and its difference; None if it is not a live table of these games."""
    try:
        snapshot, _ = await persistence.load(table, archive)
        if snapshot.info["status"] != "playing" or snapshot.info["game"] not in games:
            return None
        log = await persistence.read_entries(table, 0, snapshot.version, archive)
    except (NewerTable, UnreadableTable, Refused, Unavailable):  # `palatine doctor` reports damaged tables
        return None
    return len(log), find_difference(table, games, snapshot, log)


def main() -> None:
    """Write the report on the rules."""
    if line := sys.stdin.buffer.readline():
        sys.stdout.buffer.write(msgspec.json.encode(check_rules(decode_settings(line))))


if __name__ == "__main__":
    main()
