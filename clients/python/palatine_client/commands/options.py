"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..labels import Lang

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
    typer.Option("--seats", min=1, show_default="3", help="How many play at a new table.", rich_help_panel=WHAT),
]
Bots = Annotated[
    int | None,
    typer.Option(
        "--bots", min=0, show_default="all other seats", help="How many of them are house bots.", rich_help_panel=WHAT
    ),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="KEY=VALUE", help="An option of the game.", rich_help_panel=WHAT),
]
Private = Annotated[
    bool, typer.Option("--private", help="Only who knows the table's name finds it.", rich_help_panel=WHAT)
]
MoveLimit = Annotated[
    int | None, typer.Option("--move-limit", min=1, metavar="SECONDS", help="Time per decision.", rich_help_panel=WHAT)
]
Name = Annotated[
    str, typer.Option("--name", "-n", show_default=False, help="The name that others see.", rich_help_panel=WHERE)
]

DEFAULT_SERVER = "http://127.0.0.1:8080"
Status = Literal["open", "playing", "over"]
