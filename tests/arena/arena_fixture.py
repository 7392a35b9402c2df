"""Runs of the arena for tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from palatine_server.arena.contenders import read_lineup
from palatine_server.arena.match import MatchResult
from palatine_server.arena.report import ArenaReport
from palatine_server.arena.run import ArenaRun
from palatine_server.arena.schedule import plan_games
from palatine_server.arena.sequential_test import SequentialTest
from palatine_server.arena.workers import ArenaSetup
from palatine_server.games.named_games import load_game
from palatine_server.games.registry import GAMES

HOSTILE = Path(__file__).parent.parent / "clients" / "bots" / "hostile_bot.py"
SPICES = "spice_market:SPICE_MARKET"  # a small game, which is quick to play
BOTS = "arena.arena_bots"


def process(mode: str) -> str:
    return f"{mode}={sys.executable} {HOSTILE} {mode}"


def make_run(
    contenders: Sequence[str],
    game: str = SPICES,
    players: int = 2,
    games: int = 2,
    seed: int = 1,
    jobs: int = 1,
    seconds: float = 20.0,
    records: Path | None = None,
    test: SequentialTest | None = None,
    options: dict[str, Any] | None = None,
) -> ArenaRun:
    """Return a run as the command plans it."""
    chosen = load_game(game, GAMES)
    known, arguments = read_lineup(contenders, chosen)
    setup = ArenaSetup(
        game=chosen.name,
        source=game if ":" in game else "",
        contenders=known,
        options=options or {},
        seconds=seconds,
        house="random",
        records=records is not None,
        path=sys.path,
    )
    return ArenaRun(
        game=chosen,
        contenders=known,
        arguments=arguments,
        games=plan_games(arguments, players, games, seed),
        players=players,
        setup=setup,
        seed=seed,
        jobs=jobs,
        test=test,
        records=records,
    )


def play(run: ArenaRun) -> tuple[ArenaReport, list[MatchResult]]:
    """Play a run, and return its report and its results."""
    results, was_interrupted = run.play(lambda: None)
    assert not was_interrupted
    return run.report(results, lambda part: None), results
