"""The text rendering of Noblemen: menus, questions, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from ....menu import Number, OneOf, Partial, Question
from ...games.noblemen import PRESENTATION
from ...games.noblemen.estate_model import Cell
from ...games.noblemen.names import NoblemenNames
from ...terminal import noblemen as drawing
from ...terminal.layout import number_rows
from ...terminal.noblemen.badges import render_player_badge
from ...terminal.noblemen.common_board import render_heading
from ...terminal.noblemen.estate import EstatePicture
from ..base import GameText, Seen
from ..render_context import Plain, RenderContext
from . import board_text, hand_text, menu_entries, news_text
from .formatter import NoblemenFormatter

PLACES = ("cell", "corner", "vertex")


class NoblemenText(GameText):
    """Renders menus, estates, screens and news of Noblemen."""

    picture_fields = frozenset(PLACES)
    numbered_fields = frozenset({"cell", "vertex"})

    # Menus and questions

    def arrange_question(self, asked: Question, context: RenderContext) -> Question:
        """Sort cells and areas from the top left, and corners by the number of quarters that they meet."""
        if isinstance(asked, Number) and asked.field == "index":
            return list_cards_to_keep(asked)
        if not isinstance(asked, OneOf) or asked.field not in self.picture_fields:
            return asked
        return replace(asked, entries=sorted(asked.entries, key=lambda entry: rank_entry(entry, asked.field, context)))

    def render_columns(self, after: Partial, before: Partial, context: RenderContext) -> list[RenderableType]:
        """Render an entry of a menu; in words alone, also the places that a picture would show."""
        columns = super().render_columns(after, before, context)
        if not context.plain:
            return columns
        is_corner = before and after.get("corner") != before.get("corner")
        meeting = [menu_entries.render_meeting(NoblemenFormatter(context), after, after["corner"])] if is_corner else []
        return [*columns, *map(Text, self.list_places(after, context)), *meeting]

    def render_entry(self, after: Partial, before: Partial, context: RenderContext) -> Text:
        """Render an entry of a menu: all chosen fields of the action."""
        spoken = menu_entries.render_action(NoblemenFormatter(context), after)
        return spoken if spoken is not None else super().render_entry(after, before, context)

    def format_value(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Format a value of a field in words."""
        corners = NoblemenFormatter(context).language.CORNERS
        if name == "corner" and value in corners:
            return str(corners[value])
        return super().format_value(name, value, chosen, context)

    def render_row(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> list[RenderableType]:
        """Render a card that the player may keep, or any other value."""
        return (
            [menu_entries.render_offered_card(NoblemenFormatter(context), value)]
            if name == "index"
            else super().render_row(name, value, chosen, context)
        )

    def describe_pieces(self, after: Partial, before: Partial, context: RenderContext) -> str:
        """Return nothing: the entries themselves have the figures of pieces."""
        return ""

    def name_field(self, field: str, context: RenderContext) -> str:
        return str(PRESENTATION.load_translation(context.lang).FIELD_NAMES[field])

    def render_question(self, field: str, chosen: Partial, context: RenderContext) -> Text:
        return menu_entries.render_question(NoblemenFormatter(context), field, chosen)

    def render_picture(
        self, field: str, chosen: Partial, values: list[Any], context: RenderContext, seen: Seen
    ) -> RenderableType | None:
        """Render the estate with a number on each place that the player may choose; render corners as a list."""
        formatter = NoblemenFormatter(context)
        if field == "corner":
            return number_rows([menu_entries.render_corner(formatter, chosen, corner) for corner in values])
        if field not in self.picture_fields:
            return None
        numbers = {(x, y): number for number, (x, y) in enumerate(values, 1)}
        return Group(
            render_own_estate(formatter, numbers)
            if field == "cell"
            else render_other_estate(formatter, chosen, numbers),
            Text(),
        )

    # Boards and hands

    def render_heading(self, context: RenderContext) -> Text | None:
        return render_heading(context.board, NoblemenFormatter(context).names) if context.board else None

    def render_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render changed estates, and the common board when the viewer decides or another turn begins."""
        if context.board["final"]:
            return
        names = NoblemenFormatter(context).names
        if is_time_to_look(context, seen):
            yield drawing.render_overview(context.board, names)
        if changed := list_changed_estates(context, seen, names):
            yield drawing.Estates(changed)

    def render_hand(self, context: RenderContext) -> RenderableType | None:
        return hand_text.render_screen(NoblemenFormatter(context)) if context.hand else None

    def render_remarks(self, context: RenderContext) -> Iterator[RenderableType]:
        """Render the pieces behind the viewer's screen, and the estate with the draft applied."""
        if not context.hand:
            return
        formatter = NoblemenFormatter(context)
        yield from hand_text.render_plan(formatter)
        yield hand_text.render_screen(formatter)
        if context.board["phase"] == "ball":
            yield formatter.render_phrase("base prestige", amount=formatter.format_yield("prestige"))
        if context.board["phase"] == "gift":
            yield formatter.render_phrase("hand over two")

    # News, narration and help

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        spoken = news_text.render_news(NoblemenFormatter(context), news)
        return spoken if spoken is not None else super().render_news(news, context)

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        return board_text.narrate_board(NoblemenFormatter(context))

    def narrate_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[list[str]]:
        return self.narrate_board(context)

    def narrate_hand(self, context: RenderContext) -> Iterator[str]:
        return board_text.narrate_hand(NoblemenFormatter(context))

    def format_action(self, action: Partial, context: RenderContext) -> str:
        """Return an action in words, with the places that a picture would show."""
        places = [] if context.plain else self.list_places(action, context)
        return ", ".join([super().format_action(action, context), *places])

    def list_places(self, action: Partial, context: RenderContext) -> list[str]:
        """Return the places of an action in words."""
        formatter, fields = NoblemenFormatter(context), [name for name in PLACES if action.get(name)]
        return [board_text.format_option(formatter, name, action[name], action) for name in fields]

    def format_option(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        return board_text.format_option(NoblemenFormatter(context), name, value, chosen) or super().format_option(
            name, value, chosen, context
        )

    def render_help(self, context: RenderContext) -> RenderableType:
        formatter = NoblemenFormatter(context)
        paragraphs = (Padding(paragraph, (0, 0, 1, 0)) for paragraph in formatter.language.HELP)
        return Group(*paragraphs, *([] if context.plain else [drawing.render_legend(formatter.names)]))


# Choosing


# The offer counts cards from 0, but in menus 0 goes back.
def list_cards_to_keep(asked: Number) -> OneOf:
    """Return the question with each card as an entry instead of its number."""
    return OneOf([{**asked.chosen, "index": index} for index in range(asked.low, asked.high + 1)], "index")


def rank_entry(entry: Partial, field: str, context: RenderContext) -> tuple[int, int]:
    if field == "corner":
        cell = (entry["cell"][0], entry["cell"][1])
        return -menu_entries.count_quarters(NoblemenFormatter(context), entry["kind"], cell, entry["corner"]), 0
    x, y = entry[field]
    return -y, x


def render_own_estate(formatter: NoblemenFormatter, numbers: dict[Cell, int]) -> RenderableType:
    land, new = hand_text.build_planned_land(formatter), hand_text.list_planned_cells(formatter)
    return EstatePicture(land, formatter.names, spaces=numbers, new=new)


def render_other_estate(formatter: NoblemenFormatter, chosen: Partial, numbers: dict[Cell, int]) -> RenderableType:
    picture = EstatePicture(formatter.read_land(chosen["player"]), formatter.names, symbols=numbers)
    return Group(render_player_badge(chosen["player"], formatter.names), picture)


# Changes that a viewer has not seen yet

IN_THE_HEADING = ("phase", "active", "ready", "action_done", "card_played")


def is_time_to_look(context: RenderContext, seen: Seen) -> bool:
    """Return whether to show the common board: it changed since the viewer saw it, and the viewer needs it now."""
    is_asked = context.seat in context.waiting and not context.hand["draft"] and not is_turn_used(context.board)
    is_new_turn = context.seat is None and context.board["active"] != seen.get("active")
    facts = collect_common_facts(context.board)
    if not (is_asked or is_new_turn) or facts == seen.get("common"):
        return False
    seen["common"], seen["active"] = facts, context.board["active"]
    return True


def is_turn_used(board: Plain) -> bool:
    """Return whether the player has taken the action of this turn."""
    return bool(board["phase"] == "turn" and board["action_done"])


def collect_common_facts(board: Plain) -> Plain:
    """Return the board without the estates and without the fields that the heading shows."""
    noblemen = [{name: value for name, value in each.items() if name != "estate"} for each in board["noblemen"]]
    return {**board, "noblemen": noblemen} | dict.fromkeys(IN_THE_HEADING)


def list_changed_estates(context: RenderContext, seen: Seen, names: NoblemenNames) -> list[drawing.EstatePanel]:
    """List the estates that changed since the viewer saw them, and record them as seen."""
    estates = {seat: nobleman["estate"] for seat, nobleman in enumerate(context.board["noblemen"])}
    changed = {seat: estate for seat, estate in estates.items() if estate != seen.get(seat)}
    new = {seat: find_new_cells(estate, seen.get(seat)) for seat, estate in changed.items()}
    seen.update(changed)
    return [drawing.EstatePanel.build(context.board, seat, names, new[seat]) for seat in changed]


def find_new_cells(estate: Plain, before: Plain | None) -> set[Cell]:
    """Return the cells in which a tile or a building was added or replaced since `before`."""
    known = list_pieces(before or estate)
    return {(x, y) for kind, x, y in list_pieces(estate) - known}


def list_pieces(estate: Plain) -> set[tuple[str, int, int]]:
    return {(kind, x, y) for kind, x, y, _ in (*estate["tiles"], *estate["buildings"])}
