"""`make strengths`: how strong the house bots are among greedy ones, with 95 % intervals, as a table for BOTS.md.

Every row is a run of `palatine arena` with duplicate deals. Wins are in fair shares: 1 means as many as by chance.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from palatine_server.games.registry import GAMES

POLICIES = ("strong", "expert")
TABLES = {"between_two_castles": (2, 3, 4, 7), "palais_royal": (2, 3, 4), "noblemen": (3, 4, 5)}
USUAL_NUMBER, QUICK_NUMBER = 200, 24  # of games of each row, rounded up to whole deals
PATIENCE = "3600"  # seconds for a move: on a busy machine the bots decide as on a free one
HEAD = "| game | players | bot | wins in fair shares | part of all games | games |\n|---|---|---|---|---|---|"


def bot_strengths(
    quick: Annotated[bool, typer.Option("--quick", help="Few games: wide intervals.")] = False,
    games: Annotated[int, typer.Option(min=1, help="The number of games of each row.")] = USUAL_NUMBER,
    game: Annotated[list[str] | None, typer.Option(help="Only these games.")] = None,
    players: Annotated[list[int] | None, typer.Option(help="Only these numbers of players.")] = None,
    policy: Annotated[list[str] | None, typer.Option(help="Only these bots.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same games.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="The number of processes.")] = os.cpu_count() or 1,
) -> None:
    """Measure the house bots, and print a table."""
    typer.echo(HEAD)
    for name in game or TABLES:
        for seats in players or TABLES[name]:
            for each in policy or POLICIES:
                row = measure(name, seats, each, QUICK_NUMBER if quick else games, seed, jobs)
                typer.echo(f"| {GAMES[name].title['en']} | {seats} | `{each}` | {format_row(row, seats)} |")


def measure(game: str, players: int, policy: str, games: int, seed: int, jobs: int) -> Any:
    """Let one bot play among greedy ones; return its row of the report."""
    arena = Path(sys.executable).with_name("palatine")
    lineup = [policy, *(players - 1) * ["greedy"]]
    options = ["--game", game, "--games", str(games), "--seed", str(seed), "--jobs", str(jobs), "--seconds", PATIENCE]
    run = subprocess.run([arena, "arena", *lineup, *options, "--json"], check=True, capture_output=True)
    return next(row for row in json.loads(run.stdout)["contenders"] if row["name"] == policy)


def format_row(row: Any, players: int) -> str:
    """Return the shares with their interval, the part of all games, and the number of games."""
    share = row["share"]
    interval = "" if share["low"] is None else f" ({share['low']:.2f}–{share['high']:.2f})"
    return f"{share['value']:.2f}{interval} | {100 * share['value'] / players:.0f} % | {row['games']}"


if __name__ == "__main__":
    typer.run(bot_strengths)
