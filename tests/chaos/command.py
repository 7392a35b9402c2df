"""The command `palatine chaos`, which only a checkout has; it imports the rest when it runs."""

from __future__ import annotations

from typing import Annotated, Literal, NoReturn

import typer
from chaos.plan import KINDS, possible_kinds
from rich.console import Console
from rich.markup import escape

HELP = """
Inject faults into running servers and their store, and check that no acknowledged request is lost.

The run starts real servers, a real store, and hundreds of tables whose players check every message. The seed sets the
fault plan. Exit code 0: all guarantees held. 1: a guarantee was violated. 2: the run is void, because it did not reach
all the cases that it must test.

[bold not dim]Faults[/]
{faults}

[bold not dim]Examples[/]
  [green not dim]palatine chaos --seconds 60[/]
      Inject all usual faults into two nodes on one Redis for a minute.

  [green not dim]palatine chaos --faults node --kills 100[/]
      Kill a node a hundred times with kill -9.

  [green not dim]palatine chaos --store sqlite --faults power --kills 50[/]
      Cut the power of a single node with SQLite fifty times.

  [green not dim]palatine chaos --store sqlite --faults disk --kills 20[/]
      Fill the disk of a single node with SQLite twenty times.

  [green not dim]palatine chaos --store sentinel --faults failover --kills 20[/]
      Make a replica take over twenty times.

  [green not dim]palatine chaos --faults rollback --kills 20[/]
      Make Redis lose its last entries twenty times; no node or client may keep them.

  [green not dim]palatine chaos --faults power --plant everysec[/]
      Let Redis sync too rarely; this run must fail.
"""
STORES = Literal["redis", "sentinel", "cluster", "sqlite"]


def add_to(app: typer.Typer) -> None:
    """Add the command to the application."""
    faults = "\n".join(f"  [green not dim]{name:<9}[/] {kind.words}" for name, kind in KINDS.items())
    app.command("chaos", help=HELP.format(faults=faults), rich_help_panel="For developers")(chaos)


def chaos(
    store: Annotated[STORES, typer.Option(help="The store of the nodes.")] = "redis",
    faults: Annotated[
        str, typer.Option(help="Kinds of faults, separated by commas.", show_default="the usual ones")
    ] = "",
    kills: Annotated[int, typer.Option(help="Number of faults.", min=1)] = 20,
    seconds: Annotated[
        float | None, typer.Option(help="Inject no new fault after this many seconds.", min=1, show_default="no limit")
    ] = None,
    tables: Annotated[int, typer.Option(help="Number of tables with three players each.", min=1)] = 200,
    pace: Annotated[float, typer.Option(help="Average seconds between two actions of a player.", min=0.0)] = 8.0,
    gap: Annotated[float, typer.Option(help="Average seconds between two faults.", min=0.0)] = 1.0,
    seed: Annotated[int, typer.Option(help="Seed of the fault plan and of the players.")] = 1,
    plant: Annotated[
        Literal["", "everysec"], typer.Option(help="Misconfigure Redis; the run must find it.", show_default=False)
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print only the verdict, as JSON.")] = False,
) -> None:
    """Carry out the run, and exit with the code of the verdict."""
    import asyncio
    import signal

    from chaos.progress import run_and_print
    from chaos.run import RunOptions

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: all processes end
    options = RunOptions(
        store=store,
        faults=parse_faults(faults, store),
        kills=kills,
        seconds=seconds,
        tables=tables,
        pace=pace,
        gap=gap,
        seed=seed,
        careless=plant == "everysec",
    )
    raise typer.Exit(asyncio.run(run_and_print(options, as_json=as_json)))


def parse_faults(text: str, store: str) -> list[str]:
    """Return the kinds in a list; exit if this store cannot have one of them."""
    named = [name.strip() for name in text.split(",") if name.strip()]
    possible = possible_kinds(store)
    for name in named:
        if name not in possible:
            fail(f"There is no fault '{name}' with {store}. Choose from: {', '.join(possible)}.")
    return named


def fail(sentence: str) -> NoReturn:
    Console(stderr=True, highlight=False).print(f"[red]✗[/] {escape(sentence)}", soft_wrap=True)
    raise typer.Exit(2)
