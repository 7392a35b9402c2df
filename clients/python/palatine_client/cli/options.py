"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..render.translations import Lang

PANEL = "Playing"
WHERE, WHAT, HOW = "Where", "What is played", "How you see it"

Server = Annotated[
    str,
    typer.Option("--server", "-s", metavar="URL", envvar="PALATINE_SERVER", help="The server.", rich_help_panel=WHERE),
]
Language = Annotated[
    Lang | None,
    typer.Option("--lang", "-l", show_default="that of this machine", help="German or English.", rich_help_panel=HOW),
]
Json = Annotated[bool, typer.Option("--json", help="For programs: a JSON object per line.", rich_help_panel=HOW)]
PlainWords = Annotated[
    bool, typer.Option("--plain", help="In nothing but words: for screen readers and pipes.", rich_help_panel=HOW)
]
Seats = Annotated[
    int | None,
    typer.Option(
        "--seats",
        min=1,
        show_default="3, or enough for everybody who is named",
        help="How many play at a new table.",
        rich_help_panel=WHAT,
    ),
]
Bots = Annotated[
    int | None,
    typer.Option(
        "--bots",
        min=0,
        show_default="all other seats; if people are to come (--private, --ready-check, --reserve), none",
        help="How many of them are house bots.",
        rich_help_panel=WHAT,
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game.", rich_help_panel=WHAT),
]
Private = Annotated[bool, typer.Option("--private", help="Only who is invited finds it.", rich_help_panel=WHAT)]
Clock = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="TIME",
        show_default="none",
        help="60s for each decision, 10m+5s for the game with 5s more at each decision, 30s,10m+5s, 2d, …",
        rich_help_panel=WHAT,
    ),
]
Grace = Annotated[
    str | None,
    typer.Option("--grace", metavar="TIME", help="How long to wait for who is gone: 60s, 5m, …", rich_help_panel=WHAT),
]
Overdue = Annotated[
    str | None,
    typer.Option(
        "--overdue",
        metavar="WHO",
        show_default="rules",
        help="Who decides when time is up: the rules, or a house bot: greedy, random, …",
        rich_help_panel=WHAT,
    ),
]
ReadyCheck = Annotated[
    bool, typer.Option("--ready-check", help="Begin only when all have said /ready.", rich_help_panel=WHAT)
]
Delay = Annotated[
    int,
    typer.Option(
        "--delay",
        min=0,
        max=256,
        metavar="ENTRIES",
        show_default="live",
        help="By how many entries those who look on are behind.",
        rich_help_panel=WHAT,
    ),
]
Reserve = Annotated[
    list[str] | None,
    typer.Option(
        "--reserve",
        metavar="USER",
        help="Keep a seat for a user, whom palatine whoami tells who he is; can be given several times.",
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
        help="To a private table; or write TABLE#CODE.",
        rich_help_panel=WHERE,
    ),
]
Name = Annotated[
    str, typer.Option("--name", "-n", show_default=False, help="The name that others see.", rich_help_panel=WHERE)
]

DEFAULT_SERVER = "http://127.0.0.1:8080"
Status = Literal["open", "playing", "over"]
