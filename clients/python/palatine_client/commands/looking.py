"""What `palatine watch` and `palatine tables` do."""

from __future__ import annotations

import time

from rich import box
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol.messages import TableSummary

from ..labels import label
from . import jsonlines
from .calling import palatine
from .identity import identity_file, kept
from .plain import console_of, sight_of
from .shelf import Server
from .terminal import Terminal
from .visiting import there, visit
from .watching import watch

STYLES = {"open": "green", "playing": "yellow", "over": "dim"}
AGES = ((86_400, "d"), (3_600, "h"), (60, "min"), (1, "s"))


async def look_on(table_id: str, url: str, lang: str, as_json: bool, plain: bool = False) -> None:
    """Follow a table until its game is over."""
    server, place = Server(url, lang), there(url)
    await server.games()
    async with visit(url, place.identity_at) as client:
        table = await client.join(table_id)
        client.patience = client.patience if as_json else None
        if as_json:
            await jsonlines.watch(table, url)
            jsonlines.write_over(table)
            return
        sight = sight_of(table, await server.game(table.info.game), lang, plain=plain)
        await watch(sight, Terminal(console_of(plain=plain)))


async def list_tables(game: str | None, status: str | None, url: str, lang: str, as_json: bool) -> None:
    """Print the tables that are open to us."""
    server, known = Server(url, lang), kept(identity_file(url))
    if game:
        await server.game(game)
    titles = {each.game: each.title for each in await server.games()}
    tables = await server.tables(known.token if known else "")
    fitting = [table for table in tables if game in (None, table.game) and status in (None, table.status)]
    if as_json:
        for table in fitting:
            jsonlines.write_object(table)
        return
    Console(highlight=False).print(grid(fitting, titles, lang) if fitting else nothing(url, lang))


def nothing(url: str, lang: str) -> Text:
    return Text(label(lang, "no tables", command=palatine("play", "--server", url)))


def grid(tables: list[TableSummary], titles: dict[str, str], lang: str) -> Grid:
    """A table of tables."""
    shown = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    shown.add_column(label(lang, "column table"), no_wrap=True, overflow="fold")
    for column in ("game", "status", "people", "age"):
        shown.add_column(label(lang, f"column {column}"))
    for table in tables:
        shown.add_row(*row(table, titles, lang))
    return shown


def row(table: TableSummary, titles: dict[str, str], lang: str) -> list[Text]:
    status = Text(label(lang, f"status {table.status}"), STYLES[table.status])
    marks = [label(lang, mark) for mark, is_so in (("yours", table.yours), ("private", is_private(table))) if is_so]
    people = ", ".join(name or label(lang, "empty") for name in table.seats)
    return [
        Text(table.table, "bold" if table.yours else ""),
        Text(titles.get(table.game, table.game)),
        status.append(f" ({', '.join(marks)})" if marks else ""),
        Text(people),
        Text(age(table.created)),
    ]


def is_private(table: TableSummary) -> bool:
    return table.visibility == "private"


def age(created: int) -> str:
    """How long ago a table was opened, roughly."""
    seconds = max(0, time.time() - created / 1000)
    size, unit = next(((size, unit) for size, unit in AGES if seconds >= size), AGES[-1])
    return f"{int(seconds // size)} {unit}"
