"""How far a long measurement has come: a bar on a terminal, lines elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class Steps:
    """A number of steps, shown on standard error."""

    def __init__(self, total: int) -> None:
        self._console = Console(stderr=True)
        columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())
        self._bar = Progress(*columns, TextColumn("{task.description}"), console=self._console, transient=True)
        self._task = self._bar.add_task("", total=total)
        self._is_first = True

    def next(self, words: str) -> None:
        """Begin the next step, of which these words tell."""
        if not self._is_first:
            self._bar.advance(self._task)
        self._is_first = False
        self._bar.update(self._task, description=words)
        if not self._console.is_terminal:
            self._console.print(words, soft_wrap=True, highlight=False)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._bar.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        if self._console.is_terminal:
            self._bar.stop()
