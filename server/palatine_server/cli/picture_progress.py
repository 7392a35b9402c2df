"""The progress of a moving picture, on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from palatine_client.render.translations import Lang
from palatine_client.screen_console import ScreenConsole

from .picture_texts import translate


class PictureProgress:
    """Two bars: the moments of the game that are drawn, and the frames that are written."""

    def __init__(self, bars: Progress, lang: Lang) -> None:
        self._bars, self._lang = bars, lang
        self._moments = bars.add_task(translate(lang, "drawing"), total=None)
        self._frames = bars.add_task(translate(lang, "writing"), total=None, visible=False)

    def note_moment(self) -> None:
        """Note that a moment was drawn."""
        self._bars.advance(self._moments)

    def begin_frames(self, count: int) -> None:
        """Show the second bar; all moments are drawn."""
        drawn = next(task.completed for task in self._bars.tasks if task.id == self._moments)
        self._bars.update(self._moments, total=drawn)
        self._bars.update(self._frames, total=count, visible=True)

    def note_frame(self) -> None:
        """Note that a frame was written."""
        self._bars.advance(self._frames)


@contextmanager
def show_progress(lang: Lang) -> Iterator[PictureProgress]:
    """Show the progress on standard error, if it is a terminal."""
    console = ScreenConsole(stderr=True)
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bars:
        yield PictureProgress(bars, lang)
