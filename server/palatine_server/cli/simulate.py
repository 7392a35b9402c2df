"""The work of `palatine simulate`."""

from __future__ import annotations

import json
import os
import re
import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing
from difflib import get_close_matches
from time import perf_counter
from typing import Any, Literal, NoReturn

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
from palatine_client.screen_text import screen_json

from ..games.kit import Game, Refused, plain
from ..games.registry import SHELF
from ..simulation import Match, Outcome, Summary, digest_of, outcomes, played, seed_of, summaries

MOST_SHOWN = 3  # of more games only the last one is drawn
ENOUGH_FOR_A_JOB = 20  # games; starting a process costs about as much as a few of them


def simulate(
    game: str,
    players: str | None,
    games: int | None,
    option: list[str] | None,
    policy: str,
    seed: str,
    jobs: int | None,
    show: bool,
    lang: Literal["en", "de"],
    as_json: bool,
) -> None:
    """Read what is wanted, play it, print how it went."""
    chosen = the_game(game)
    matches = planned(chosen, players, games, seed, policy, option or [])
    workers = jobs or max(1, min(os.cpu_count() or 1, len(matches) // ENOUGH_FOR_A_JOB))
    began = perf_counter()
    results = run(chosen, matches, workers)
    if results[-1].failure:
        report_failure(results[-1])
    report = Report(game=chosen.name, processes=workers, seconds=perf_counter() - began, digest=digest_of(results))
    report.by_players = summaries(results)
    if as_json:
        typer.echo(screen_json(msgspec.json.format(msgspec.json.encode(report))))
        return
    out = ScreenConsole(highlight=False)
    if show:
        show_boards(out, chosen, matches, lang)
    show_figures(out, chosen, matches, report)


# What is wanted: whatever cannot be understood ends in one line that says what to do


def fail(sentence: str) -> NoReturn:
    """Say what to do next, and stop."""
    ScreenConsole(stderr=True, highlight=False).print(Text("✗", "red"), sentence, soft_wrap=True)
    raise typer.Exit(2)


def the_game(name: str) -> Game:
    known = name.lower().replace("-", "_")
    if known not in SHELF:
        close = get_close_matches(known, SHELF, n=1)
        fail(f"There is no game '{name}'. " + (f"Did you mean {close[0]}?" if close else f"Try {' or '.join(SHELF)}."))
    return SHELF[known]


def planned(
    game: Game, players: str | None, games: int | None, seed: str, policy: str, options: Sequence[str]
) -> list[Match]:
    """All the games that are to be played."""
    named = policies(game, policy)
    counts = numbers_of_players(game, players, named)
    wanted = checked_options(game, counts, options)
    return [
        Match(
            game=game.name,
            players=count,
            seed=each,
            policies=named * count if len(named) == 1 else named,
            options=wanted,
        )
        for count, each in seeded(counts, games, seed)
    ]


def policies(game: Game, text: str) -> list[str]:
    names = [name.strip() for name in text.split(",")]
    for name in names:
        if name not in game.policies:
            known = ", ".join(game.policies)
            fail(f"{game.title['en']} has no policy '{name}'. Use one of {known}, or one for each seat.")
    return names


def numbers_of_players(game: Game, text: str | None, named: list[str]) -> list[int]:
    """Those wanted, or all, or as many as policies are named."""
    least, most = game.players[0], game.players[-1]
    wanted = text or (f"{least}-{most}" if len(named) == 1 else str(len(named)))
    span = re.fullmatch(r"(\d+)(?:-(\d+))?", wanted)
    counts = range(int(span[1]), int(span[2] or span[1]) + 1) if span else range(0)
    if not counts or not {counts[0], counts[-1]} <= {*game.players}:
        fail(f"{game.title['en']} is for {least} to {most} players. Try --players {most} or --players {least}-{most}.")
    if len(named) > 1 and [*counts] != [len(named)]:
        fail(f"There are {len(named)} policies for {wanted} players. Name one for all, or use --players {len(named)}.")
    return [*counts]


def seeded(counts: Sequence[int], games: int | None, seed: str) -> Iterator[tuple[int, str]]:
    """The number of players and the seed of each game."""
    if re.fullmatch(r"[0-9a-fA-F]{64}", seed):
        if len(counts) > 1 or (games or 1) > 1:
            fail("64 hexadecimal digits are the seed of one game. Use --games 1 and --players with one number.")
        yield counts[0], seed.lower()
    elif re.fullmatch(r"[0-9]+", seed):
        total = games or len(counts)
        yield from ((counts[number % len(counts)], seed_of(int(seed), number)) for number in range(total))
    else:
        fail(f"'{seed}' is no seed. Use a whole number such as 1, or the 64 hexadecimal digits of one game.")


def checked_options(game: Game, counts: Sequence[int], texts: Sequence[str]) -> dict[str, Any]:
    """The options as plain data, if the game would begin with them."""
    options = dict(map(option_of, texts))
    for count in counts if options else []:
        try:
            game.begin(count, seed_of(0, 0), options)
        except Refused as refused:
            fail(f"{refused.sentence} Options are: {', '.join(game.options.__struct_fields__)}.")
    return options


def option_of(text: str) -> tuple[str, Any]:
    """Key and value; what is not JSON is taken as a word."""
    key, equals, value = text.partition("=")
    if not equals:
        fail(f"'{text}' is no option. Write --option KEY=VALUE, for example --option takeback=false.")
    try:
        return key, json.loads(value)
    except json.JSONDecodeError:
        return key, value


# Playing


def run(game: Game, matches: Sequence[Match], jobs: int) -> list[Outcome]:
    """The outcomes up to the first failure."""
    results: list[Outcome] = []
    with progress_bar() as bar, closing(outcomes(matches, jobs)) as playing:
        task = bar.add_task(game.title["en"], total=len(matches))
        for result in playing:
            results.append(result)
            bar.advance(task)
            if result.failure:
                break
    return results


def progress_bar() -> Progress:
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


def report_failure(result: Outcome) -> NoReturn:
    """Print what went wrong and the command that repeats it."""
    out = ScreenConsole(stderr=True, highlight=False)
    out.print(result.failure.rstrip(), soft_wrap=True)
    out.print(Text("\n✗", "red"), "A game did not come to its end. This command repeats it:\n", soft_wrap=True)
    out.print(command(result.match), style="bold", soft_wrap=True)
    raise typer.Exit(1)


def command(match: Match) -> str:
    """The command line that plays exactly this match."""
    policy = ",".join(match.policies if len({*match.policies}) > 1 else match.policies[:1])
    options = [word for key, value in match.options.items() for word in ("--option", f"{key}={json.dumps(value)}")]
    words = ["--players", str(match.players), "--games", "1", "--seed", match.seed, "--policy", policy, *options]
    return shlex.join(["palatine", "simulate", match.game, *words])


# Telling


class Report(msgspec.Struct, kw_only=True):
    """The figures of a run."""

    game: str
    processes: int
    seconds: float
    digest: str  # equal for equal games
    by_players: list[Summary] = []


def show_boards(out: Console, game: Game, matches: Sequence[Match], lang: str) -> None:
    """Draw the final boards; they are played once more for it."""
    for match in matches if len(matches) <= MOST_SHOWN else matches[-1:]:
        play, _ = played(match)
        seats = [f"{policy} {number}" for number, policy in enumerate(match.policies, start=1)]
        out.print(Rule(Text(game.title[lang], "bold"), characters="━"))
        out.print(render_board(game.name, plain(play.board), game.catalog, lang, seats))
        out.print(f"\n{command(match)} --show\n", style="dim", soft_wrap=True)


def show_figures(out: Console, game: Game, matches: Sequence[Match], report: Report) -> None:
    out.print(Text(f"\n{game.title['en']}\n", "bold"), lengths_and_scores(report.by_players), sep="\n")
    wins = first_places(matches[0].policies, report.by_players)
    out.print(Text("\nFirst places by seat and number of players\n", "bold"), wins, sep="\n")
    if len({*matches[0].policies}) > 1:
        show_policies(out, matches[0].policies, report.by_players[0])
    actions = sum(row.actions.mean * row.games for row in report.by_players)
    games, processes = counted(len(matches), "game", "games"), counted(report.processes, "process", "processes")
    speed = f"{actions / report.seconds:,.0f} actions per second"
    out.print(f"\n{games}, {actions:,.0f} actions in {report.seconds:,.1f} s with {processes}: {speed}.")
    out.print(f"Digest {report.digest}: the same games give the same digest.", style="dim")


def counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"


def lengths_and_scores(rows: Sequence[Summary]) -> Table:
    table = figures("Players", "Games")
    for heading in ("Actions\nmin", "\nmedian", "\nmax", "Score\nmean", "\nmin", "\nmax", "Actions\nper second"):
        table.add_column(heading, justify="right")
    for row in rows:
        actions = (f"{row.actions.least:,}", f"{row.actions.median:,.0f}", f"{row.actions.most:,}")
        scores = (f"{row.scores.mean:.1f}", f"{row.scores.least}", f"{row.scores.most}")
        table.add_row(str(row.players), f"{row.games:,}", *actions, *scores, f"{row.actions_per_second:,.0f}")
    return table


def first_places(policies: Sequence[str], rows: Sequence[Summary]) -> Table:
    """Who won how often, seat by seat; shared first places count as fractions."""
    table = figures("Seat", "Policy")
    for row in rows:
        table.add_column(str(row.players), justify="right")
    for seat in range(max(row.players for row in rows)):
        policy = policies[seat] if seat < len(policies) else policies[0]
        table.add_row(str(seat + 1), policy, *(share(row, seat) if seat < row.players else "" for row in rows))
    if any(len(row.wins) > row.players for row in rows):
        table.add_row("–", "no player", *(share(row, row.players) for row in rows))
    return table


def share(row: Summary, seat: int) -> str:
    return f"{row.wins[seat] / row.games:.1%}" if seat < len(row.wins) else ""


def show_policies(out: Console, policies: Sequence[str], row: Summary) -> None:
    """How often each policy won, and how often it would have by chance."""
    out.print()
    for policy in dict.fromkeys(policies):
        seats = [seat for seat, name in enumerate(policies) if name == policy]
        won, by_chance = sum(row.wins[seat] for seat in seats) / row.games, len(seats) / len(row.wins)
        seated = f"{len(seats)} of {row.players} seats"
        said = f": {won:.1%} of the first places with {seated} (by chance {by_chance:.1%})"
        out.print(Text.assemble((policy, "bold"), said))


def figures(*headings: str) -> Table:
    table = Table(*headings, box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for column in table.columns:
        column.vertical = "bottom"
    return table
