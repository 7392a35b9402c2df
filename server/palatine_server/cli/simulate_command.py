"""`palatine simulate`: let bots play whole games.

Nothing but the options is loaded before a command runs, so that `palatine --help` is quick.
"""

from __future__ import annotations

from typing import Annotated, Literal

import typer

GAME_NAMES = "between_two_castles", "palais_royal", "noblemen"  # a test compares them with the games that there are

HELP = """
Let bots play whole games and see what they add up to.

A game is determined by its seed: what you saw once you can see again.
If a game crashes or comes to a dead end, one command repeats it exactly.

[bold not dim]Examples[/]
  [green not dim]palatine simulate between_two_castles --players 3 --show[/]
      One game of three bots, with all castles and the score sheet.

  [green not dim]palatine simulate between_two_castles --players 2 --lang de --show[/]
      Two bots and Ludwig, auf Deutsch.

  [green not dim]palatine simulate between_two_castles --games 10000 --jobs 4[/]
      Ten thousand games with every number of players in turn.

  [green not dim]palatine simulate between_two_castles --policy greedy,random,random[/]
      Can a greedy bot beat two random ones? Add --games 300 to be sure.

  [green not dim]palatine simulate noblemen --policy strong,greedy,greedy,greedy --games 300[/]
      And can a strong bot beat three greedy ones?

  [green not dim]palatine simulate between_two_castles --option finite_supply=true[/]
      With an option of the table.
"""

WHAT, HOW, OUT = "What is played", "How it is played", "What you see"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel="Without a server")(simulate)


def simulate(
    game: Annotated[str, typer.Argument(help=f"One of: {', '.join(GAME_NAMES)}.")],
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N|N-M",
            show_default="as many as --policy names, or all",
            help="How many play; games take turns through a range.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            min=1,
            show_default="one for each number of players",
            help="How many games.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            "-o",
            metavar="KEY=VALUE",
            show_default=False,
            help="An option of the game, its value as JSON; may be repeated.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    policy: Annotated[
        str,
        typer.Option(
            "--policy",
            metavar="NAME[,NAME...]",
            help="How the bots play: one policy for all, or one for each seat.",
            rich_help_panel=HOW,
        ),
    ] = "random",
    seed: Annotated[
        str,
        typer.Option(
            "--seed",
            "-s",
            metavar="NUMBER|SEED",
            help="A number for the whole run, or the 64 hexadecimal digits of one game.",
            rich_help_panel=HOW,
        ),
    ] = "1",
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            min=1,
            show_default="all cores, if it is worth it",
            help="How many processes play; the games are the same.",
            rich_help_panel=HOW,
        ),
    ] = None,
    show: Annotated[
        bool,
        typer.Option(
            "--show", help="Draw the final board of each game; of more than 3, the last.", rich_help_panel=OUT
        ),
    ] = False,
    lang: Annotated[
        Literal["en", "de"], typer.Option("--lang", help="The language of the board.", rich_help_panel=OUT)
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as JSON and nothing else.", rich_help_panel=OUT)
    ] = False,
) -> None:
    """Read what is wanted, play it, tell how it went."""
    from .simulate import simulate as run

    run(
        game=game,
        players=players,
        games=games,
        option=option,
        policy=policy,
        seed=seed,
        jobs=jobs,
        show=show,
        lang=lang,
        as_json=as_json,
    )
