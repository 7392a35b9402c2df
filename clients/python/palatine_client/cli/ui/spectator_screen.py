"""Looking on: news as they come, boards when there is time to look at them, and the end."""

from __future__ import annotations

from rich.text import Text

from ...table import Change
from .screen_events import Outcome
from .table_screen import Presence
from .table_view import Sight
from .terminal import Terminal


class Watching(Presence):
    """Somebody looks on at a table, and may talk to those who do so too."""

    async def stay(self) -> Outcome:
        self.say(Text(self.sight.people()))
        if self.table.view.is_late:
            self.say(Text(self.label("late", count=self.table.info.delay), "yellow"))
        if (seat := self.sight.eyes) is not None:
            self.say(Text(self.label("over the shoulder", who=self.sight.scene().name_player(seat)), "yellow"))
        return await super().stay()

    def _tell(self, change: Change) -> None:
        """What a change is worth: sentences, and the boards that changed."""
        super()._tell(change)
        scene = self.sight.scene()
        if scene.board and not self.table.is_over:
            self.say(*self.sight.heading(scene), *self.sight.boards(scene), *self.sight.shoulder(scene))
        self._prompt()


async def watch(sight: Sight, terminal: Terminal) -> None:
    """Show a table until its game is over, and the next ones if somebody likes."""
    while await (watching := Watching(sight, terminal)).stay() is Outcome.AGAIN:
        sight = sight.at(watching.next)
