"""`palatine load`: see what a server can bear."""

from __future__ import annotations

from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, Server

PANEL = "Running a server"
WHO, HOW, WHAT = "Who comes", "How they play", "What is measured"


def add_to(app: typer.Typer) -> None:
    app.command("load", rich_help_panel=PANEL)(load)


def load(
    server: Server = DEFAULT_SERVER,
    game: Annotated[
        list[str],
        typer.Option("--game", "-g", help="What is played; several are compared.", rich_help_panel=WHO),
    ] = ["between_two_castles"],  # noqa: B006 (typer copies it)
    tables: Annotated[
        list[int],
        typer.Option("--tables", "-t", min=0, help="How many tables; several are compared.", rich_help_panel=WHO),
    ] = [10],  # noqa: B006 (typer copies it)
    players: Annotated[int, typer.Option("--players", min=1, help="At each table.", rich_help_panel=WHO)] = 4,
    spectators: Annotated[int, typer.Option("--spectators", min=0, help="At each table.", rich_help_panel=WHO)] = 0,
    idle: Annotated[
        int, typer.Option("--idle", min=0, help="Connections that only stay; then no tables.", rich_help_panel=WHO)
    ] = 0,
    think: Annotated[
        tuple[float, float],
        typer.Option("--think", min=0, metavar="FROM TO", help="Seconds before each action.", rich_help_panel=HOW),
    ] = (1.0, 5.0),
    saturate: Annotated[
        bool, typer.Option("--saturate", help="Do not think: act as fast as the server goes.", rich_help_panel=HOW)
    ] = False,
    at_once: Annotated[
        int,
        typer.Option(
            "--at-once",
            min=0,
            show_default="as many as the game waits for",
            help="Actions under way at one table.",
            rich_help_panel=HOW,
        ),
    ] = 0,
    seconds: Annotated[float, typer.Option("--seconds", min=0.1, help="How long.", rich_help_panel=WHAT)] = 10.0,
    warmup: Annotated[float, typer.Option("--warmup", min=0, help="Seconds before.", rich_help_panel=WHAT)] = 2.0,
    processes: Annotated[int, typer.Option("--processes", "-p", min=1, help="That play.", rich_help_panel=WHAT)] = 1,
    probe: Annotated[
        bool,
        typer.Option(help="Measure the server from one more process, which has little to do.", rich_help_panel=WHAT),
    ] = True,
    pid: Annotated[
        list[int] | None,
        typer.Option("--pid", help="A process of the server, if it runs here, to be watched.", rich_help_panel=WHAT),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="For programs: the report as JSON.", rich_help_panel=WHAT)
    ] = False,
) -> None:
    """Let many tables be played at once by programs, and report how fast the server was.

    They know nothing of the game and choose at random from what they are
    offered. Measured is the time from sending an action until everybody at
    its table has it. The limits of the server hold for them as for everybody:
    a server to be saturated is started with higher ones, e.g.
    PALATINE_RATE=1000000 PALATINE_BURST=1000000
    PALATINE_GUESTS_PER_MINUTE=1000000.

    The tool measures its own pauses as well, and a probe measures the server
    from a process of its own. The report says when the figures cannot be
    trusted because the tool was slower than the server.

    Several games or numbers of tables are measured one after the other.
    """
    from ...load.display import run_plans
    from ...load.plan import Plan
    from ..errors import run

    plans = [
        Plan(
            url=server,
            game=each,
            tables=0 if idle else number,
            players=players,
            spectators=spectators,
            idle=idle,
            think=None if saturate else think,
            at_once=at_once,
            seconds=seconds,
            warmup=warmup,
            processes=processes,
            has_probe=probe,
        )
        for each in game
        for number in (tables if not idle else [0])
    ]
    run(run_plans(plans[:1] if idle else plans, pid or [], json), server, detect_language())
