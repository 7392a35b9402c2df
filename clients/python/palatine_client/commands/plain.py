"""A table in nothing but words, for those who hear it and for pipes: no pictures, no signs, no colours."""

from __future__ import annotations

from dataclasses import replace

from rich.console import Console, RenderableType
from rich.text import Text

from palatine_protocol.offers import Choice

from ..table import Change, Table
from ..words.describing import ended, laid_out, lines_of
from ..words.menu import Partial, Question
from ..words.platform import sentence
from ..words.scene import Scene
from .shelf import Game
from .sight import Sight


def sight_of(table: Table, game: Game, lang: str, *, plain: bool) -> Sight:
    """How somebody would like to see a table."""
    return (PlainSight if plain else Sight)(table, game, lang)


def console_of(*, plain: bool) -> Console:
    """Where it is printed; words alone need no colours, and lines are broken by whoever reads them."""
    return Console(highlight=False, color_system=None, soft_wrap=True) if plain else Console(highlight=False)


class PlainSight(Sight):
    """A table that is read aloud."""

    def scene(self) -> Scene:
        return replace(super().scene(), plain=True)

    def news(self, change: Change) -> list[RenderableType]:
        scene = self.scene()
        sentences = [sentence(self.words, news, scene) for news in change.news]
        self.told.extend(sentences)
        return [words(lines_of(each.plain)) for each in sentences]

    def heading(self, scene: Scene) -> list[RenderableType]:
        heading = self.words.heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Text(ended(heading.plain.replace(" · ", ". ")))]

    def boards(self, scene: Scene) -> list[RenderableType]:
        """Everything that lies open, whenever somebody who sees would look at a part of it."""
        return [Text(), self.all_boards(), Text()] if super().boards(scene) else []

    def remarks(self, scene: Scene) -> list[RenderableType]:
        return [words([*self.words.held(scene), ""])]

    def menu(self, asked: Question, choices: list[Choice], chosen: Partial, scene: Scene) -> RenderableType:
        return words([*laid_out(self.words, scene, choices, asked)])

    def title(self, words: Text) -> RenderableType:
        return words

    # What somebody asks to see

    def all_boards(self) -> RenderableType:
        scene = self.scene()
        if not scene.board:
            return Text(self.people())
        return Text("\n\n".join("\n".join(lines) for lines in self.words.told(scene)))

    def hand(self) -> RenderableType:
        scene = self.scene()
        return words([*self.words.held(scene)] if scene.board else []) or Text(scene.label("no hand"))

    def log(self) -> list[RenderableType]:
        scene = self.scene()
        lines = [line for told in self.told for line in lines_of(told.plain)]
        return [Text(f"{scene.label('log')}:"), words(lines or [scene.label("no log")])]

    def ending(self) -> RenderableType:
        scene = self.scene()
        return Text("\n\n").join([Text(str(self.all_boards())), Text(self.result(scene))])


def words(lines: list[str]) -> Text:
    return Text("\n".join(lines))
