"""`palatine shadow`: play all live tables again with the rules that are installed, before they are deployed.

A running table goes on from its document, whatever the rules were that led there. But when rules have changed, its
players may be in for a surprise: this tells which tables would have come to another point, and where they first differ.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import anyio
import msgspec
import typer
from msgspec import Struct
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from palatine_protocol import patch

from .games.kit import Game, Refused, Scribe, Zones
from .games.shelf import NoGame, shelf_with
from .settings import Settings
from .store import CannotOpen, Unavailable
from .store.archive import Archive, open_archive
from .tables import pages
from .tables.book import Book, LogEntry, Page

DEFAULT = Settings()


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
        self._game, self._page, self.version = game, page, 0
        self._stored: tuple[Any, list[Any], Any] = None, [None] * len(page.info["seats"]), None
        self._scribe: Scribe | None = None

    def go_on(self, entry: LogEntry) -> None:
        """Take the next entry in, and play it; or say that it Differs."""
        self.version, (board, hands, box) = entry.version, self._stored
        ops = [[op[0][1:], *op[1:]] for op in entry.hidden if op[0][:1] == ["game"]]
        hands = [patch.apply(hand, changes) for hand, changes in zip(hands, entry.hands, strict=True)]
        self._stored = patch.apply(board, entry.board), hands, patch.apply(box, ops)
        self._play(entry)
        if self._scribe and self._stored != _parts(self._scribe.zones):
            raise Differs("another outcome")

    def _play(self, entry: LogEntry) -> None:
        try:
            self._played(entry)
        except Refused as refused:
            raise Differs(f"the rules refuse it: {refused.code}") from None
        except Exception as error:  # rules that are wrong may raise anything; what it says may hold a secret
            raise Differs(f"the rules break: {type(error).__name__}") from None

    def _played(self, entry: LogEntry) -> None:
        if entry.did["do"] == "start":
            info, seed = self._page.info, self._page.hidden["seed"]
            self._scribe = Scribe(self._game.begin(len(info["seats"]), seed, info["options"]))
        elif self._scribe and entry.seat is not None and "action" in entry.did:
            self._act(self._scribe, entry.seat, entry.did)

    def _act(self, scribe: Scribe, seat: int, did: Mapping[str, Any]) -> None:
        if did["do"] == "undo":
            scribe.undo(seat)
        else:
            scribe.act(seat, self._game.read_action(did["action"]))


def _parts(zones: Zones) -> tuple[Any, list[Any], Any]:
    return zones.board, zones.hands, zones.hidden


def must_be_playable(game: Game, page: Page) -> None:
    """A table is only deployed onto rules that can go on from its document."""
    try:
        book = Book.read(game, page)
        book.waiting()
        if book.scribe:
            book.scribe.play.game.check(book.scribe.play)
    except Exception as error:  # as above
        raise Differs(f"the rules cannot go on from here: {type(error).__name__}") from None


def judged(table: str, shelf: Mapping[str, Game], page: Page, entries: list[LogEntry]) -> Verdict:
    """Whether the installed rules lead where the log leads."""
    name = page.info["game"]
    verdict = Verdict(table=table, game=name, edition=page.hidden.get("edition", ""), versions=len(entries))
    if name not in shelf:
        return msgspec.structs.replace(verdict, at=0, how="the game is not installed")
    replay = Replay(shelf[name], page)
    try:
        for entry in entries:
            replay.go_on(entry)
        must_be_playable(shelf[name], page)
    except Differs as differs:
        return msgspec.structs.replace(verdict, at=replay.version, how=str(differs))
    return verdict


async def verdicts(archive: Archive, shelf: Mapping[str, Game], tables: list[str]) -> AsyncIterator[Verdict | None]:
    """How each table fared; nothing for one that is over or gone."""
    for table in tables:
        page, _ = await pages.load(table, archive)
        if page.info["status"] == "over":
            yield None
        else:
            yield judged(table, shelf, page, await pages.read(table, 0, page.version, archive))


# The command


def shadow(
    data: Annotated[
        Path, typer.Option(help="The data directory, of a server that runs, or a copy.", envvar="PALATINE_DATA")
    ] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")] = DEFAULT.store,
    durability: Annotated[
        str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")
    ] = DEFAULT.durability,
    game: Annotated[
        list[str] | None, typer.Option(metavar="MODULE:GAME", help="This game too.", envvar="PALATINE_GAMES")
    ] = None,
) -> None:
    """Play all live tables again with the installed rules, and list those that would differ.

    Do this with a new version before you deploy it. Nothing is changed and no server is disturbed; it ends with code 1
    if any table differs.
    """
    console = Console()
    try:
        found = anyio.run(_judge_all, console, data, store, durability, game or [])
    except (CannotOpen, Unavailable, NoGame) as why:
        console.print(str(why), style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    _tell(console, found)
    raise typer.Exit(1 if any(verdict.how for verdict in found) else 0)


async def _judge_all(console: Console, data: Path, store: str, durability: str, games: list[str]) -> list[Verdict]:
    shelf = shelf_with(games)
    archive = await open_archive(data, store, durability)
    try:
        tables = [table async for table in archive.every()]
        columns = TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=console, transient=True) as progress:
            bar, found = progress.add_task("", total=len(tables)), []
            async for verdict in verdicts(archive, shelf, tables):
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
    console.print(f"{len(found)} live tables with {actions} entries, {len(different)} would differ", highlight=False)


def _table(different: list[Verdict]) -> Table:
    rows = Table("table", "game", "began with", "differs at", "of", "how")
    for verdict in different:
        rows.add_row(verdict.table, verdict.game, verdict.edition, str(verdict.at), str(verdict.versions), verdict.how)
    return rows
