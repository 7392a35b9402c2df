"""Words for a game that nobody has found words for: its own identifiers made readable, and plain data."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator
from typing import Any

from rich.console import RenderableType
from rich.pretty import Pretty
from rich.text import Text

from palatine_protocol.offers import Choice

from ...menu import Partial, Question
from ..terminal import drawn
from .render_context import Plain, Scene

Seen = dict[Any, Any]  # a viewer's memory of the parts of the board that he was shown


class Words:
    """How a game is spoken of. A game with its own words overrides what it can say better."""

    apart: frozenset[str] = frozenset()  # fields that have a picture to choose from

    # What is asked

    def visible(self, choices: list[Choice], scene: Scene) -> list[Choice]:
        """The choices without those that are of no use at a keyboard."""
        return choices

    def arranged(self, asked: Question, scene: Scene) -> Question:
        """The question with its values in the order in which they are shown."""
        return asked

    def columns(self, after: Partial, before: Partial, scene: Scene) -> list[RenderableType]:
        """An entry of a menu in columns, for a game that has more to say than a sentence."""
        return [self.entry(after, before, scene)]

    def entry(self, after: Partial, before: Partial, scene: Scene) -> Text:
        """An entry of a menu: what choosing it would add."""
        fields = [self.field(name, value, scene) for name, value in after.items() if name not in {*before, "do"}]
        verb = [humanised(after["do"])] if "do" not in before else []
        return Text(": ".join(filter(None, [*verb, ", ".join(fields)])))

    def field(self, name: str, value: Any, scene: Scene) -> str:
        return f"{humanised(name).lower()} {self.value(name, value, scene)}"

    def value(self, name: str, value: Any, scene: Scene) -> str:
        """A value of a field in words."""
        if name in {"seat", "player"} and isinstance(value, int):
            return scene.name(value)
        if isinstance(value, str):
            return piece_name(value, scene)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return ", ".join(self.value(name, item, scene) for item in value)
        return json.dumps(value, ensure_ascii=False)

    def whole(self, action: Partial, scene: Scene) -> str:
        """An action as far as it is chosen, in a line of plain words."""
        columns = (column for column in self.columns(action, {}, scene) if isinstance(column, Text))
        return ", ".join(filter(None, (column.plain.strip() for column in columns)))

    def option(self, name: str, value: Any, chosen: Partial, scene: Scene) -> str:
        """One of the values that a field may have, in plain words."""
        return self.value(name, value, scene)

    def row(self, name: str, value: Any, scene: Scene) -> list[RenderableType]:
        """One of several values that stand in a list with numbers, in columns."""
        return [Text(self.value(name, value, scene))]

    def name_field(self, field: str, scene: Scene) -> str:
        """Return what a field of an action is called."""
        return humanised(field).lower()

    def ask(self, field: str, chosen: Partial, scene: Scene) -> Text:
        """The question for one field."""
        return Text(f"{humanised(chosen['do'])}: {humanised(field).lower()}")

    def picture(
        self, field: str, chosen: Partial, values: list[Any], scene: Scene, seen: Seen
    ) -> RenderableType | None:
        """A picture that has the values of a field in it with their numbers from 1 on, instead of a list."""
        return None

    # What is seen

    def heading(self, scene: Scene) -> Text | None:
        """Where the game has come to, in a line."""
        return None

    def boards(self, scene: Scene, seen: Seen) -> Iterator[RenderableType]:
        """What the viewer should look at now, given what he has seen before; what is shown is noted there."""
        if scene.board != seen.get("board"):
            seen["board"] = scene.board
            yield self.all_boards(scene)

    # What has changed already, and was not looked at yet, is not because of it.
    def changes(self, before: Scene, after: Scene, seen: Seen) -> Iterator[RenderableType]:
        """What would look different after something."""
        deque(self.boards(before, seen), maxlen=0)
        yield from self.boards(after, seen)

    def all_boards(self, scene: Scene) -> RenderableType:
        """Everything that lies open."""
        return drawn(scene.game, scene.board, scene.catalog, scene.lang, scene.names)

    def hand(self, scene: Scene) -> RenderableType | None:
        """What the viewer alone sees."""
        return Pretty(scene.hand) if scene.hand else None

    def remarks(self, scene: Scene) -> Iterator[RenderableType]:
        """What the viewer should know before he decides."""
        if scene.hand:
            yield Pretty(scene.hand)

    # What is told

    def told(self, scene: Scene) -> Iterator[list[str]]:
        """Everything that lies open, in paragraphs of plain words."""
        yield [f"{humanised(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in scene.board.items()]

    def held(self, scene: Scene) -> Iterator[str]:
        """What the viewer alone sees, in lines of plain words."""
        for name, value in (scene.hand or {}).items():
            yield f"{humanised(name)}: {json.dumps(value, ensure_ascii=False)}"

    def news(self, news: Plain, scene: Scene) -> Text:
        """A sentence about what happened."""
        told = [self.field(name, value, scene) for name, value in news.items() if name != "news"]
        return Text(": ".join(filter(None, [humanised(news["news"]), ", ".join(told)])))

    def help(self, scene: Scene) -> RenderableType | None:
        """The game in short."""
        return None


def humanised(name: str) -> str:
    """An identifier as a person would write it."""
    return name.replace("_", " ").strip().capitalize()


def piece_name(name: str, scene: Scene) -> str:
    """The name of a piece as the catalog has it, or else its identifier made readable."""
    for entries in scene.catalog.values():
        if piece := piece_among(entries, name):
            return str(piece.get(f"name_{scene.lang}") or piece.get("name_en") or humanised(name))
    return humanised(name)


def piece_among(entries: Any, name: str) -> Plain | None:
    """The entry of this name in a part of a catalog, which is a list of pieces or a map."""
    if isinstance(entries, dict):
        entry = entries.get(name)
        return entry if isinstance(entry, dict) else None
    pieces = entries if isinstance(entries, list) else []
    return next((piece for piece in pieces if isinstance(piece, dict) and piece.get("id") == name), None)
