"""The report of a simulation: a progress bar, the final boards, and tables of figures."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from contextlib import closing
from typing import NoReturn

import msgspec
import typer
from rich import box
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from palatine_client.render.terminal import render_board
from palatine_client.screen_console import ScreenConsole

from ..games.kit import Game, plain
from ..simulation import Match, MatchOutcome, SimulationSummary, play_match, run_matches

MOST_SHOWN = 3  # boards; after more games, only the last board is shown


def play_matches(game: Game, matches: Sequence[Match], jobs: int) -> list[MatchOutcome]:
    """Play the matches behind a progress bar; return the outcomes up to the first failure."""
    results: list[MatchOutcome] = []
    with create_progress_bar() as bar, closing(run_matches(matches, jobs)) as playing:
        task = bar.add_task(game.title["en"], total=len(matches))
        for result in playing:
            results.append(result)
            bar.advance(task)
            if result.failure:
                break
    return results


def create_progress_bar() -> Progress:
    console = ScreenConsole(stderr=True)
    columns = (
        TextColumn("[bold]{task.description}"),
        BarColumn(bar_width=None),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("[dim]left"),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


def report_failure(result: MatchOutcome) -> NoReturn:
    """Print the failure, and the command that repeats the match."""
    out = ScreenConsole(stderr=True, highlight=False)
    out.print(result.failure.rstrip(), soft_wrap=True)
    out.print(Text("\n✗", "red"), "A game did not come to its end. This command repeats it:\n", soft_wrap=True)
    out.print(format_command(result.match), style="bold", soft_wrap=True)
    raise typer.Exit(1)


def format_command(match: Match) -> str:
    """Return the command line that plays exactly this match."""
    policy = ",".join(match.policies if len({*match.policies}) > 1 else match.policies[:1])
    options = [word for key, value in match.options.items() for word in ("--option", f"{key}={json.dumps(value)}")]
    words = ["--players", str(match.players), "--games", "1", "--seed", match.seed, "--policy", policy, *options]
    return shlex.join(["palatine", "simulate", match.source or match.game, *words])


class SimulationReport(msgspec.Struct, kw_only=True):
    """The figures of a run, as --json prints them."""

    game: str
    processes: int
    seconds: float
    digest: str  # a checksum of the final boards
    by_players: list[SimulationSummary] = []


def print_boards(out: Console, game: Game, matches: Sequence[Match], lang: str) -> None:
    """Play the matches again, and print their final boards."""
    for match in matches if len(matches) <= MOST_SHOWN else matches[-1:]:
        play, _ = play_match(match)
        seats = [f"{policy} {number}" for number, policy in enumerate(match.policies, start=1)]
        out.print(Rule(Text(game.title.get(lang, game.title["en"]), "bold"), characters="━"))
        out.print(render_board(game.name, plain(play.board), game.catalog, lang, seats, game.description))
        out.print(f"\n{format_command(match)} --show\n", style="dim", soft_wrap=True)


def print_figures(out: Console, game: Game, matches: Sequence[Match], report: SimulationReport) -> None:
    out.print(Text(f"\n{game.title['en']}\n", "bold"), build_score_table(report.by_players), sep="\n")
    wins = build_win_table(matches[0].policies, report.by_players)
    out.print(Text("\nFirst places by seat and number of players\n", "bold"), wins, sep="\n")
    if len({*matches[0].policies}) > 1:
        print_policies(out, matches[0].policies, report.by_players[0])
    actions = sum(row.actions.mean * row.games for row in report.by_players)
    games, processes = (
        format_count(len(matches), "game", "games"),
        format_count(report.processes, "process", "processes"),
    )
    speed = f"{actions / report.seconds:,.0f} actions per second"
    out.print(f"\n{games}, {actions:,.0f} actions in {report.seconds:,.1f} s with {processes}: {speed}.")
    out.print(f"Digest {report.digest}: the same games give the same digest.", style="dim")


def format_count(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def build_score_table(rows: Sequence[SimulationSummary]) -> Table:
    table = create_table("Players", "Games")
    for heading in ("Actions\nmin", "\nmedian", "\nmax", "Score\nmean", "\nmin", "\nmax", "Actions\nper second"):
        table.add_column(heading, justify="right")
    for row in rows:
        actions = (f"{row.actions.least:,}", f"{row.actions.median:,.0f}", f"{row.actions.most:,}")
        scores = (f"{row.scores.mean:.1f}", f"{row.scores.least}", f"{row.scores.most}")
        table.add_row(str(row.players), f"{row.games:,}", *actions, *scores, f"{row.actions_per_second:,.0f}")
    return table


def build_win_table(policies: Sequence[str], rows: Sequence[SimulationSummary]) -> Table:
    """Build a table of wins by seat; shared first places count as fractions."""
    table = create_table("Seat", "Policy")
    for row in rows:
        table.add_column(str(row.players), justify="right")
    for seat in range(max(row.players for row in rows)):
        policy = policies[seat] if seat < len(policies) else policies[0]
        table.add_row(str(seat + 1), policy, *(format_share(row, seat) if seat < row.players else "" for row in rows))
    if any(len(row.wins) > row.players for row in rows):
        table.add_row("–", "no player", *(format_share(row, row.players) for row in rows))
    return table


def format_share(row: SimulationSummary, seat: int) -> str:
    return f"{row.wins[seat] / row.games:.1%}" if seat < len(row.wins) else ""


def print_policies(out: Console, policies: Sequence[str], row: SimulationSummary) -> None:
    """Print how often each policy won, and how often it would have won by chance."""
    out.print()
    for policy in dict.fromkeys(policies):
        seats = [seat for seat, name in enumerate(policies) if name == policy]
        won, by_chance = sum(row.wins[seat] for seat in seats) / row.games, len(seats) / len(row.wins)
        seated = f"{len(seats)} of {row.players} seats"
        result = f": {won:.1%} of the first places with {seated} (by chance {by_chance:.1%})"
        out.print(Text.assemble((policy, "bold"), result))


def create_table(*headings: str) -> Table:
    table = Table(*headings, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in table.columns:
        column.vertical = "bottom"
    return table
