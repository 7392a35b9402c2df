"""`palatine replay`: play a recorded game in the terminal, without a server and without running its rules."""

from __future__ import annotations

from typing import Annotated

import typer

from palatine_client.game_option import MoreGames

from ..games import open_games
from ..options import RECORD_PANEL, Language, RecordFile


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=RECORD_PANEL)(replay)


def replay(
    file: RecordFile,
    seat: Annotated[
        int | None,
        typer.Option(help="The seat whose view is shown, from 1 on.", show_default="what everybody saw", min=1),
    ] = None,
    at: Annotated[int | None, typer.Option(help="Show only the table after this entry.", min=0)] = None,
    pace: Annotated[float, typer.Option(help="Entries per second while it plays.", min=0.1, max=50)] = 1.0,
    lang: Language = None,
    game: MoreGames = None,
) -> None:
    """Play a recorded game in the terminal: step, jump, go back, or let it run. Without a terminal it runs through."""
    from palatine_client.render.translations import detect_language

    from ...games.named_games import UnknownGame
    from ..output import give_up
    from ..replay_screen import show_record

    try:
        games = open_games(game)
    except UnknownGame as why:
        give_up(str(why))
    show_record(file, games, seat, at, pace, lang or detect_language())
