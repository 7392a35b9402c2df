"""`palatine check`: check a game before others play it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from palatine_client.game_option import build_game_option

from ..options import Language

WHAT, HOW, OUT = "What is checked", "How it is checked", "What you see"

HELP = """
Check a game before others play it: its laws, rules, words and secrets.

Bots play the game with every number of players, and the laws are checked after
each action: players see what they are told, a table can be rebuilt from its log,
secrets cannot leak, games end, no piece is lost, a refused action changes nothing,
undo returns exactly. Rule ids, refusals, explanations, the catalog, labels and the
description are checked too. Every finding names the seed that shows it again.

[bold not dim]Exit codes[/]
  [green not dim]0[/]  nothing is wrong; there may be warnings about what is missing
  [green not dim]1[/]  something is wrong, or with --strict missing
  [green not dim]2[/]  the game cannot be loaded

[bold not dim]Examples[/]
  [green not dim]palatine check my_games.chess:CHESS[/]
      Check a game of your own; it may be in the current directory.

  [green not dim]palatine check between_two_castles --players 3 --seeds 20[/]
      Check an installed game with more games of three players.

  [green not dim]palatine check my_games.chess:CHESS --tests tests --strict[/]
      Also find rules that no test names, and fail if anything is missing.

  [green not dim]palatine check my_games.chess:CHESS --record[/]
      Record golden games, with which later versions are compared, and the
      examples of the game's page.
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel="Without a server")(check)


def check(
    game: Annotated[str, typer.Argument(help="MODULE:GAME, or the name of an installed game.")],
    more_games: Annotated[list[str] | None, build_game_option(WHAT)] = None,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="CHECK", help="Run only this check. Repeatable.", rich_help_panel=WHAT),
    ] = None,
    tests: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            exists=True,
            file_okay=False,
            help="Find rules that no test in this folder names with @rule(...).",
            rich_help_panel=WHAT,
        ),
    ] = None,
    golden: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            show_default="golden, beside RULES.md",
            help="The folder of the golden games.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            show_default="all",
            min=1,
            help="Play only with this number of players.",
            rich_help_panel=HOW,
        ),
    ] = None,
    seeds: Annotated[
        int, typer.Option("--seeds", "-n", min=1, help="Games of each number of players.", rich_help_panel=HOW)
    ] = 3,
    seed: Annotated[int, typer.Option("--seed", "-s", min=0, help="The first seed.", rich_help_panel=HOW)] = 0,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            show_default="one for each core",
            help="The number of processes.",
            rich_help_panel=HOW,
        ),
    ] = None,
    record: Annotated[
        bool,
        typer.Option(
            "--record", help="Record the golden games and the examples again, and check nothing.", rich_help_panel=HOW
        ),
    ] = False,
    strict: Annotated[
        bool, typer.Option("--strict", help="Let warnings fail the check too.", rich_help_panel=OUT)
    ] = False,
    lang: Language = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON and nothing else.", rich_help_panel=OUT)
    ] = False,
) -> None:
    """Load the game, run the checks and print the findings."""
    from palatine_client.render.translations import detect_language

    from ...checks.check_list import NAMES, CheckPlan
    from ..check_texts import translate
    from ..game_check import GameCheck
    from ..output import print_line
    from ..simulation_plan import fail, find_game

    language = lang or detect_language()
    chosen, source = find_game(game, more_games or [])
    for name in only or []:
        if name not in NAMES:
            fail(translate(language, "no such check", name=name, names=", ".join(NAMES)))
    if players is not None and players not in chosen.players:
        low, high = chosen.players[0], chosen.players[-1]
        fail(translate(language, "players range", title=chosen.title["en"], low=low, high=high))
    if record:
        from ...checks.golden_games import find_golden_folder, write_golden_games
        from ...checks.play_examples import write_examples

        folder = golden or find_golden_folder(chosen)
        count = len(write_golden_games(chosen, folder))
        print_line(translate(language, "recorded", count=count, folder=folder))
        print_line(translate(language, "recorded examples", file=write_examples(chosen)))
        return
    plan = CheckPlan(seeds, seed, players, frozenset(only or ()), tests, golden)
    work = GameCheck(chosen, source, plan, language)
    raise typer.Exit(work.run(jobs or os.cpu_count() or 1, as_json=as_json, is_strict=strict))
