"""Workers: processes that play the games of an arena, a bounded number at a time. Results come back in order."""

from __future__ import annotations

import sys
import traceback
from collections import Counter
from collections.abc import Generator, Sequence
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from msgspec import Struct

from palatine_client.bots import GameStart, load_bot
from palatine_client.bots.bot_process import BotFailure, BotProcess
from palatine_client.bots.line_protocol import PROTOCOL, BotHello, BotStart

from ..games.kit import Seat
from ..games.named_games import load_game
from ..games.registry import GAMES
from ..job_pool import open_job_pool
from .arena_table import ArenaTable
from .contenders import Contender
from .match import MatchResult, play_match
from .players import AbsentPlayer, ClassPlayer, Player, PolicyPlayer, ProcessPlayer
from .schedule import ArenaGame

MOST_STARTS = 3  # processes of a contender in a row that may fail to get ready; each may take a minute


class ArenaSetup(Struct, frozen=True, kw_only=True):
    """Everything that a worker must know besides the games."""

    game: str
    source: str = ""  # of a game that is not installed: package.module:GAME
    contenders: list[Contender]
    options: dict[str, Any] = {}
    seconds: float  # for each move
    house: str  # the policy of the house bot that plays forfeited moves
    records: bool = False  # whether the results bring their records along
    url: str = ""  # of the local server, if a contender plays over the wire
    path: list[str] = []  # the module search path


class MatchRunner:
    """Plays games one after the other. Bot processes live as long as the runner, and are replaced when they end."""

    def __init__(self, setup: ArenaSetup) -> None:
        self.setup = setup
        self._game = load_game(setup.source or setup.game, GAMES)
        self._processes: dict[tuple[int, int], BotProcess] = {}  # by contender, and by its number at a table
        self._never_ready: Counter[int] = Counter()  # by contender: the processes in a row that did not get ready

    def run(self, planned: ArenaGame) -> MatchResult:
        """Play a game; an error of the rules becomes part of its result."""
        try:
            if any(self.setup.contenders[each].kind == "wire" for each in planned.lineup):
                return self._play_over_wire(planned)
            return self._play(planned)
        except Exception:
            return MatchResult(planned=planned, failure=traceback.format_exc())

    def close(self) -> None:
        """End all bot processes."""
        for process in self._processes.values():
            process.end()
        self._processes.clear()

    def _play(self, planned: ArenaGame) -> MatchResult:
        table = ArenaTable(self._game, planned, self.setup.contenders, self.setup.options)
        players = [self._make_player(planned, seat) for seat in range(len(planned.lineup))]
        seats = play_match(table, planned, players, self.setup.house)
        return MatchResult(planned=planned, seats=seats, record=table.encode_record() if self.setup.records else b"")

    def _play_over_wire(self, planned: ArenaGame) -> MatchResult:
        from .wire_match import play_over_wire  # imports websockets

        return play_over_wire(self.setup, self._game, planned)

    # Players

    def _make_player(self, planned: ArenaGame, seat: Seat) -> Player:
        contender, seed = self.setup.contenders[planned.lineup[seat]], planned.derive(f"seat {seat}")
        seconds = self.setup.seconds
        if contender.kind == "policy":
            return PolicyPlayer(contender.what, seat, seed, seconds)
        if contender.kind == "bot":
            return ClassPlayer(load_bot(contender.what)(), self._describe_start(planned, seat), seed, seconds)
        start = BotStart(seat=seat, players=len(planned.lineup), options=self.setup.options, seconds=seconds, seed=seed)
        try:
            return ProcessPlayer(self._open_process(planned, seat), start, seconds)
        except BotFailure as failure:
            self._never_ready[planned.lineup[seat]] += 1
            return AbsentPlayer(failure)

    def _describe_start(self, planned: ArenaGame, seat: Seat) -> GameStart:
        return GameStart(
            game=self._game.name,
            seat=seat,
            players=len(planned.lineup),
            options=self.setup.options,
            seconds=self.setup.seconds,
            catalog=self._game.catalog,
        )

    def _open_process(self, planned: ArenaGame, seat: Seat) -> BotProcess:
        """Return the running process of a seat, or start one."""
        contender = planned.lineup[seat]
        key = contender, planned.lineup[:seat].count(contender)
        process = self._processes.get(key)
        if process is None or not process.is_running:
            if self._never_ready[contender] >= MOST_STARTS:
                raise BotFailure(
                    "crashed", f"{MOST_STARTS} of its processes did not get ready, so no other was started"
                )
            hello = BotHello(protocol=PROTOCOL, game=self._game.name, catalog=self._game.catalog)
            process = self._processes[key] = BotProcess(self.setup.contenders[contender].command, hello)
            self._never_ready[contender] = 0
        return process


# Many games


def run_matches(setup: ArenaSetup, games: Sequence[ArenaGame], jobs: int) -> Generator[MatchResult, None, None]:
    """Yield the results of these games in order, played by this process or by `jobs` others."""
    if jobs == 1:
        runner = MatchRunner(setup)
        try:
            yield from map(runner.run, games)
        finally:
            runner.close()
        return
    with open_job_pool(jobs, _open_runner, setup) as pool:
        yield from pool.map(_run, games)


_runners: list[MatchRunner] = []  # the one of this worker process


def _open_runner(setup: ArenaSetup) -> None:
    """Prepare a worker process."""
    sys.path[:] = setup.path
    runner = MatchRunner(setup)
    _runners.append(runner)
    Finalize(runner, runner.close, exitpriority=1)


def _run(planned: ArenaGame) -> MatchResult:
    return _runners[0].run(planned)


def write_record(folder: Path, result: MatchResult) -> None:
    """Write the record of a game into a folder, which is made if necessary."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{result.planned.name}.palatine").write_bytes(result.record)
