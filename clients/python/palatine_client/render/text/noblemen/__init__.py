"""Words for Noblemen: menus, questions, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ....menu import Number, OneOf, Partial, Question
from ...games import load_translation
from ...games.noblemen.estate_model import Cell
from ...games.noblemen.names import NoblemenNames
from ...terminal import noblemen as drawing
from ...terminal.layout import numbered
from ...terminal.noblemen.badges import player_badge
from ...terminal.noblemen.common_board import heading
from ...terminal.noblemen.estate import EstatePicture
from ..base import Seen, Words
from ..render_context import Plain, Scene
from . import hand_text, menu_entries, narration, news_text
from .formatter import Speech


class Noblemen(Words):
    """How Noblemen is spoken of."""

    apart = frozenset({"cell", "corner", "vertex"})

    # What is asked

    def arranged(self, asked: Question, scene: Scene) -> Question:
        """Cells and areas as one reads the estate, from the top left; corners with the most promising first."""
        if isinstance(asked, Number) and asked.field == "index":
            return cards_to_keep(asked)
        if not isinstance(asked, OneOf) or asked.field not in self.apart:
            return asked
        return replace(asked, entries=sorted(asked.entries, key=lambda entry: in_order(entry, asked.field, scene)))

    def entry(self, after: Partial, before: Partial, scene: Scene) -> Text:
        """An entry of a menu: the whole action, as far as it is chosen."""
        spoken = menu_entries.action(Speech(scene), after)
        return spoken if spoken is not None else super().entry(after, before, scene)

    def value(self, name: str, value: Any, scene: Scene) -> str:
        """A value of a field in words."""
        corners = Speech(scene).language.CORNERS
        return str(corners[value]) if name == "corner" and value in corners else super().value(name, value, scene)

    def row(self, name: str, value: Any, scene: Scene) -> list[RenderableType]:
        """A card that one may keep, or any other value."""
        return [menu_entries.offered_card(Speech(scene), value)] if name == "index" else super().row(name, value, scene)

    def name_field(self, field: str, scene: Scene) -> str:
        return str(load_translation(scene.game, scene.lang).FIELD_NAMES[field])

    def ask(self, field: str, chosen: Partial, scene: Scene) -> Text:
        return menu_entries.question(Speech(scene), field, chosen)

    def picture(
        self, field: str, chosen: Partial, values: list[Any], scene: Scene, seen: Seen
    ) -> RenderableType | None:
        """The estate with a number wherever something may be chosen; corners with what they bring."""
        speech = Speech(scene)
        if field == "corner":
            return numbered([menu_entries.corner(speech, chosen, corner) for corner in values])
        if field not in self.apart:
            return None
        numbers = {(x, y): number for number, (x, y) in enumerate(values, 1)}
        return Group(own_estate(speech, numbers) if field == "cell" else their_estate(speech, chosen, numbers), Text())

    # What is seen

    def heading(self, scene: Scene) -> Text | None:
        return heading(scene.board, Speech(scene).names) if scene.board else None

    def boards(self, scene: Scene, seen: Seen) -> Iterator[RenderableType]:
        """Estates that have changed; and all the rest when the viewer has to decide or somebody else's turn begins."""
        if scene.board["final"]:
            return
        names = Speech(scene).names
        if is_time_to_look(scene, seen):
            yield drawing.overview(scene.board, names)
        if changed := changed_estates(scene, seen, names):
            yield drawing.Estates(changed)

    def hand(self, scene: Scene) -> RenderableType | None:
        return hand_text.screen(Speech(scene)) if scene.hand else None

    def remarks(self, scene: Scene) -> Iterator[RenderableType]:
        """What is behind the screen, and the estate as it would be."""
        if not scene.hand:
            return
        speech = Speech(scene)
        yield from hand_text.plan(speech)
        yield hand_text.screen(speech)
        if scene.board["phase"] == "ball":
            yield speech.spoken("base prestige", amount=speech.amount("prestige"))
        if scene.board["phase"] == "gift":
            yield speech.spoken("hand over two")

    # What is told

    def news(self, news: Plain, scene: Scene) -> Text:
        spoken = news_text.news(Speech(scene), news)
        return spoken if spoken is not None else super().news(news, scene)

    def told(self, scene: Scene) -> Iterator[list[str]]:
        return narration.board(Speech(scene))

    def held(self, scene: Scene) -> Iterator[str]:
        return narration.hand(Speech(scene))

    def whole(self, action: Partial, scene: Scene) -> str:
        """An action with the places that a picture would show."""
        speech, fields = Speech(scene), [name for name in ("cell", "corner") if action.get(name)]
        places = (narration.option(speech, name, action[name], action) for name in fields)
        return ", ".join([super().whole(action, scene), *places])

    def option(self, name: str, value: Any, chosen: Partial, scene: Scene) -> str:
        return narration.option(Speech(scene), name, value, chosen) or super().option(name, value, chosen, scene)

    def help(self, scene: Scene) -> RenderableType:
        speech = Speech(scene)
        paragraphs = (Padding(paragraph, (0, 0, 1, 0)) for paragraph in speech.language.HELP)
        return Group(*paragraphs, *([] if scene.plain else [drawing.legend(speech.names)]))


