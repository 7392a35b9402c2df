"""`palatine whoami`: who you are at a server."""

from __future__ import annotations

import typer

from ...render.translations import detect_language
from ..options import DEFAULT_SERVER, PANEL, Json, Language, Server


def add_to(app: typer.Typer) -> None:
    app.command("whoami", rich_help_panel=PANEL)(whoami)


def whoami(server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Your name and your user at a server; by the user others can keep a seat for you."""
    from ..errors import run
    from .account import tell_who

    spoken = lang or detect_language()
    run(tell_who(server, spoken, json), server, spoken)
