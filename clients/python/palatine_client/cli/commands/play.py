"""`palatine play`: sit down at a table and play."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ...render.translations import detect_language
from ..options import (
    DEFAULT_SERVER,
    HOW,
    PANEL,
    WHAT,
    WHERE,
    Bots,
    Clock,
    Delay,
    Grace,
    Invitation,
    Json,
    Language,
    Name,
    Options,
    Overdue,
    PlainWords,
    Private,
    ReadyCheck,
    Reserve,
    Seats,
    Server,
)

HELP = """
Play at a table: choose one that is open, or open one and let bots take the other seats.

You see what happens as it happens, and type the numbers of what you
choose. Words behind a slash talk, ask and propose: /say, /why, /preview,
/back. [bold]?[/] lists them at any time. Your seat is kept when you quit or lose
the connection.

[bold not dim]Examples[/]
  [green not dim]palatine play between_two_castles --local --bots 2[/]
      A server of your own, two bots and you.

  [green not dim]palatine play between_two_castles --seats 4 --bots 2[/]
      A new table on this machine, with one seat for a friend.

  [green not dim]palatine play --table TABLE --server https://play.example[/]
      At a table that somebody told you of.

  [green not dim]palatine play palais_royal --private --clock 10m+5s --ready-check[/]
      A table for friends only; you are told what they have to type.

  [green not dim]palatine play between_two_castles --json[/]
      For programs, a JSON object per line. Standard input takes
      {"do": ...}, {"undo": true}, {"take_back": VERSION}, {"agree": true},
      {"say": TEXT}, {"report": LINE}, {"point": ACTION},
      {"preview": ACTION}, {"why_not": ACTION}, {"explain": true} and then
      {"explain": QUESTION}, {"describe": true}, {"sit": true},
      {"leave": true}, {"ready": true}, {"show": true}, {"invite": true},
      {"rematch": true}, {"quit": true}; from the host also {"start": true},
      {"pause": true}, {"mute": LINE}, {"unmute": LINE}, {"bot": POLICY},
      {"kick": SEAT}, {"host": SEAT}, {"reserve": SEAT, "user": USER},
      {"change": TERMS}. agree, ready, show and pause can be false, invite
      can be "new", and a user null.
      Seats count from 0 here, and from 1 where people type and read them.
      Events are table, snapshot, update, talk, clock, pointed, connection,
      over; each line is answered by done, refused, previewed, explained,
      described or invitation.
"""


def add_to(app: typer.Typer) -> None:
    app.command("play", help=HELP, rich_help_panel=PANEL)(play)


def play(
    game: Annotated[
        str | None, typer.Argument(help="Which game; at a keyboard you are asked, elsewhere it must be named.")
    ] = None,
    server: Server = DEFAULT_SERVER,
    table: Annotated[
        str | None, typer.Option("--table", "-t", metavar="TABLE", help="Sit down there.", rich_help_panel=WHERE)
    ] = None,
    invitation: Invitation = "",
    again: Annotated[
        str | None,
        typer.Option(
            "--again", metavar="TABLE", help="Once more with those of a game that is over.", rich_help_panel=WHERE
        ),
    ] = None,
    local: Annotated[
        bool, typer.Option("--local", help="Start a server of your own, just for this.", rich_help_panel=WHERE)
    ] = False,
    data: Annotated[
        Path | None,
        typer.Option(show_default="data", help="Where that server keeps its tables.", rich_help_panel=WHERE),
    ] = None,
    name: Name = "",
    seats: Seats = None,
    bots: Bots = None,
    policy: Annotated[str, typer.Option(help="How the bots play.", rich_help_panel=WHAT)] = "greedy",
    option: Options = None,
    private: Private = False,
    clock: Clock = None,
    grace: Grace = None,
    overdue: Overdue = None,
    ready_check: ReadyCheck = False,
    delay: Delay = 0,
    reserve: Reserve = None,
    lang: Language = None,
    demo: Annotated[
        bool | None,
        typer.Option(
            "--demo/--no-demo",
            show_default="with --local, if there is no keyboard",
            help="Let the game play itself.",
            rich_help_panel=HOW,
        ),
    ] = None,
    plain: PlainWords = False,
    json: Json = False,
) -> None:
    from ..errors import run
    from ..table_setup import Wish
    from .play_session import Plan, evening

    if table and again:
        raise typer.BadParameter("name one table: --table or --again", param_hint="--again")
    if data and not local:
        raise typer.BadParameter("it is for a server of your own: add --local", param_hint="--data")
    wish = Wish(
        game=game,
        table=table,
        invitation=invitation,
        again=again,
        seats=seats,
        bots=bots,
        policy=policy,
        options=option or [],
        visibility="private" if private else "public",
        clock=clock,
        grace=grace,
        overdue=overdue,
        ready_check=ready_check,
        delay=delay,
        reserve=reserve or [],
    )
    spoken = lang or detect_language()
    shows_itself = (local and not json and not sys.stdin.isatty()) if demo is None else demo
    plan = Plan(
        wish=wish,
        server=server,
        local=local,
        data=data,
        name=name,
        lang=spoken,
        shows_itself=shows_itself,
        json=json,
        plain=plain,
    )
    run(evening(plan), server, spoken)
