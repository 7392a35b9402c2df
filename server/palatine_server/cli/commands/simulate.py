"""`palatine simulate`: let bots play whole games."""

from __future__ import annotations

import os
from typing import Annotated, Literal

import typer

from palatine_client.game_option import build_game_option

GAMES_PER_PROCESS = 20  # the fewest games per process, because starting a process costs about as much as a few games

HELP = """
Let bots play whole games, and print statistics about them.

The seed determines a game, so you can repeat every game exactly.
If a game crashes or cannot go on, the command that repeats it is printed.

[bold not dim]Examples[/]
  [green not dim]palatine simulate between_two_castles --players 3 --show[/]
      One game of three bots, with all castles and the score sheet.

  [green not dim]palatine simulate between_two_castles --players 2 --lang de --show[/]
      Two bots and Ludwig, auf Deutsch.

  [green not dim]palatine simulate between_two_castles --games 10000 --jobs 4[/]
      Ten thousand games, with every number of players in turn.

  [green not dim]palatine simulate between_two_castles --policy greedy,random,random[/]
      Can a greedy bot beat two random ones? Add --games 300 to be sure.

  [green not dim]palatine simulate noblemen --policy strong,greedy,greedy,greedy --games 300[/]
      And can a strong bot beat three greedy ones?

  [green not dim]palatine simulate between_two_castles --option finite_supply=true[/]
      A game with another option.
"""

WHAT, HOW, OUT = "What is played", "How it is played", "What you see"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel="Without a server")(simulate)


def simulate(
    game: Annotated[str, typer.Argument(help="The name of an installed game, or MODULE:GAME.")],
    more_games: Annotated[list[str] | None, build_game_option(WHAT)] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N|N-M",
            show_default="as many as --policy names, or all",
            help="The number of players; games take turns through a range.",
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
            help="The number of games.",
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
            help="A number for the whole run, or the 64 hexadecimal digits of one game's seed.",
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
            show_default="one for each core, fewer for few games",
            help="The number of processes; the games do not depend on it.",
            rich_help_panel=HOW,
        ),
    ] = None,
    show: Annotated[
        bool,
        typer.Option(
            "--show",
            help="Draw the final board of each game; with more than 3 games, only the last.",
            rich_help_panel=OUT,
        ),
    ] = False,
    lang: Annotated[
        Literal["en", "de"], typer.Option("--lang", help="The language of the board.", rich_help_panel=OUT)
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as JSON and nothing else.", rich_help_panel=OUT)
    ] = False,
) -> None:
    """Plan the matches, play them, and print the report."""
    from time import perf_counter

    import msgspec

    from palatine_client.screen_console import ScreenConsole
    from palatine_client.screen_text import screen_json

    from ...simulation import compute_digest, summarize_outcomes
    from ..simulation_plan import find_game, plan_matches
    from ..simulation_report import SimulationReport, play_matches, print_boards, print_figures, report_failure

    chosen, source = find_game(game, more_games or [])
    matches = plan_matches(chosen, source, players, games, seed, policy, option or [])
    workers = jobs or max(1, min(os.cpu_count() or 1, len(matches) // GAMES_PER_PROCESS))
    began = perf_counter()
    results = play_matches(chosen, matches, workers)
    if results[-1].failure:
        report_failure(results[-1])
    report = SimulationReport(
        game=chosen.name,
        processes=workers,
        seconds=perf_counter() - began,
        digest=compute_digest(results),
        by_players=summarize_outcomes(results),
    )
    if as_json:
        typer.echo(screen_json(msgspec.json.format(msgspec.json.encode(report))))
        return
    out = ScreenConsole(highlight=False)
    if show:
        print_boards(out, chosen, matches, lang)
    print_figures(out, chosen, matches, report)
