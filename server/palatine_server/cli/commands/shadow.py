"""`palatine shadow`: play all live tables again with the installed rules before you deploy them.

A running table goes on from its document, even if other rules led there. But if the rules have changed, its players may
be surprised. So this command lists the tables whose logs differ from the installed rules, and the first difference.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import typer

from palatine_client.game_option import MoreGames
from palatine_client.screen_console import ScreenConsole

from ..games import open_games
from ..options import DEFAULT, SERVER_PANEL, Durability, StoreDirectory, StoreUrl
from ..output import NO_ANSWER, give_up
from ..store_location import StoreLocation, run_with_archive

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from ...games.kit import Game
    from ...rules_comparison import TableVerdict
    from ...store.readonly import ReadonlyStore


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=SERVER_PANEL)(shadow)


def shadow(
    data: StoreDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
    game: MoreGames = None,
) -> None:
    """Play all live tables again with the installed rules, and list those that would differ.

    Run this with a new version before you deploy it. It changes nothing and disturbs no server. The exit code is 1 if
    any table differs.
    """
    from ...games.named_games import UnknownGame
    from ...store import CannotOpen, Unavailable

    console = ScreenConsole()
    try:
        work = partial(_judge_all, console, open_games(game))
        found = run_with_archive(work, StoreLocation(data, store, durability))
    except (CannotOpen, Unavailable, UnknownGame) as why:
        give_up(str(why) or NO_ANSWER)
    print_verdicts(console, found)
    raise typer.Exit(1 if any(verdict.how for verdict in found) else 0)


async def _judge_all(console: Console, games: dict[str, Game], archive: ReadonlyStore) -> list[TableVerdict]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ...rules_comparison import judge_tables

    tables = [table async for table in archive.scan_tables()]
    columns = TextColumn("tables"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    found: list[TableVerdict] = []
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(tables))
        async for verdict in judge_tables(archive, games, tables):
            progress.advance(bar)
            found += [verdict] if verdict else []
    return found


def print_verdicts(console: Console, found: list[TableVerdict]) -> None:
    """Print the tables that differ, and a summary."""
    from ...rules_comparison import OTHER_EDITION

    different = [verdict for verdict in found if verdict.how]
    if different:
        console.print(_build_rows(different))
    entries = sum(verdict.versions for verdict in found)
    others = sum(verdict.how.startswith(OTHER_EDITION) for verdict in different)
    more = f", {others} of them began with another edition of the rules" if others else ""
    summary = f"{len(found)} live tables with {entries} entries, {len(different)} would differ{more}"
    console.print(summary, highlight=False)


def _build_rows(different: list[TableVerdict]) -> Table:
    from rich.table import Table

    rows = Table("table", "game", "began with", "differs at", "of", "how")
    for verdict in different:
        rows.add_row(verdict.table, verdict.game, verdict.edition, str(verdict.at), str(verdict.versions), verdict.how)
    return rows
