"""`palatine arena`: let contenders play many games, and print how strong each of them is."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from ...arena.report import ArenaReport, ContenderTimes
    from ...arena.run import ArenaRun
    from ...arena.sequential_test import SequentialTest
    from ...games.kit import Game

HELP = """
Let contenders play many games, and print how strong each of them is.

Every deal is played in all seat rotations, so that luck cancels out. All intervals are 95 % intervals.
A contender that is late, crashes or answers nonsense forfeits the move: a house bot plays it, and the report counts it.

[bold not dim]Contenders[/]
  [green not dim]random  greedy  strong  expert[/]  a policy of the game
  [green not dim]my_bot.bot:MyBot[/]                a bot class, in this process
  [green not dim]"python -m my_bot"[/]              a bot process: JSON lines over stdio
  [green not dim]"./bot {url} {token} {table}"[/]   a bot process over the wire
  [green not dim]mine="python -m my_bot"[/]         any of them, with a name of your own
A contender that is named several times takes several seats.

[bold not dim]Examples[/]
  [green not dim]palatine arena strong greedy random --game palais_royal[/]
      Three policies at tables of three.

  [green not dim]palatine arena my_bot.bot:MyBot greedy greedy --game noblemen[/]
      How many fair shares does my bot win among two greedy ones?

  [green not dim]palatine arena strong greedy --game noblemen -p 4 --stop 1:1.2[/]
      Two seats for each, and only until it is clear.

  [green not dim]palatine arena strong greedy --game palais_royal --plot a.svg[/]
      With a plot. Add --records FOLDER for all games, --json for programs.
