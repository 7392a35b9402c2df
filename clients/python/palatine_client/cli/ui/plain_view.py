"""A table in nothing but words, for those who hear it and for pipes: no pictures, no signs, no colours."""

from __future__ import annotations

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
from ..http_api import Game
from . import waiting_room
from .table_view import Sight, after

PAGE = 10_000  # characters in a line: whoever reads it breaks it


def sight_of(table: Table, game: Game, lang: str, *, plain: bool) -> Sight:
    """How somebody would like to see a table."""
    return (PlainSight if plain else Sight)(table, game, lang)


def console_of(*, plain: bool) -> Console:
    """Where it is printed; words alone need no colours, and lines are broken by whoever reads them."""
    if plain:
        return ScreenConsole(highlight=False, color_system=None, soft_wrap=True)
    return ScreenConsole(highlight=False)


class PlainSight(Sight):
    """A table that is read aloud."""

    def scene(self) -> RenderContext:
        return replace(super().scene(), plain=True)

    def row(self, text: Text, number: int | None = None) -> RenderableType:
        lines = split_lines(text.plain)
        return words(lines if number is None else [f"{number}. {lines[0]}", *lines[1:]])

    def heading(self, scene: RenderContext) -> list[RenderableType]:
        heading = self.words.render_heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Text(end_sentence(heading.plain.replace(" · ", ". ")))]

    def boards(self, scene: RenderContext) -> list[RenderableType]:
        """Everything that lies open, whenever somebody who sees would look at a part of it."""
        return [Text(), self.all_boards(), Text()] if super().boards(scene) else []

    def clocks(self, scene: RenderContext) -> list[RenderableType]:
        return [Text(end_sentence(str(times).replace(" · ", ", "))) for times in super().clocks(scene)]

    def preview(self, previewed: Previewed) -> list[RenderableType]:
        """Those lines that would be others."""
        before = self.scene()
        known = {*self._lines(before)}
        return [words([line for line in self._lines(after(previewed, before)) if line not in known])]

    def _lines(self, scene: RenderContext) -> list[str]:
        return [line for lines in self.words.narrate_board(scene) for line in lines] + [*self.words.narrate_hand(scene)]

    def remarks(self, scene: RenderContext) -> list[RenderableType]:
        return [words([*self.words.narrate_hand(scene), ""])]

    def menu(self, asked: Question, choices: list[Choice], chosen: Partial, scene: RenderContext) -> RenderableType:
        return words([*narrate_question(self.words, scene, choices, asked)])

    def title(self, words: Text) -> RenderableType:
        return words

    # What somebody asks to see

    def all_boards(self) -> RenderableType:
        scene = self.scene()
        if not scene.board:
            return Text(self.people())
        return Text("\n\n".join("\n".join(lines) for lines in self.words.narrate_board(scene)))

    def hand(self) -> RenderableType:
        scene = self.scene()
        return words([*self.words.narrate_hand(scene)] if scene.board else []) or Text(scene.label("no hand"))

    def log(self) -> list[RenderableType]:
        scene = self.scene()
        rows = [self.row(told, version) for version, told in self.told]
        return [Text(f"{scene.label('log')}:"), *(rows or [Text(scene.label("no log"))])]

    def room(self) -> list[RenderableType]:
        return [words(waiting_room.told(self.table.info, self.table.seat, self.lang))]

    def help(self, groups: dict[str, dict[str, str]]) -> list[RenderableType]:
        scene = self.scene()
        game = self.words.render_help(scene) if scene.board else None
        lines = [line for title, keys in groups.items() for line in (f"{title}:", *map(": ".join, keys.items()))]
        about = [*(in_lines(game) if game else []), *map(str, self.notice())]
        return [words([*about, "", f"{scene.label('help title')}.", *lines])]

    def ending(self) -> RenderableType:
        scene = self.scene()
        return Text("\n\n").join([Text(str(self.all_boards())), Text(self.result(scene))])


def in_lines(what: RenderableType) -> list[str]:
    """Something that was made to be looked at, as lines of text."""
    page = StringIO()
    ScreenConsole(file=page, color_system=None, width=PAGE).print(what)
    lines = (" ".join(filter(is_spoken, line.split())) for line in page.getvalue().splitlines())
    return [line for line in lines if line]


def is_spoken(word: str) -> bool:
    """Whether somebody would read it aloud; signs alone are for the eye."""
    return any(map(str.isalnum, word))


def words(lines: list[str]) -> Text:
    return Text("\n".join(lines))
