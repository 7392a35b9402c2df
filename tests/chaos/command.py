"""`palatine chaos`: for a checkout only. Nothing heavy is loaded before it runs."""

from __future__ import annotations

from typing import Annotated, Literal, NoReturn

import typer
from chaos.plan import KINDS, possible_kinds
from rich.console import Console
from rich.markup import escape

HELP = """
Break a running house in every way there is, and see whether anything that was acknowledged is lost.

Real servers, a real store, hundreds of tables with players who check all they are run_and_print. One seed makes one plan.
Exit code 0: all promises held. 1: one was broken. 2: the run is void, because it never got to where it is difficult.

[bold not dim]Faults[/]
{faults}

[bold not dim]Examples[/]
  [green not dim]palatine chaos --seconds 60[/]
      A minute of everything that can happen to two nodes on one Redis.

  [green not dim]palatine chaos --faults node --kills 100[/]
      A hundred times kill -9 of a node.

  [green not dim]palatine chaos --store sqlite --faults power --kills 50[/]
      Fifty power cuts under a single node with its file.

  [green not dim]palatine chaos --store sqlite --faults disk --kills 20[/]
      Twenty times the disk under the file is full for a while.

  [green not dim]palatine chaos --store sentinel --faults failover --kills 20[/]
      Twenty times another primary.

  [green not dim]palatine chaos --faults rollback --kills 20[/]
      Twenty times a Redis that has lost its last entries: nobody may go on with them.

  [green not dim]palatine chaos --faults power --plant everysec[/]
      A Redis that syncs too rarely: this run must fail.
"""
STORES = Literal["redis", "sentinel", "cluster", "sqlite"]


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    faults = "\n".join(f"  [green not dim]{name:<9}[/] {kind.words}" for name, kind in KINDS.items())
    app.command("chaos", help=HELP.format(faults=faults), rich_help_panel="For developers")(chaos)


def chaos(
    store: Annotated[STORES, typer.Option(help="What the nodes stand on.")] = "redis",
    faults: Annotated[str, typer.Option(help="Which faults, with commas.", show_default="all of this store")] = "",
    kills: Annotated[int, typer.Option(help="How many faults.", min=1)] = 20,
    seconds: Annotated[
        float | None, typer.Option(help="No new fault after so many seconds.", min=1, show_default="no limit")
    ] = None,
    tables: Annotated[int, typer.Option(help="How many tables, with three players each.", min=1)] = 200,
    pace: Annotated[float, typer.Option(help="Seconds that a player thinks, on average.", min=0.0)] = 8.0,
    gap: Annotated[float, typer.Option(help="Seconds between two faults, on average.", min=0.0)] = 1.0,
    seed: Annotated[int, typer.Option(help="The plan and the players.")] = 1,
    plant: Annotated[
        Literal["", "everysec"], typer.Option(help="Plant a mistake that the run must find.", show_default=False)
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON and nothing else.")] = False,
) -> None:
    """Run it, and leave with the code of the verdict."""
    import asyncio
    import signal

    from chaos.progress import run_and_print
    from chaos.run import RunOptions

    signal.signal(signal.SIGTERM, signal.default_int_handler)  # as Ctrl-C: nothing is left running
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
    """The faults of a list; each must be one that this store can have."""
    named = [name.strip() for name in text.split(",") if name.strip()]
    possible = possible_kinds(store)
    for name in named:
        if name not in possible:
            fail(f"There is no fault '{name}' with {store}. Choose from: {', '.join(possible)}.")
    return named


def fail(sentence: str) -> NoReturn:
    Console(stderr=True, highlight=False).print(f"[red]✗[/] {escape(sentence)}", soft_wrap=True)
    raise typer.Exit(2)
