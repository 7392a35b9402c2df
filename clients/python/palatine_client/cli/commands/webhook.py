"""`palatine webhook`: be told elsewhere that it is your turn."""

from __future__ import annotations

from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, PANEL, WHERE, Json, Language, Server

HELP = """
Be told over HTTP that it is your turn, or that a game is over, while you are not connected.

[bold not dim]Examples[/]
  [green not dim]palatine webhook set https://hooks.example/me[/]
      For all of your tables; prints the secret that signs every message.

  [green not dim]palatine webhook set https://hooks.example/chat --table TABLE[/]
      For a table at which you sit, whoever's turn it is.
"""
At = Annotated[
    str | None,
    typer.Option("--table", "-t", metavar="TABLE", help="That of a table instead of yours.", rich_help_panel=WHERE),
]


def add_to(app: typer.Typer) -> None:
    webhook = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")
    webhook.command("set")(put)
    webhook.command("show")(show)
    webhook.command("remove")(remove)
    app.add_typer(webhook, name="webhook", rich_help_panel=PANEL)


def put(
    url: Annotated[str, typer.Argument(help="Where to tell you.")],
    table: At = None,
    server: Server = DEFAULT_SERVER,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Be told there from now on; the secret is shown only now."""
    from ..errors import run
    from .account import Bells

    spoken = lang or detect_language()
    run(Bells(server, table, spoken, json).put(url), server, spoken)


def show(table: At = None, server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Where you are told, and until when."""
    from ..errors import run
    from .account import Bells

    spoken = lang or detect_language()
    run(Bells(server, table, spoken, json).show(), server, spoken)


def remove(table: At = None, server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Be told no longer."""
    from ..errors import run
    from .account import Bells

    spoken = lang or detect_language()
    run(Bells(server, table, spoken, json).remove(), server, spoken)