# Choosing


# The offer counts them from 0 on, which in menus is the way back.
def cards_to_keep(asked: Number) -> OneOf:
    """Cards one by one instead of their numbers."""
    return OneOf([{**asked.chosen, "index": index} for index in range(asked.low, asked.high + 1)], "index")


def in_order(entry: Partial, field: str, scene: Scene) -> tuple[int, int]:
    if field == "corner":
        cell = (entry["cell"][0], entry["cell"][1])
        return -menu_entries.quarters_met(Speech(scene), entry["kind"], cell, entry["corner"]), 0
    x, y = entry[field]
    return -y, x


def own_estate(speech: Speech, numbers: dict[Cell, int]) -> RenderableType:
    land, new = hand_text.planned_land(speech), hand_text.planned_cells(speech)
    return EstatePicture(land, speech.names, spaces=numbers, new=new)


def their_estate(speech: Speech, chosen: Partial, numbers: dict[Cell, int]) -> RenderableType:
    picture = EstatePicture(speech.land(chosen["player"]), speech.names, symbols=numbers)
    return Group(player_badge(chosen["player"], speech.names), picture)


# What a viewer has not seen yet

IN_THE_HEADING = ("phase", "active", "ready", "action_done", "card_played")


def is_time_to_look(scene: Scene, seen: Seen) -> bool:
    """Whether the common board has changed since the viewer saw it, and he needs it now."""
    is_asked = scene.seat in scene.waiting and not scene.hand["draft"] and not is_turn_used(scene.board)
    is_new_turn = scene.seat is None and scene.board["active"] != seen.get("active")
    facts = common_facts(scene.board)
    if not (is_asked or is_new_turn) or facts == seen.get("common"):
        return False
    seen["common"], seen["active"] = facts, scene.board["active"]
    return True


def is_turn_used(board: Plain) -> bool:
    """Whether little is left to do in this turn."""
    return bool(board["phase"] == "turn" and board["action_done"])


def common_facts(board: Plain) -> Plain:
    """The board without the estates, and without what the heading says."""
    noblemen = [{name: value for name, value in each.items() if name != "estate"} for each in board["noblemen"]]
    return {**board, "noblemen": noblemen} | dict.fromkeys(IN_THE_HEADING)


def changed_estates(scene: Scene, seen: Seen, names: NoblemenNames) -> list[drawing.Exhibit]:
    """The estates that look different from when the viewer saw them; now he has seen them."""
    estates = {seat: nobleman["estate"] for seat, nobleman in enumerate(scene.board["noblemen"])}
    changed = {seat: estate for seat, estate in estates.items() if estate != seen.get(seat)}
    new = {seat: new_cells(estate, seen.get(seat)) for seat, estate in changed.items()}
    seen.update(changed)
    return [drawing.Exhibit.of(scene.board, seat, names, new[seat]) for seat in changed]


def new_cells(estate: Plain, before: Plain | None) -> set[Cell]:
    """Where something was laid or built since."""
    known = pieces_of(before or estate)
    return {(x, y) for kind, x, y in pieces_of(estate) - known}


def pieces_of(estate: Plain) -> set[tuple[str, int, int]]:
    return {(kind, x, y) for kind, x, y, _ in (*estate["tiles"], *estate["buildings"])}
