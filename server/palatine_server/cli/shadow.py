"""`palatine shadow`: play all live tables again with the rules that are installed, before they are deployed.

A running table goes on from its document, whatever the rules were that led there. But when rules have changed, its
players may be in for a surprise: this tells which tables would have come to another point, and where they first differ.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import anyio
import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from palatine_client.screen_console import ScreenConsole

from ..games.kit import Game, Refused
from ..games.registry import UnknownGame, load_games
from ..store import CannotOpen, Unavailable
from ..store.readonly import Archive, open_archive
from ..tables.model import LogEntry, Page, of_game
from ..tables.rules_check import Rerun
from ..tables.state import Book
from ..tables.storage import persistence
from ..tables.storage.compatibility import NewerTable, UnreadableTable

OTHER_EDITION = "other edition"  # the table began with other rules, so a difference may be meant


class Differs(Exception):  # noqa: N818 (what we are looking for)
    """The rules lead elsewhere than the log; in words that give no secret away."""


class Verdict(Struct, frozen=True, kw_only=True):
    """How a table fared."""

    table: str
    game: str
    edition: str  # of the rules it began with
    versions: int
    at: int | None = None  # the first version that differs
    how: str = ""


# Playing again


class Replay:
    """A table played again from its beginning, beside the one that is stored."""

    def __init__(self, game: Game, page: Page) -> None:
        hidden = {**page.hidden, "game": None}  # the game itself may not be readable any more
        book = Book.read(game, msgspec.structs.replace(page, hidden=hidden))
        self._rerun = Rerun(game, len(book.info.seats), book.game_seed())
        self._options, self.version = book.info.options, 0

    def go_on(self, entry: LogEntry) -> None:
        """Take the next entry in, and play it; or say that it Differs."""
        self.version = entry.version
        self._rerun.tell(entry.board, entry.hands, of_game(entry.hidden))
        self._play(entry)
        if not self._rerun.is_the_same:
            raise Differs("another outcome")

    def _play(self, entry: LogEntry) -> None:
        try:
            self._rerun.play(entry.version, entry.seat, entry.did, self._options)
        except Refused as refused:
            raise Differs(f"the rules refuse it: {refused.code}") from None
        except Exception as error:  # rules that are wrong may raise anything; what it says may hold a secret
            raise Differs(f"the rules break: {type(error).__name__}") from None


def must_be_playable(game: Game, page: Page) -> None:
    """A table is only deployed onto rules that can go on from its document."""
    try:
        book = Book.read(game, page)
        book.waiting()
        if book.scribe:
            book.scribe.play.game.check(book.scribe.play)
    except Exception as error:  # as above
        raise Differs(f"the rules cannot go on from here: {type(error).__name__}") from None


def judged(table: str, games: Mapping[str, Game], page: Page, entries: list[LogEntry]) -> Verdict:
    """Whether the installed rules lead where the log leads."""
    name = page.info["game"]
    verdict = Verdict(table=table, game=name, edition=page.hidden.get("edition", ""), versions=len(entries))
    if name not in games:
        return msgspec.structs.replace(verdict, at=0, how="the game is not installed")
    replay = Replay(games[name], page)
    try:
        for entry in entries:
            replay.go_on(entry)
        must_be_playable(games[name], page)
    except Differs as differs:
        how = str(differs) if verdict.edition == games[name].edition else f"{OTHER_EDITION}: {differs}"
        return msgspec.structs.replace(verdict, at=replay.version, how=how)
    return verdict


async def verdicts(archive: Archive, games: Mapping[str, Game], tables: list[str]) -> AsyncIterator[Verdict | None]:
    """How each table fared; nothing for one that is over or gone."""
    for table in tables:
        yield await _verdict(archive, games, table)


async def _verdict(archive: Archive, games: Mapping[str, Game], table: str) -> Verdict | None:
    try:
        page, _ = await persistence.load(table, archive)
        if page.info["status"] == "over":
            return None
        return judged(table, games, page, await persistence.read(table, 0, page.version, archive))
    except (NewerTable, UnreadableTable) as why:
        return Verdict(table=table, game="", edition="", versions=0, at=0, how=f"it cannot be read: {why.reason}")
    except Refused:  # it was there when we asked for all
        return None


# The command


def shadow(data: Path, store: str, durability: str, game: list[str] | None) -> None:
    """Judge all live tables, print those that differ, and exit with 1 if there are any."""
    console = ScreenConsole()
    try:
        found = anyio.run(_judge_all, console, data, store, durability, game or [])
    except (CannotOpen, Unavailable, UnknownGame) as why:
        console.print(str(why), style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    _tell(console, found)
    raise typer.Exit(1 if any(verdict.how for verdict in found) else 0)


async def _judge_all(console: Console, data: Path, store: str, durability: str, names: list[str]) -> list[Verdict]:
    games = load_games(names)
    archive = await open_archive(data, store, durability)
    try:
        tables = [table async for table in archive.every()]
        columns = TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console, transient=True) as progress:
            bar, found = progress.add_task("", total=len(tables)), []
            async for verdict in verdicts(archive, games, tables):
                progress.advance(bar)
                found += [verdict] if verdict else []
        return found
    finally:
        await archive.close()


def _tell(console: Console, found: list[Verdict]) -> None:
    different = [verdict for verdict in found if verdict.how]
    if different:
        console.print(_table(different))
    actions = sum(verdict.versions for verdict in found)
    others = sum(verdict.how.startswith(OTHER_EDITION) for verdict in different)
    more = f", {others} of them began with another edition of the rules" if others else ""
    sentence = f"{len(found)} live tables with {actions} entries, {len(different)} would differ{more}"
    console.print(sentence, highlight=False)


def _table(different: list[Verdict]) -> Table:
    rows = Table("table", "game", "began with", "differs at", "of", "how")
    for verdict in different:
        rows.add_row(verdict.table, verdict.game, verdict.edition, str(verdict.at), str(verdict.versions), verdict.how)
    return rows
