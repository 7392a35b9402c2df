"""`palatine whoami`: print who you are on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from ...render.translations import detect_language, label
from ..options import DEFAULT_SERVER, PANEL, Json, Language, Server

if TYPE_CHECKING:
    from ...guest_tokens import Guest


def add_to(app: typer.Typer) -> None:
    app.command("whoami", rich_help_panel=PANEL)(whoami)


def whoami(server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Print your name and user id on a server.

    Give your user id to a host, who can then reserve a seat for you with
    palatine play --reserve USER.
    """
    from ..errors import run

    language = lang or detect_language()
    run(print_identity(server, language, json), server, language)


async def print_identity(url: str, lang: str, as_json: bool) -> None:
    """Print the identity that this machine has saved for a server."""
    from ...screen_console import ScreenConsole
    from ..http_api import HttpApi
    from ..identity import identity_file, load_identity
    from ..json_mode import json_lines

    await HttpApi(url, lang).fetch_games()  # raises a CommandError if there is no server
    known = load_identity(identity_file(url))
    if as_json:
        json_lines.write_object({"name": known.name, "user": known.user} if known else None)
    else:
        ScreenConsole(highlight=False).print(describe_identity(known, url, lang), soft_wrap=True)


def describe_identity(known: Guest | None, url: str, lang: str) -> str:
    from ..shell_hints import build_command

    if known is None:
        return label(lang, "whoami nobody", command=build_command("play", "--server", url))
    return label(lang, "whoami", name=known.name, user=known.user)
