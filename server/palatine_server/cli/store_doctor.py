"""The work of `palatine doctor`: check a store, export or drop a table, rebuild the file, and print the result."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import NoReturn

import anyio
import msgspec
import typer
from anyio import to_thread
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from palatine_client.render.translations import Lang
from palatine_client.screen_console import ScreenConsole
from palatine_client.screen_text import screen_json, screen_text

from ..games.named_games import UnknownGame
from ..inspection import StoreReport, TableReport, export_table, inspect_tables
from ..store import CannotOpen, Unavailable
from ..store.readonly import ReadonlyStore, RedisReadonlyStore
from ..store.sqlite.repair import drop_table, rebuild_file
from .doctor_texts import translate
from .games import open_games
from .output import NO_ANSWER
from .store_location import StoreLocation, run_with_archive

HEALTHY, FINDINGS, CANNOT_OPEN = 0, 1, 2
MOST_SHOWN = 10  # damaged places that are listed; further ones are only counted
GOOD, BAD = Text("✓", "green"), Text("✗", "red")


class StoreDoctor:
    """Checks, exports and repairs the tables of a store, and prints the result."""

    def __init__(self, store: StoreLocation, games: Sequence[str], lang: Lang) -> None:
        self._store, self._games, self._lang = store, games, lang
        self._out = ScreenConsole(highlight=False, soft_wrap=True)
        self._err = ScreenConsole(stderr=True, highlight=False, soft_wrap=True)

    def say(self, key: str, **values: object) -> str:
        return translate(self._lang, key, **values)

    def give_up(self, sentence: str) -> NoReturn:
        self._err.print(sentence, style="red")
        raise typer.Exit(CANNOT_OPEN)

    @contextmanager
    def explain_failures(self) -> Iterator[None]:
        """Turn errors that the operator can correct into a sentence, and end the command."""
        try:
            yield
        except (CannotOpen, Unavailable, UnknownGame, OSError) as why:
            self.give_up(str(why) or NO_ANSWER)

    # Checking

    def check(self, as_json: bool) -> NoReturn:
        report = run_with_archive(self._inspect, self._store)
        if as_json:
            typer.echo(screen_json(msgspec.json.format(msgspec.json.encode(report))))
        else:
            self._show(report)
        raise typer.Exit(HEALTHY if report.is_healthy else FINDINGS)

    async def _inspect(self, archive: ReadonlyStore) -> StoreReport:
        games = open_games(self._games)
        report = StoreReport(kind=archive.kind)
        with self._err.status("") as status:
            show_progress = partial(self._show_file_check, status.update)
            report.damage = await to_thread.run_sync(archive.find_damage, show_progress)
        tables = [table async for table in archive.scan_tables()]
        columns = TextColumn(self.say("checking")), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        with Progress(*columns, console=self._err, transient=True, disable=not self._err.is_terminal) as progress:
            bar = progress.add_task("", total=len(tables))
            async for found in inspect_tables(archive, games, tables):
                progress.advance(bar)
                if found is not None:
                    report.add(found)
        return report

    def _show_file_check(self, show: Callable[[str], None], seconds: float) -> None:
        show(self.say("checking file", seconds=int(seconds)))

    def _show(self, report: StoreReport) -> None:
        if report.damage:
            self._show_damage(report.damage)
        if report.unreadable:
            self._out.print(self._build_rows(report.unreadable))
            self._out.print(BAD, self.say("findings", bad=len(report.unreadable), tables=report.tables))
        if not report.is_healthy:
            self._show_advice(report)
        else:
            key = "healthy" if report.tables else "empty"
            self._out.print(GOOD, self.say(key, tables=report.tables, entries=report.entries))
        if report.other_editions:
            self._out.print(self.say("other editions", count=report.other_editions))

    def _show_damage(self, damage: list[str]) -> None:
        self._out.print(BAD, self.say("file damaged", count=len(damage)))
        for line in damage[:MOST_SHOWN]:
            self._out.print(f"  {line}")
        if len(damage) > MOST_SHOWN:
            self._out.print(f"  {self.say('more', count=len(damage) - MOST_SHOWN)}")

    def _build_rows(self, unreadable: list[TableReport]) -> Table:
        headings = [self.say(key) for key in ("table", "game", "entries", "what is wrong")]
        rows = Table(*headings, box=box.SIMPLE_HEAD, pad_edge=False)
        for report in unreadable:
            words = Text(self._explain(report))
            if report.detail:
                words.append(f" ({report.detail})", style="dim")
            entries = str(report.version) if report.version else "?"
            rows.add_row(report.table, report.game or "?", entries, words)
        return rows

    def _explain(self, report: TableReport) -> str:
        assert report.reason
        has_place = report.at is not None and report.reason in ("damaged", "unreadable", "does_not_apply", "incomplete")
        return self.say(f"{report.reason} at" if has_place and report.at else report.reason, at=report.at)

    def _show_advice(self, report: StoreReport) -> None:
        self._out.print(f"\n{self.say('what can be done')}", style="bold")
        for key in select_advice(report):
            self._out.print(Text(f"  • {self.say(key, where=self._store.arguments)}"))

    # Repair

    def export(self, table: str, path: Path) -> None:
        """Write the readable parts of a table to a file that only its owner can read."""
        if path.exists():
            self.give_up(self.say("exists", path=path))
        lines = run_with_archive(partial(self._collect, table), self._store)
        end = msgspec.json.decode(lines[-1])
        if not end["entries"] and not end["is_whole"] and len(lines) == 2:
            self.give_up(self.say("no such table", table=table))
        write_private(path, lines)
        key = "exported" if end["is_whole"] else "exported part"
        self._out.print(self.say(key, path=path, entries=end["entries"]))
        self._out.print(self.say("secrets"), style="yellow")

    async def _collect(self, table: str, archive: ReadonlyStore) -> list[bytes]:
        return [line async for line in export_table(archive, table)]

    def drop(self, table: str, yes: bool) -> None:
        self._confirm(self.say("sure to drop", table=table), yes)
        is_gone = anyio.run(self._drop_from_redis, table) if self._store.url else drop_table(self._store.data, table)
        if not is_gone:
            self.give_up(self.say("no such table", table=table))
        self._out.print(self.say("dropped", table=table))

    async def _drop_from_redis(self, table: str) -> bool:
        archive = await RedisReadonlyStore.at(self._store.url, self._store.durability)
        try:
            return await archive.drop(table)
        finally:
            await archive.close()

    def rebuild(self, yes: bool) -> None:
        if self._store.url:
            self.give_up(self.say("only sqlite"))
        self._confirm(self.say("sure to rebuild"), yes)
        done = rebuild_file(self._store.data)
        self._out.print(Text(self.say("rebuilt", copied=done.copied, kept=done.kept_as)))
        if done.left_out:
            self._out.print(self.say("left out", tables=", ".join(done.left_out)))

    def _confirm(self, question: str, yes: bool) -> None:
        if yes:
            return
        if not is_terminal():
            self.give_up(self.say("needs yes"))
        if not typer.confirm(screen_text(question)):
            self.give_up(self.say("not confirmed"))


def select_advice(report: StoreReport) -> list[str]:
    """Return the keys of the advice for these findings, the mildest first."""
    reasons = {found.reason for found in report.unreadable}
    advice = ["do copy"] if report.damage else []
    advice += ["do game"] if "no_game" in reasons else []
    advice += ["do update"] if "newer_format" in reasons else []
    advice += ["do rules"] if "cannot_go_on" in reasons else []
    is_damaged = bool(report.damage) or bool(reasons - {"no_game", "newer_format", "cannot_go_on"})
    advice += ["do restore"] if is_damaged else []
    advice += ["do export"] if report.unreadable else []
    advice += ["do rebuild"] if report.damage else []
    return [*advice, "do drop"] if is_damaged and report.unreadable else advice


def is_terminal() -> bool:
    """Return whether a person can answer a question."""
    return sys.stdin.isatty()


def write_private(path: Path, lines: list[bytes]) -> None:
    """Write a new file that only its owner can read."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.writelines(lines)


@contextmanager
def silence_logs() -> Iterator[None]:
    """Suppress the log lines of the store, because the report has the same information."""
    before = logging.root.manager.disable
    logging.disable(logging.CRITICAL)
    try:
        yield
    finally:
        logging.disable(before)
