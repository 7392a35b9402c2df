"""A table as it is shown to whoever looks at it through this client."""

from __future__ import annotations

from collections import deque
from typing import Any

from rich.console import Group, RenderableType
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from palatine_protocol.offers import Choice

from ..drawing.arranging import NUMBER
from ..labels import label
from ..table import Change, Table, copied
from ..words import words_for
from ..words.generic import Seen
from ..words.menu import Partial, Question
from ..words.platform import sentence
from ..words.scene import Scene
from .screen import shown
from .shelf import Game

MOST_NEWS = 200  # sentences that are remembered


class Sight:
    """What a viewer was shown of a table, and how to show him more."""

    def __init__(self, table: Table, game: Game, lang: str) -> None:
        self.table, self.game, self.lang = table, game, lang
        self.words = words_for(game.game)
        self.seen: Seen = {}
        self.told: deque[Text] = deque(maxlen=MOST_NEWS)
        self._heading: Any = None

    def scene(self) -> Scene:
        """The table as it is now."""
        view, info = self.table.view, self.table.info
        return Scene(
            game=info.game,
            catalog=self.game.catalog,
            lang=self.lang,
            people=[seated.name if seated else "" for seated in info.seats],
            seat=view.seat,
            board=copied(view.board),
            hand=copied(view.hand),
            waiting=[waiting.seat for waiting in view.waiting],
        )

    def news(self, change: Change) -> list[RenderableType]:
        """What happened, in sentences."""
        scene = self.scene()
        sentences = [sentence(self.words, news, scene) for news in change.news]
        self.told.extend(sentences)
        return [hanging(text) for text in sentences]

    def heading(self, scene: Scene) -> list[RenderableType]:
        """Where the game has come to, unless that was said already."""
        heading = self.words.heading(scene)
        if heading is None or str(heading) == self._heading:
            return []
        self._heading = str(heading)
        return [Text(), Rule(heading, style="#8a6d1f", characters="━")]

    def boards(self, scene: Scene) -> list[RenderableType]:
        """What has changed and is worth a look."""
        return list(self.words.boards(scene, self.seen)) if scene.board else []

    def remarks(self, scene: Scene) -> list[RenderableType]:
        """What the viewer should know before he decides."""
        return list(self.words.remarks(scene))

    def menu(self, asked: Question, choices: list[Choice], chosen: Partial, scene: Scene) -> RenderableType:
        """A question with all that can be answered."""
        return shown(asked, chosen, scene, self.words, self.seen)

    def title(self, words: Text) -> RenderableType:
        """What stands above a menu."""
        return Rule(words, align="left", style="dim")

    # What somebody asks to see

    def all_boards(self) -> RenderableType:
        """Everything that lies open."""
        scene = self.scene()
        return self.words.all_boards(scene) if scene.board else Text(self.people())

    def hand(self) -> RenderableType:
        """What the viewer alone sees."""
        scene = self.scene()
        return (self.words.hand(scene) if scene.board else None) or Text(scene.label("no hand"))

    def log(self) -> list[RenderableType]:
        """What happened so far."""
        title = Rule(Text(label(self.lang, "log"), "bold"), align="left", style="dim")
        return [title, *(map(hanging, self.told) if self.told else [Text(label(self.lang, "no log"))])]

    def help(self, keys: dict[str, str]) -> list[RenderableType]:
        """The game in short, and what can be typed."""
        scene, grid = self.scene(), Grid.grid(padding=(0, 2))
        for key, meaning in keys.items():
            grid.add_row(Text(key, NUMBER), meaning)
        game = self.words.help(scene) if scene.board else None
        return [*([game] if game else []), Text(scene.label("help title"), "bold"), grid]

    def people(self) -> str:
        """Who sits at the table, in a sentence."""
        scene = self.scene()
        names = [name or scene.label("empty") for name in scene.names]
        return scene.label("seats", people=scene.listed(names))

    def ending(self) -> RenderableType:
        """The final board and who has won."""
        scene = self.scene()
        return Group(self.words.all_boards(scene), Text(), Text(self.result(scene), "bold #ffd75f"))

    def result(self, scene: Scene) -> str:
        standings = self.table.standings
        best = [row["seat"] for row in standings if row["rank"] == 1]
        own = next((row["rank"] for row in standings if row["seat"] == scene.seat), None)
        words = [scene.label("over"), won(best, scene)]
        if own and own > 1:
            words.append(scene.label("place", rank=own, count=len(standings)))
        return " ".join(filter(None, words))


def hanging(text: Text) -> RenderableType:
    """A sentence whose further lines stand under the first."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_row(Text("·", "dim"), text)
    return grid


def won(best: list[int], scene: Scene) -> str:
    """Who has won, in a sentence."""
    if not best:
        return ""
    if best == [scene.seat]:
        return scene.label("you win")
    names = [scene.who(seat) if seat < len(scene.people) else "Ludwig" for seat in best]
    return scene.label("wins" if len(best) == 1 else "share", who=scene.listed(names))
