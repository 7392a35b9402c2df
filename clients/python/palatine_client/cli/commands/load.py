"""`palatine load`: measure how much load a server can take."""

from __future__ import annotations

from typing import Annotated

import typer

from ...game_option import read_game_name
from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, Server

PANEL = "Running a server"
TABLES, PACE, MEASUREMENT = "Tables and connections", "Pace of play", "Measurement"


def add_to(app: typer.Typer) -> None:
    app.command("load", rich_help_panel=PANEL)(load)


def load(
    server: Server = DEFAULT_SERVER,
    game: Annotated[
        list[str],
        typer.Option(
            "--game",
            "-g",
            metavar="GAME",
            help="The game: its name, or MODULE:GAME. Repeat to compare.",
            rich_help_panel=TABLES,
        ),
    ] = ["between_two_castles"],  # noqa: B006 (typer copies it)
    tables: Annotated[
        list[int],
        typer.Option(
            "--tables",
            "-t",
            min=0,
            metavar="N",
            help="The number of tables. Repeat to compare.",
            rich_help_panel=TABLES,
        ),
    ] = [10],  # noqa: B006 (typer copies it)
    players: Annotated[
        int, typer.Option("--players", min=1, metavar="N", help="The players at each table.", rich_help_panel=TABLES)
    ] = 4,
    spectators: Annotated[
        int,
        typer.Option("--spectators", min=0, metavar="N", help="The spectators at each table.", rich_help_panel=TABLES),
    ] = 0,
    idle: Annotated[
        int,
        typer.Option(
            "--idle", min=0, metavar="N", help="Open N idle connections instead of tables.", rich_help_panel=TABLES
        ),
    ] = 0,
    think: Annotated[
        tuple[float, float],
        typer.Option("--think", min=0, metavar="FROM TO", help="The seconds before each action.", rich_help_panel=PACE),
    ] = (1.0, 5.0),
    saturate: Annotated[
        bool,
        typer.Option("--saturate", help="Act without a pause, as fast as the server answers.", rich_help_panel=PACE),
    ] = False,
    at_once: Annotated[
        int,
        typer.Option(
            "--at-once",
            min=0,
            metavar="N",
            show_default="as many as the game waits for",
            help="The most actions that may be pending at one table.",
            rich_help_panel=PACE,
        ),
    ] = 0,
    seconds: Annotated[
        float,
        typer.Option("--seconds", min=0.1, metavar="N", help="How long to measure.", rich_help_panel=MEASUREMENT),
    ] = 10.0,
    warmup: Annotated[
        float,
        typer.Option(
            "--warmup", min=0, metavar="N", help="Seconds of play before the measurement.", rich_help_panel=MEASUREMENT
        ),
    ] = 2.0,
    processes: Annotated[
        int,
        typer.Option(
            "--processes", "-p", min=1, metavar="N", help="The processes that play.", rich_help_panel=MEASUREMENT
        ),
    ] = 1,
    probe: Annotated[
        bool,
        typer.Option(help="Measure the server from another, nearly idle process too.", rich_help_panel=MEASUREMENT),
    ] = True,
    pid: Annotated[
        list[int] | None,
        typer.Option(
            "--pid",
            metavar="PID",
            help="Measure CPU and memory of this server process. Repeatable.",
            rich_help_panel=MEASUREMENT,
        ),
    ] = None,
    json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON.", rich_help_panel=MEASUREMENT)
    ] = False,
) -> None:
    """Play many tables at once, and report how fast the server is.

    The players know no rules and choose at random from what they are offered.
    The delay is the time from sending an action until all viewers of its
    table have received it. Give several games or numbers of tables to measure
    one after the other and compare them.

    The limits of the server apply to these players too. To saturate a server,
    start it with PALATINE_RATE=1000000 PALATINE_BURST=1000000
    PALATINE_GUESTS_PER_MINUTE=1000000.

    The tool measures its own pauses as well, and a probe measures the server
    from another process. The report says when the figures cannot be trusted
    because the tool was slower than the server.
    """
    from ...load.display import run_plans
    from ...load.plan import Plan
    from ..errors import run

    plans = [
        Plan(
            url=server,
            game=read_game_name(each),
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
