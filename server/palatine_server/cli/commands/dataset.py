"""`palatine dataset`: write verified games of bots to a file, for learners."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from palatine_client.game_option import build_game_option

if TYPE_CHECKING:
    from ...environments.dataset import DatasetSummary
    from ...environments.dataset_rows import DatasetGame, ObservationKind
    from ...games.kit import Game
    from ...simulation import Match

HELP = """
Write verified games of bots to a file, for learners.

Each row is a decision: what the seat saw, how many actions were legal, which it chose, and how the game ended.
Every game is played a second time from its rows, and must be the same.
The file and its data card appear when both are complete. The same seed gives the same bytes.

[bold not dim]Examples[/]
  [green not dim]palatine dataset palais_royal --games 1000 -o royal.parquet[/]
      A thousand games of greedy bots, with every number of players in turn.

  [green not dim]palatine dataset noblemen --policies strong,greedy,random -o mixed.jsonl[/]
      Three policies, which move on by one seat from game to game.

  [green not dim]palatine dataset palais_royal --observation tensor -o tensors.parquet[/]
      What the seats see as numbers, as the environments of learners have it.
"""
WHAT, HOW, OUT = "What is played", "How it is played", "What you get"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel="Without a server")(dataset)


def dataset(
    game: Annotated[str, typer.Argument(help="The name of an installed game, or MODULE:GAME.")],
    output: Annotated[
        Path,
        typer.Option("--output", "-o", metavar="FILE", help="A name that ends in .parquet or .jsonl."),
    ],
    more_games: Annotated[list[str] | None, build_game_option(WHAT)] = None,
    players: Annotated[
        str | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N|N-M",
            show_default="as many as --policies names, or all",
            help="The number of players; games take turns through a range.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", "-n", metavar="NUMBER", min=1, max=10_000_000, help="The number of games.", rich_help_panel=WHAT
        ),
    ] = 100,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--option",
            metavar="KEY=VALUE",
            show_default=False,
            help="An option of the game, its value as JSON; may be repeated.",
            rich_help_panel=WHAT,
        ),
    ] = None,
    policies: Annotated[
        str,
        typer.Option(
            metavar="NAME[,NAME...]",
            show_default="the usual house bot",
            help="How the bots play: one policy for all, or one for each seat.",
            rich_help_panel=HOW,
        ),
    ] = "",
    seed: Annotated[
        int, typer.Option("--seed", "-s", metavar="NUMBER", min=0, help="The seed.", rich_help_panel=HOW)
    ] = 1,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            min=1,
            max=1024,
            show_default="one for each core",
            help="The number of processes; the file does not depend on it.",
            rich_help_panel=HOW,
        ),
    ] = None,
    observation: Annotated[
        Literal["document", "tensor", "text"],
        typer.Option(help="What the seat saw, as JSON, as numbers or in words.", rich_help_panel=OUT),
    ] = "document",
    lang: Annotated[
        Literal["en", "de"], typer.Option(help="The language of --observation text.", rich_help_panel=OUT)
    ] = ("en"),
    licence: Annotated[
        str, typer.Option(metavar="NAME", help="The licence that the data card names.", rich_help_panel=OUT)
    ] = "MIT",
    force: Annotated[
        bool, typer.Option("--force", help="Replace an existing file and its card.", rich_help_panel=OUT)
    ] = False,
) -> None:
    """Plan the games, play them, and write the file and its card."""
    from ...environments.data_card import CardFacts, build_card
    from ..simulation_plan import find_game, parse_options, parse_players, parse_policies

    require_libraries(output, observation)
    chosen, source = find_game(game, more_games or [])
    named = parse_policies(chosen, policies or chosen.usual_policy)
    counts, wanted = parse_players(chosen, players, named), list(option or [])
    options = parse_options(chosen, counts, wanted)
    plan = plan_games(chosen, source, counts, named, options, games, seed, observation, lang)
    command = format_command(
        source or chosen.name, output, counts, named, wanted, games, seed, observation, lang, licence
    )
    facts = CardFacts(game=chosen, target=output, observation=observation, licence=licence, command=command)
    workers = min(jobs or os.cpu_count() or 1, games)
    summary = write_behind_bar(plan, games, output, observation, workers, lambda done: build_card(facts, done), force)
    print_summary(output, summary)


def require_libraries(output: Path, observation: ObservationKind) -> None:
    """End the command with a sentence that says what to do if the file cannot be written."""
    from importlib.util import find_spec

    from ..simulation_plan import fail

    if output.suffix not in (".parquet", ".jsonl"):
        fail(f"'{output}' is neither Parquet nor JSON lines. Let its name end in .parquet or .jsonl.")
    if not output.parent.is_dir():
        fail(f"There is no folder '{output.parent}'.")
    if output.suffix == ".parquet" and find_spec("pyarrow") is None:
        fail("Parquet needs pyarrow: pip install 'palatine[parquet]'. JSON lines need nothing: -o FILE.jsonl")
    if observation == "tensor" and find_spec("numpy") is None:
        fail("--observation tensor needs numpy: pip install 'palatine[rl]'")


def plan_games(
    game: Game,
    source: str,
    counts: list[int],
    policies: list[str],
    options: dict[str, object],
    games: int,
    seed: int,
    observation: ObservationKind,
    lang: str,
) -> Iterator[DatasetGame]:
    """Yield the games; from game to game, the policies move on by one seat."""
    from ...environments.dataset_rows import DatasetGame
    from ...simulation import Match, derive_seed

    for number in range(games):
        players = counts[number % len(counts)]
        seated = policies * players if len(policies) == 1 else policies
        turn = number % players
        match: Match = Match(
            game=game.name,
            source=source,
            players=players,
            seed=derive_seed(seed, number),
            policies=[*seated[turn:], *seated[:turn]],
            options=options,
        )
        yield DatasetGame(number=number, match=match, observation=observation, lang=lang)


def format_command(
    game: str,
    output: Path,
    counts: list[int],
    policies: list[str],
    options: list[str],
    games: int,
    seed: int,
    observation: str,
    lang: str,
    licence: str,
) -> str:
    """Return the command that writes the same file, with everything that determines it."""
    import shlex

    span = f"{counts[0]}-{counts[-1]}" if len(counts) > 1 else str(counts[0])
    words = ["--policies", ",".join(policies), "--players", span, "--games", str(games), "--seed", str(seed)]
    words += [word for each in options for word in ("--option", each)]
    words += ["--observation", observation, *(["--lang", lang] if observation == "text" else [])]
    return shlex.join(["palatine", "dataset", game, *words, "--licence", licence, "-o", output.name])


def write_behind_bar(
    plan: Iterator[DatasetGame],
    games: int,
    output: Path,
    observation: ObservationKind,
    jobs: int,
    card: Callable[[DatasetSummary], str],
    force: bool,
) -> DatasetSummary:
    """Write the file behind a progress bar."""
    from concurrent.futures.process import BrokenProcessPool

    from ...environments.dataset import FileExists, write_dataset
    from ...environments.dataset_rows import BadRows
    from ..simulation_plan import fail
    from ..simulation_report import create_progress_bar

    with create_progress_bar() as bar:
        task = bar.add_task(output.name, total=games)
        try:
            return write_dataset(plan, output, observation, jobs, card, lambda: bar.advance(task), force=force)
        except FileExists as there:
            fail(f"'{there}' exists. Use --force to replace it, or another name.")
        except (BadRows, BrokenProcessPool) as why:
            fail(f"Nothing was written: {why}")
        except OSError as why:
            fail(f"The file cannot be written: {why}")


def print_summary(output: Path, summary: DatasetSummary) -> None:
    """Print what was written."""
    from palatine_client.screen_console import ScreenConsole

    from ...environments.dataset import name_card

    out = ScreenConsole(highlight=False)
    size = f"{summary.rows:,} decisions of {summary.games:,} games, {summary.bytes:,} bytes"
    out.print(f"{output}: {size}", soft_wrap=True, markup=False)
    out.print(f"{name_card(output)}: the data card", soft_wrap=True, markup=False)
    out.print(f"SHA-256 {summary.digest}: the same command gives the same bytes.", style="dim", soft_wrap=True)
