"""Words for Palais Royal: menus, questions, pictures to choose from, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text

from ....menu import OneOf, Partial, Question
from ...games import load_translation
from ...terminal import palais_royal as drawing
from ..base import Seen, Words
from ..render_context import Plain, Scene
from . import narration
from .formatter import Speech

# Menus follow the turn; what can be done at any time comes last.
ORDER = (
    "reinforce",
    "move",
    "take_gold",
    "add_seal_servant",
    "recruit",
    "draw",
    "play_privilege",
    "advance",
    "end_turn",
)
OF_ROOMS = {"source", "to", "room"}


class PalaisRoyal(Words):
    """How Palais Royal is spoken of."""

    apart = frozenset({"space", "source", "to"})

    # What is asked

    def arranged(self, asked: Question, scene: Scene) -> Question:
        """Actions as the turn goes, nobles and rooms as one reads park and palace."""
        if not isinstance(asked, OneOf):
            return asked
        return replace(asked, entries=sorted(asked.entries, key=lambda entry: place_of(entry, asked.field, scene)))

    def columns(self, after: Partial, before: Partial, scene: Scene) -> list[RenderableType]:
        """An entry of a menu: the whole action, as far as it is chosen, and what it closes or is good for."""
        speech = Speech(scene)
        if "space" in before and (rest := [*speech.more(after)]):
            return [Text(", ").join(rest)]
        spoken = speech.action(after)
        return [super().entry(after, before, scene) if spoken is None else spoken, Text(speech.remark(after), "dim")]

    def entry(self, after: Partial, before: Partial, scene: Scene) -> Text:
        """The same in a line."""
        return Text("  ").join(
            column for column in self.columns(after, before, scene) if isinstance(column, Text) and column
        )

    def row(self, name: str, value: Any, scene: Scene) -> list[RenderableType]:
        """A value with what one should know of it."""
        speech = Speech(scene)
        match name:
            case "indices":
                return speech.card_row(scene.hand["pending"][value])
            case "kind":
                return speech.card_row(value)
            case "wild":
                return [speech.wild(value)]
            case "space":
                return [speech.offered_noble(value)]
            case "source" | "border_from":
                return speech.source_row(value)
            case "room" | "to" if value in scene.board["rooms"]:
                return speech.room_row(value)
        return super().row(name, value, scene)

    def name_field(self, field: str, scene: Scene) -> str:
        return str(load_translation(scene.game, scene.lang).FIELD_NAMES[field])

    def ask(self, field: str, chosen: Partial, scene: Scene) -> Text:
        """The question for one field."""
        asked = Speech(scene).question(field, chosen)
        return asked if asked is not None else super().ask(field, chosen, scene)

    def picture(
        self, field: str, chosen: Partial, values: list[Any], scene: Scene, seen: Seen
    ) -> RenderableType | None:
        """The park or the palace with a number wherever one may choose."""
        numbers = {value: number for number, value in enumerate(values, 1)} if field in {*OF_ROOMS, "space"} else {}
        names = Speech(scene).names
        if field == "space":
            return Group(drawing.Park(scene.board, names, numbers), Text())
        if field in OF_ROOMS and numbers.keys() <= scene.board["rooms"].keys():
            return Group(drawing.Palace(scene.board, names, numbers), Text())
        return None

    # What is seen

    def heading(self, scene: Scene) -> Text | None:
        return drawing.moment(scene.board, Speech(scene).names) if scene.board else None

    def all_boards(self, scene: Scene) -> RenderableType:
        """Everything that lies open, and the viewer's own secret nobles."""
        speech = Speech(scene)
        return drawing.everything(speech.board, speech.names)

    def boards(self, scene: Scene, seen: Seen) -> Iterator[RenderableType]:
        """At the beginning of a turn everything; later in one's own turn what has changed."""
        speech = Speech(scene)
        board, names = speech.board, speech.names
        if scene.seat not in {None, board["turn"]["seat"]}:
            return
        turn, park, rooms = (board["round"], board["turn"]["seat"]), board["park"], board["rooms"]
        is_new = seen.get("turn") != turn or (scene.seat is not None and seen.get("park") != park)
        if is_new:
            yield drawing.laid_out(board, names)
        elif scene.seat is not None and seen.get("rooms") != rooms:
            yield Group(drawing.Palace(board, names), Text())
        seen |= {"turn": turn, "park": park, "rooms": rooms}

    def changes(self, before: Scene, after: Scene, seen: Seen) -> Iterator[RenderableType]:
        """What would look different, and what one could spend then, if that is something else."""
        yield from super().changes(before, after, seen)
        if after.seat is not None:
            own, then = (drawing.purse(scene.board, after.seat, Speech(scene).names) for scene in (before, after))
            yield from [then] if then != own else []

    def hand(self, scene: Scene) -> RenderableType | None:
        """The cards in hand, and those just drawn."""
        parts = [*Speech(scene).hand()]
        return Group(*parts) if parts else None

    def remarks(self, scene: Scene) -> Iterator[RenderableType]:
        """What the turn still allows, what one can spend, and the cards in hand."""
        board, speech = scene.board, Speech(scene)
        if board["turn"]["phase"] != "setup" and scene.seat is not None:
            yield Group(drawing.track(board, speech.names), drawing.purse(board, scene.seat, speech.names), Text())
        yield from speech.hand()

    # What is told

    def news(self, news: Plain, scene: Scene) -> Text:
        spoken = Speech(scene).news(news)
        return spoken if spoken is not None else super().news(news, scene)

    def told(self, scene: Scene) -> Iterator[list[str]]:
        return narration.board(Speech(scene))

    def held(self, scene: Scene) -> Iterator[str]:
        return narration.hand(Speech(scene))

    def option(self, name: str, value: Any, chosen: Partial, scene: Scene) -> str:
        """A value of a field, in short: what it is stands with the board."""
        return narration.option(Speech(scene), name, value) or super().option(name, value, chosen, scene)

    def help(self, scene: Scene) -> RenderableType:
        return Speech(scene).help()


def place_of(entry: Partial, field: str, scene: Scene) -> tuple[int, int]:
    """Where an entry stands: an action by its turn, a space by row and column, a room by the layout."""
    value = entry.get(field)
    rooms = list(chain.from_iterable(scene.board["layout"]))
    if not field:
        return (ORDER.index(entry["do"]) if entry["do"] in ORDER else 0), 0
    if field == "space":
        return int(entry[field][1:]), ord(entry[field][0])
    return (rooms.index(value) + 1 if value in rooms else 0), 0