"""
SEED_BITS = 63  # of a seed that nobody chose: no bot can guess it and know the cards of the others
MOST_SHARES = 100.0
WHAT, HOW, OUT = "What is played", "How it is played", "What you get"


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP, rich_help_panel="Without a server")(arena)


def arena(
    contenders: Annotated[list[str], typer.Argument(metavar="CONTENDER...", help="Who plays; see above.")],
    game: Annotated[
        str,
        typer.Option("--game", "-g", metavar="GAME", help="An installed game, or MODULE:GAME.", rich_help_panel=WHAT),
    ],
    games: Annotated[
        int,
        typer.Option(
            "--games",
            "-n",
            metavar="NUMBER",
            min=1,
            max=1_000_000,
            help="The number of games, rounded up to whole deals.",
            rich_help_panel=WHAT,
        ),
    ] = 200,
    players: Annotated[
        int | None,
        typer.Option(
            "--players",
            "-p",
            metavar="N",
            show_default="as many as contenders, if the game allows it",
            help="The number of seats. Fewer contenders take several each; more take turns.",
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
    seconds: Annotated[
        float,
        typer.Option(min=0.001, max=3600, metavar="SECONDS", help="The time for each move.", rich_help_panel=HOW),
    ] = 5.0,
    house: Annotated[
        str,
        typer.Option(metavar="POLICY", help="The house bot that plays forfeited moves.", rich_help_panel=HOW),
    ] = "random",
    stop: Annotated[
        str | None,
        typer.Option(
            "--stop",
            metavar="LOW:HIGH",
            show_default=False,
            help="Stop as soon as it is clear whether the first contender wins LOW or HIGH fair shares (SPRT, 5 % "
            "errors), for example 1:1.2.",
            rich_help_panel=HOW,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            "-s",
            metavar="NUMBER",
            min=0,
            show_default="a new one, which the report names",
            help="The same seed gives the same deals, seats, games and report.",
            rich_help_panel=HOW,
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            "--jobs",
            "-j",
            metavar="NUMBER",
            min=1,
            max=256,
            show_default="one for each core",
            help="The number of processes; the games do not depend on it.",
            rich_help_panel=HOW,
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE.svg", show_default=False, help="Draw the result.", rich_help_panel=OUT),
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="Draw on dark paper.", rich_help_panel=OUT)] = False,
    records: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER",
            show_default=False,
            help="Write a record of each game, which `palatine verify` checks.",
            rich_help_panel=OUT,
        ),
    ] = None,
    lang: Annotated[
        Literal["en", "de"], typer.Option("--lang", help="The language of the report.", rich_help_panel=OUT)
    ] = "en",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the figures as JSON and nothing else.", rich_help_panel=OUT)
    ] = False,
) -> None:
    """Plan the games, play them, and print the report."""
    from importlib.util import find_spec
    from time import perf_counter

    from msgspec.structs import replace

    from palatine_client.game_option import list_named_games
    from palatine_client.screen_text import screen_json

    from ...arena.report import encode_report
    from ..simulation_plan import fail, find_game

    if find_spec("openskill") is None:
        fail("palatine arena needs openskill: pip install 'palatine[arena]'")
    chosen, source = find_game(game, list_named_games())
    run = plan_run(chosen, source, contenders, games, players, option or [], seconds, house, seed, jobs)
    run.test, run.records = read_stop(stop), records
    run.setup = replace(run.setup, records=records is not None)
    began = perf_counter()
    report, times, was_interrupted = play_run(run, lang)
    title = chosen.title.get(lang, chosen.title["en"])
    if plot:
        write_plot(plot, report, title, lang, dark)
    if as_json:
        typer.echo(screen_json(encode_report(report)), nl=False)
    else:
        print_result(run, report, times, title, perf_counter() - began, was_interrupted, lang)
    raise typer.Exit(130 if was_interrupted else 0)


def plan_run(
    game: Game,
    source: str,
    texts: list[str],
    games: int,
    players: int | None,
    options: list[str],
    seconds: float,
    house: str,
    seed: int | None,
    jobs: int | None,
) -> ArenaRun:
    """Return the run that the options ask for, or end the command with a sentence that says what to do."""
    import sys
    from secrets import randbits

    from ...arena.contenders import BadContender, read_lineup
    from ...arena.run import ArenaRun
    from ...arena.schedule import plan_games
    from ...arena.workers import ArenaSetup
    from ..simulation_plan import fail, parse_options, parse_policies

    try:
        contenders, arguments = read_lineup(texts, game)
    except BadContender as why:
        fail(str(why))
    seats = choose_seats(game, len(arguments), players)
    wanted = parse_options(game, [seats], options)
    parse_policies(game, house)
    chosen = randbits(SEED_BITS) if seed is None else seed
    planned = plan_games(arguments, seats, games, chosen)
    setup = ArenaSetup(
        game=game.name,
        source=source,
        contenders=contenders,
        options=wanted,
        seconds=seconds,
        house=house,
        path=sys.path,
    )
    return ArenaRun(
        game=game,
        contenders=contenders,
        arguments=arguments,
        games=planned,
        players=seats,
        setup=setup,
        seed=chosen,
        jobs=min(jobs or os.cpu_count() or 1, len(planned)),
    )


def choose_seats(game: Game, contenders: int, players: int | None) -> int:
    """Return the number of seats: as given, or as close to the number of contenders as the game allows."""
    from ..simulation_plan import fail

    least, most = game.players[0], game.players[-1]
    if players is not None and players not in game.players:
        fail(f"{game.title['en']} is for {least} to {most} players. Try --players {most}.")
    return players or max(least, min(most, contenders))


def read_stop(text: str | None) -> SequentialTest | None:
    """Return the stop rule that the user wants."""
    from ...arena.sequential_test import SequentialTest
    from ..simulation_plan import fail

    if text is None:
        return None
    try:
        low, high = map(float, text.split(":"))
    except ValueError:
        fail(f"'{text}' is no stop rule. Write LOW:HIGH in fair shares, for example --stop 1:1.2.")
    if not 0 <= low < high <= MOST_SHARES:
        fail(f"The stop rule needs 0 <= LOW < HIGH <= {MOST_SHARES}, for example --stop 1:1.2.")
    return SequentialTest(low=low, high=high)


def play_run(run: ArenaRun, lang: Literal["en", "de"]) -> tuple[ArenaReport, list[ContenderTimes], bool]:
    """Play behind a progress bar; return the report, the times, and whether the user interrupted it."""
    from concurrent.futures.process import BrokenProcessPool

    from ...arena.report import group_deals, report_times
    from ...arena.run import ArenaFailure
    from ...arena.texts import say
    from ..simulation_plan import fail
    from ..simulation_report import create_progress_bar

    with create_progress_bar() as bar:
        task = bar.add_task(say("playing", lang), total=len(run.games))
        try:
            results, was_interrupted = run.play(lambda: bar.advance(task))
        except ArenaFailure as failure:
            fail(f"A game did not come to its end; --seed {run.seed} --jobs 1 repeats it.\n{failure}")
        except BrokenProcessPool:
            fail('A process of the arena ended, probably in a bot class. Run the bot as a process: "python -m ..."')
        if not results:
            fail("No deal was finished.")
        bar.update(task, description=say("rating work", lang), total=1.0, completed=0.0)
        report = run.report(results, lambda part: bar.advance(task, part))
    deals = group_deals(results, run.players)
    return report, [report_times(deals, number) for number in range(len(run.contenders))], was_interrupted


def write_plot(file: Path, report: ArenaReport, title: str, lang: Literal["en", "de"], dark: bool) -> None:
    """Write the plot."""
    from ...arena.plot import draw_plot

    file.write_text(draw_plot(report, title, lang, "dark" if dark else "light"), encoding="utf-8")


def print_result(
    run: ArenaRun,
    report: ArenaReport,
    times: list[ContenderTimes],
    title: str,
    seconds: float,
    was_interrupted: bool,
    lang: Literal["en", "de"],
) -> None:
    """Print the report for people."""
    from palatine_client.screen_console import ScreenConsole

    from ...arena.screen import print_report
    from ...arena.texts import format_processes, say

    out = ScreenConsole(highlight=False)
    print_report(out, title, report, times, lang)
    if was_interrupted:
        out.print(say("interrupted", lang), style="yellow")
    took = f"{seconds:,.0f} s" if seconds < 120 else f"{seconds / 60:,.1f} min"
    out.print(
        say("took", lang, took=took, jobs=format_processes(run.jobs, lang), digest=report.digest),
        style="dim",
        soft_wrap=True,
    )
    if run.records:
        example = run.records / f"{run.games[0].name}.palatine"
        out.print(say("records", lang, folder=run.records, file=example), style="dim", markup=False, soft_wrap=True)
