"""A run of the arena: it plays the schedule, asks the stop rule after each deal, and builds the report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ..games.kit import Game
from .contenders import Contender
from .match import MatchResult
from .ratings import Deal
from .report import (
    ArenaReport,
    compare_places,
    compute_digest,
    group_deals,
    list_shares,
    report_contenders,
    report_stop,
)
from .schedule import ArenaGame
from .sequential_test import SequentialTest
from .workers import ArenaSetup, run_matches, write_record

SERVER_SETTINGS = {  # of the local server, which only the arena uses
    "PALATINE_ALLOW_SEEDS": "true",
    "PALATINE_BURST": "1000000",
    "PALATINE_RATE": "1000000",
    "PALATINE_GUESTS_PER_MINUTE": "1000000",
    "PALATINE_JOINS_PER_MINUTE": "1000000",
    "PALATINE_BOT_MOVES_PER_SECOND": "10000",
    "PALATINE_BOT_MOVES_PER_USER": "10000",
    "PALATINE_PICTURE_WORKERS": "0",
}


class ArenaFailure(Exception):  # noqa: N818 (a mistake in the rules of a game)
    """A game could not be finished; the text is its traceback."""


class ArenaRun(Struct, kw_only=True):
    """Everything that determines a run."""

    game: Game
    contenders: list[Contender]
    arguments: list[int]
    games: list[ArenaGame]
    players: int
    setup: ArenaSetup
    seed: int
    jobs: int
    test: SequentialTest | None = None
    records: Path | None = None

    def play(self, advance: Callable[[], None]) -> tuple[list[MatchResult], bool]:
        """Play until the schedule ends, the stop rule decides, or the user interrupts; return whether they did."""
        results: list[MatchResult] = []
        shares: list[float] = []  # of the first contender, in each deal
        was_interrupted = False
        try:
            with self._serve_locally() as setup, closing(run_matches(setup, self.games, self.jobs)) as playing:
                for result in playing:
                    if result.failure:
                        raise ArenaFailure(result.failure)
                    results.append(result)
                    advance()
                    if len(results) % self.players == 0 and self._may_stop(self._finish_deal(results), shares):
                        break
        except KeyboardInterrupt:
            was_interrupted = True
        return results[: len(results) - len(results) % self.players], was_interrupted

    def _finish_deal(self, results: list[MatchResult]) -> Deal:
        """Write the records of the last deal, and drop them: a long run has more than fit into memory."""
        deal = results[-self.players :]
        for result in deal if self.records else ():
            assert self.records
            write_record(self.records, result)
            result.record = b""
        return deal

    def _may_stop(self, deal: Deal, shares: list[float]) -> bool:
        """Ask the stop rule after a complete deal."""
        if self.test is None:
            return False
        shares += list_shares([deal], self.arguments[0])
        return self.test.decide(shares) != "open"

    @contextmanager
    def _serve_locally(self) -> Iterator[ArenaSetup]:
        """Run a local server if a contender plays over the wire."""
        if all(contender.kind != "wire" for contender in self.contenders):
            yield self.setup
            return
        from anyio.from_thread import start_blocking_portal

        from palatine_client.cli.local_server import local_server

        sources = [self.setup.source] if self.setup.source else []
        with TemporaryDirectory() as data, start_blocking_portal() as portal:
            serving = local_server(Path(data), sources, "en", SERVER_SETTINGS)
            with portal.wrap_async_context_manager(serving) as url:
                yield replace(self.setup, url=url)

    def report(self, results: Sequence[MatchResult], advance: Callable[[float], None]) -> ArenaReport:
        """Build the report of the complete deals."""
        deals = group_deals(results, self.players)
        names = [contender.name for contender in self.contenders]
        stop = None
        if self.test:
            first = self.arguments[0]
            stop = report_stop(self.test, names[first], list_shares(deals, first))
        options: dict[str, Any] = self.game.select_options(self.setup.options)
        return ArenaReport(
            game=self.game.name,
            edition=self.game.edition,
            players=self.players,
            options=options,
            seed=self.seed,
            seconds=self.setup.seconds,
            house=self.setup.house,
            arguments=self.arguments,
            deals=len(deals),
            games=len(deals) * self.players,
            contenders=report_contenders(self.contenders, deals, self.seed, advance),
            ahead=compare_places(deals, len(names)),
            stop=stop,
            digest=compute_digest(deals),
        )
