"""The options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..render.translations import Lang

PANEL = "Playing"
WHERE, WHAT, HOW = "Server and table", "New table", "Output"

Server = Annotated[
    str,
    typer.Option(
        "--server",
        "-s",
        metavar="URL",
        envvar="PALATINE_SERVER",
        help="The address of the server.",
        rich_help_panel=WHERE,
    ),
]
Language = Annotated[
    Lang | None,
    typer.Option(
        "--lang", "-l", show_default="the system's", help="The language: English or German.", rich_help_panel=HOW
    ),
]
Json = Annotated[
    bool, typer.Option("--json", help="Print JSON for programs, one object per line.", rich_help_panel=HOW)
]
PlainWords = Annotated[
    bool,
    typer.Option("--plain", help="Print text without drawings, for screen readers and pipes.", rich_help_panel=HOW),
]
Seats = Annotated[
    int | None,
    typer.Option(
        "--seats",
        min=1,
        metavar="N",
        show_default="3, or more if --bots and --reserve need them",
        help="The number of seats.",
        rich_help_panel=WHAT,
    ),
]
Bots = Annotated[
    int | None,
    typer.Option(
        "--bots",
        min=0,
        metavar="N",
        show_default="all other seats; none with --private, --ready-check or --reserve",
        help="How many seats house bots take.",
        rich_help_panel=WHAT,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option(
        "--option", "-o", metavar="KEY=VALUE", help="Set an option of the game. Repeatable.", rich_help_panel=WHAT
    ),
]
Private = Annotated[bool, typer.Option("--private", help="Only invited users find the table.", rich_help_panel=WHAT)]
Clock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="TIME",
        show_default="none",
        help="Limit the time: 60s or 2d for each decision; 10m+5s for the whole game plus 5s for each decision; "
        "30s,10m+5s for both.",
        rich_help_panel=WHAT,
    ),
]
Grace = Annotated[
    str | None,
    typer.Option(
        "--grace",
        metavar="TIME",
        show_default=False,
        help="How long to wait for a player who is offline: 60s, 5m, …",
        rich_help_panel=WHAT,
    ),
]
Overdue = Annotated[
    str | None,
    typer.Option(
        "--overdue",
        metavar="WHO",
        show_default="rules",
        help="What decides for a player whose time is up: rules, or a house bot (greedy, random, …).",
        rich_help_panel=WHAT,
    ),
]
ReadyCheck = Annotated[
    bool, typer.Option("--ready-check", help="Start only after all players have typed /ready.", rich_help_panel=WHAT)
]
Delay = Annotated[
    int,
    typer.Option(
        "--delay",
        min=0,
        max=256,
        metavar="N",
        show_default="live",
        help="Show the game to spectators with a delay of N log entries.",
        rich_help_panel=WHAT,
    ),
]
Reserve = Annotated[
    list[str] | None,
    typer.Option(
        "--reserve",
        metavar="USER",
        help="Reserve a seat for a user id, as palatine whoami prints it. Repeatable.",
        rich_help_panel=WHAT,
    ),
]
Invitation = Annotated[
    str,
    typer.Option(
        "--invitation",
        "-i",
        metavar="CODE",
        show_default=False,
        help="The invitation to a private table. TABLE#CODE works too.",
        rich_help_panel=WHERE,
    ),
]
Name = Annotated[
    str,
    typer.Option(
        "--name",
        "-n",
        metavar="NAME",
        show_default=False,
        help="The name that other players see.",
        rich_help_panel=WHERE,
    ),
]

DEFAULT_SERVER = "http://127.0.0.1:8080"
Status = Literal["open", "playing", "over"]
