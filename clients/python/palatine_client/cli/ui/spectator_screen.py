"""The screen of a spectator: news, changed boards, and the result."""

from __future__ import annotations

from rich.text import Text

from ...table import Change
from .screen_events import Outcome
from .table_screen import TableScreen
from .table_view import TableView
from .terminal import Terminal


class SpectatorScreen(TableScreen):
    """Shows a table to a spectator, who may chat with other spectators."""

    async def stay(self) -> Outcome:
        self.say(Text(self.view.describe_people()))
        if self.table.view.is_delayed:
            self.say(Text(self.label("late", count=self.table.info.delay), "yellow"))
        if (seat := self.view.viewed_seat) is not None:
            self.say(Text(self.label("over the shoulder", who=self.view.scene().name_player(seat)), "yellow"))
        return await super().stay()

    def _show_change(self, change: Change) -> None:
        """Print the news of a change and the boards that it changed."""
        super()._show_change(change)
        scene = self.view.scene()
        if scene.board and not self.table.is_over:
            self.say(
                *self.view.render_heading(scene),
                *self.view.render_changed_boards(scene),
                *self.view.render_watched_hand(scene),
            )
        self._update_prompt()


async def show_to_spectator(view: TableView, terminal: Terminal) -> None:
    """Show a table until its game is over, and then each rematch that the spectator wants to see."""
    while await (watching := SpectatorScreen(view, terminal)).stay() is Outcome.AGAIN:
        view = view.for_table(watching.next)
