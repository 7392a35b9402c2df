"""Data sets: games of chosen policies, verified, as one file with a data card.

The card gets its name first and the file last, each in one step and complete. So a file never stands without its card,
and a command that fails before that leaves nothing. If the process is killed between the two steps, the new card is
there without a file, or beside the old file that it was to replace; then its SHA-256 does not fit. At most a few games
are in memory at any time.
"""

from __future__ import annotations

import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future
from contextlib import closing
from hashlib import file_digest
from pathlib import Path

from msgspec import Struct

from ..job_pool import open_job_pool
from .dataset_files import open_writer
from .dataset_rows import DatasetGame, DatasetRow, ObservationKind, play_rows

AHEAD = 3  # games that each process may be ahead of the file


class PolicySummary(Struct, kw_only=True):
    """The results of one policy, summed over its seats in all games."""

    seats: int = 0
    score: int = 0
    reward: float = 0.0


class DatasetSummary(Struct, kw_only=True):
    """What a data set holds."""

    games: int = 0
    rows: int = 0
    bytes: int = 0
    digest: str = ""  # SHA-256 of the file
    most_legal: int = 0  # the most actions of one decision
    players: Counter[int] = Counter()  # the games with each number of players
    policies: dict[str, PolicySummary] = {}

    def note_game(self, rows: list[DatasetRow]) -> None:
        """Count a game."""
        self.games += 1
        self.rows += len(rows)
        self.players.update(row.players for row in rows[:1])
        self.most_legal = max([self.most_legal, *(row.legal for row in rows)])
        for row in {row.seat: row for row in rows}.values():
            summary = self.policies.setdefault(row.policy, PolicySummary())
            summary.seats, summary.score = summary.seats + 1, summary.score + row.score
            summary.reward += row.reward


class FileExists(Exception):  # noqa: N818 (a mistake of the user)
    """A file of this name is already there."""


def name_card(target: Path) -> Path:
    """Return the path of the data card of a file."""
    return target.with_name(f"{target.name}.README.md")


def write_dataset(
    games: Iterable[DatasetGame],
    target: Path,
    observation: ObservationKind,
    jobs: int,
    build_card: Callable[[DatasetSummary], str],
    advance: Callable[[], None] = lambda: None,
    *,
    force: bool = False,
) -> DatasetSummary:
    """Write the games and their data card; replace nothing unless forced to."""
    card = name_card(target)
    refuse_existing(target, card, force=force)
    card_part, part = (path.with_name(f".{path.name}.{os.getpid()}.part") for path in (card, target))
    try:
        summary = _write_rows(games, part, target.suffix, observation, jobs, advance)
        card_part.write_text(build_card(summary), encoding="utf-8")
        refuse_existing(target, card, force=force)
        card_part.replace(card)
        part.replace(target)
    finally:
        for path in (card_part, part):
            path.unlink(missing_ok=True)
    return summary


def refuse_existing(*paths: Path, force: bool) -> None:
    """Raise FileExists if one of the files is there."""
    for path in paths:
        if path.exists() and not force:
            raise FileExists(str(path))


def _write_rows(
    games: Iterable[DatasetGame],
    path: Path,
    kind: str,
    observation: ObservationKind,
    jobs: int,
    advance: Callable[[], None],
) -> DatasetSummary:
    summary = DatasetSummary(players=Counter(), policies={})
    with closing(open_writer(path, kind, observation)) as writer, closing(play_games(games, jobs)) as playing:
        for rows in playing:
            writer.write(rows)
            summary.note_game(rows)
            advance()
    summary.bytes = path.stat().st_size
    with path.open("rb") as file:
        summary.digest = file_digest(file, "sha256").hexdigest()
    return summary


def play_games(games: Iterable[DatasetGame], jobs: int) -> Generator[list[DatasetRow], None, None]:
    """Yield the rows of each game in order, played by this process or by `jobs` others."""
    if jobs == 1:
        yield from map(play_rows, games)
        return
    with open_job_pool(jobs) as pool:
        waiting: deque[Future[list[DatasetRow]]] = deque()
        for planned in games:
            waiting.append(pool.submit(play_rows, planned))
            if len(waiting) == jobs * AHEAD:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
