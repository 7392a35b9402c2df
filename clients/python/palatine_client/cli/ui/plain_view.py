"""The plain view of a table for screen readers and pipes: text without drawings, symbols and colours."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from io import StringIO

from rich.console import Console, RenderableType
from rich.text import Text

from palatine_protocol.messages import Previewed
from palatine_protocol.offers import Choice

from ...menu import Partial, Question
from ...render.text.narration import end_sentence, narrate_question, split_lines
from ...render.text.render_context import RenderContext
from ...screen_console import ScreenConsole
from ...table import Table
from ..http_api import GameInfo
from . import waiting_room
from .table_view import TableView, apply_preview

PAGE = 10_000  # characters in a line; the screen reader wraps it


def build_view(table: Table, game: GameInfo, lang: str, *, plain: bool) -> TableView:
    """Return the view of a table, plain or drawn."""
    return (PlainView if plain else TableView)(table, game, lang)


def build_console(*, plain: bool) -> Console:
    """Return the console for a view; the plain one has no colours and wraps no lines."""
    if plain:
        return ScreenConsole(highlight=False, color_system=None, soft_wrap=True)
    return ScreenConsole(highlight=False)


class PlainView(TableView):
    """The view of a table for a screen reader."""

    def scene(self) -> RenderContext:
        return replace(super().scene(), plain=True)

    def render_row(self, text: Text, number: int | None = None) -> RenderableType:
        lines = split_lines(text.plain)
        return join_lines(lines if number is None else [f"{number}. {lines[0]}", *lines[1:]])

    def render_heading(self, scene: RenderContext) -> list[RenderableType]:
        heading = self.words.render_heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Text(end_sentence(heading.plain.replace(" · ", ". ")))]

    def render_changed_boards(self, scene: RenderContext) -> list[RenderableType]:
        """Render the changes of the boards if the drawn view would show a changed one."""
        if not super().render_changed_boards(scene):
            return []
        return [Text(), join_paragraphs(self.words.narrate_changed_boards(scene, self.seen)), Text()]

    def render_clocks(self, scene: RenderContext) -> list[RenderableType]:
        return [Text(end_sentence(str(times).replace(" · ", ", "))) for times in super().render_clocks(scene)]

    def render_preview(self, previewed: Previewed) -> list[RenderableType]:
        """Render the lines that would change."""
        before = self.scene()
        known = {*self._lines(before)}
        return [join_lines([line for line in self._lines(apply_preview(previewed, before)) if line not in known])]

    def _lines(self, scene: RenderContext) -> list[str]:
        return [line for lines in self.words.narrate_board(scene) for line in lines] + [*self.words.narrate_hand(scene)]

    def render_remarks(self, scene: RenderContext) -> list[RenderableType]:
        return [join_lines([*self.words.narrate_hand(scene), ""])]

    def render_menu(
        self, asked: Question, choices: list[Choice], chosen: Partial, scene: RenderContext
    ) -> RenderableType:
        return join_lines([*narrate_question(self.words, scene, choices, asked)])

    def render_title(self, words: Text) -> RenderableType:
        return words

    # On request

    def render_all_boards(self) -> RenderableType:
        scene = self.scene()
        if not scene.board:
            return Text(self.describe_people())
        return join_paragraphs(self.words.narrate_board(scene))

    def render_hand(self) -> RenderableType:
        scene = self.scene()
        return join_lines([*self.words.narrate_hand(scene)] if scene.board else []) or Text(scene.label("no hand"))

    def render_log(self) -> list[RenderableType]:
        scene = self.scene()
        rows = [self.render_row(told, version) for version, told in self.log_lines]
        return [Text(f"{scene.label('log')}:"), *(rows or [Text(scene.label("no log"))])]

    def render_room(self) -> list[RenderableType]:
        return [join_lines(waiting_room.describe_room(self.table.info, self.table.seat, self.lang))]

    def render_help(self, groups: dict[str, dict[str, str]]) -> list[RenderableType]:
        scene = self.scene()
        game = self.words.render_help(scene) if scene.board else None
        lines = [line for title, keys in groups.items() for line in (f"{title}:", *map(": ".join, keys.items()))]
        about = [*(flatten_renderable(game) if game else []), *map(str, self.render_notice())]
        return [join_lines([*about, "", f"{scene.label('help title')}.", *lines])]

    def render_ending(self) -> RenderableType:
        scene = self.scene()
        return Text("\n\n").join([Text(str(self.render_all_boards())), Text(self.describe_result(scene))])


def flatten_renderable(what: RenderableType) -> list[str]:
    """Return a drawing as lines of text."""
    page = StringIO()
    ScreenConsole(file=page, color_system=None, width=PAGE).print(what)
    lines = (" ".join(filter(is_spoken, line.split())) for line in page.getvalue().splitlines())
    return [line for line in lines if line]


def is_spoken(word: str) -> bool:
    """Return whether a screen reader should read this word; symbols alone are left out."""
    return any(map(str.isalnum, word))


def join_paragraphs(paragraphs: Iterable[list[str]]) -> Text:
    return Text("\n\n".join("\n".join(lines) for lines in paragraphs if lines))


def join_lines(lines: list[str]) -> Text:
    return Text("\n".join(lines))
