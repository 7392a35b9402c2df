"""The text rendering of Palais Royal: menus, questions, pictures to choose from, news and help."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text

from ....menu import OneOf, Partial, Question
from ...games.palais_royal import PRESENTATION
from ...terminal import palais_royal as drawing
from ..base import GameText, Seen
from ..render_context import Plain, RenderContext
from . import board_text
from .formatter import PalaisRoyalFormatter

# Menus list actions in the order of the turn; actions that are possible at any time come last.
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


class PalaisRoyalText(GameText):
    """Renders menus, park, palace, hands and news of Palais Royal."""

    picture_fields = frozenset({"space", "source", "to"})

    # Menus and questions

    def arrange_question(self, asked: Question, context: RenderContext) -> Question:
        """Sort actions in the order of the turn, and nobles and rooms from the top left."""
        if not isinstance(asked, OneOf):
            return asked
        return replace(asked, entries=sorted(asked.entries, key=lambda entry: rank_entry(entry, asked.field, context)))

    def render_columns(self, after: Partial, before: Partial, context: RenderContext) -> list[RenderableType]:
        """Render an entry of a menu: all chosen fields of the action, and the actions that it closes."""
        formatter = PalaisRoyalFormatter(context)
        if "space" in before and (rest := [*formatter.list_additions(after)]):
            return [Text(", ").join(rest)]
        spoken = formatter.render_action(after)
        return [
            super().render_entry(after, before, context) if spoken is None else spoken,
            Text(formatter.format_remark(after), "dim"),
        ]

    def render_entry(self, after: Partial, before: Partial, context: RenderContext) -> Text:
        """Render an entry of a menu in one line."""
        return Text("  ").join(
            column for column in self.render_columns(after, before, context) if isinstance(column, Text) and column
        )

    def render_row(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> list[RenderableType]:
        """Render a value with its details."""
        formatter = PalaisRoyalFormatter(context)
        match name:
            case "indices":
                return formatter.render_card_row(context.hand["pending"][value])
            case "kind":
                return formatter.render_card_row(value)
            case "wild":
                return [formatter.render_wild_seals(value)]
            case "space":
                return [formatter.render_offered_noble(value)]
            case "source" | "border_from":
                return formatter.render_source_row(value)
            case "room" | "to" if value in context.board["rooms"]:
                return formatter.render_room_row(value)
        return super().render_row(name, value, chosen, context)

    def describe_pieces(self, after: Partial, before: Partial, context: RenderContext) -> str:
        """Return nothing: the entries themselves have the figures of pieces."""
        return ""

    def name_field(self, field: str, context: RenderContext) -> str:
        return str(PRESENTATION.load_translation(context.lang).FIELD_NAMES[field])

    def render_question(self, field: str, chosen: Partial, context: RenderContext) -> Text:
        """Render the question for one field."""
        asked = PalaisRoyalFormatter(context).render_question(field, chosen)
        return asked if asked is not None else super().render_question(field, chosen, context)

    def render_picture(
        self, field: str, chosen: Partial, values: list[Any], context: RenderContext, seen: Seen
    ) -> RenderableType | None:
        """Render the park or the palace with a number on each noble or room that the player may choose."""
        numbers = {value: number for number, value in enumerate(values, 1)} if field in {*OF_ROOMS, "space"} else {}
        names = PalaisRoyalFormatter(context).names
        if field == "space":
            return Group(drawing.Park(context.board, names, numbers), Text())
        if field in OF_ROOMS and numbers.keys() <= context.board["rooms"].keys():
            return Group(drawing.Palace(context.board, names, numbers), Text())
        return None

    # Boards and hands

    def render_heading(self, context: RenderContext) -> Text | None:
        return drawing.render_moment(context.board, PalaisRoyalFormatter(context).names) if context.board else None

    def render_all_boards(self, context: RenderContext) -> RenderableType:
        """Render all public parts of the board, and the viewer's own secret nobles."""
        formatter = PalaisRoyalFormatter(context)
        return drawing.render_everything(formatter.board, formatter.names)

    def render_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the whole table at the beginning of a turn, and changes during the viewer's own turn."""
        formatter = PalaisRoyalFormatter(context)
        board, names = formatter.board, formatter.names
        if context.seat not in {None, board["turn"]["seat"]}:
            return
        turn, park, rooms = (board["round"], board["turn"]["seat"]), board["park"], board["rooms"]
        is_new = seen.get("turn") != turn or (context.seat is not None and seen.get("park") != park)
        if is_new:
            yield drawing.render_table(board, names)
        elif context.seat is not None and seen.get("rooms") != rooms:
            yield Group(drawing.Palace(board, names), Text())
        seen |= {"turn": turn, "park": park, "rooms": rooms}

    def render_preview(self, before: RenderContext, after: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the changed parts of the board, and what the viewer could spend after the action."""
        yield from super().render_preview(before, after, seen)
        if after.seat is not None:
            own, then = (
                drawing.render_purse(context.board, after.seat, PalaisRoyalFormatter(context).names)
                for context in (before, after)
            )
            yield from [then] if then != own else []

    def render_hand(self, context: RenderContext) -> RenderableType | None:
        """Render the cards in hand, and those just drawn."""
        parts = [*PalaisRoyalFormatter(context).render_hand()]
        return Group(*parts) if parts else None

    def render_remarks(self, context: RenderContext) -> Iterator[RenderableType]:
        """Render the remaining allowances of the turn, the viewer's means, and the cards in hand."""
        board, formatter = context.board, PalaisRoyalFormatter(context)
        if board["turn"]["phase"] != "setup" and context.seat is not None:
            yield Group(
                drawing.render_track(board, formatter.names),
                drawing.render_purse(board, context.seat, formatter.names),
                Text(),
            )
        yield from formatter.render_hand()

    # News, narration and help

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        spoken = PalaisRoyalFormatter(context).render_news(news)
        return spoken if spoken is not None else super().render_news(news, context)

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        return board_text.narrate_board(PalaisRoyalFormatter(context))

    def narrate_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[list[str]]:
        return self.narrate_board(context)

    def narrate_hand(self, context: RenderContext) -> Iterator[str]:
        return board_text.narrate_hand(PalaisRoyalFormatter(context))

    def format_option(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Return a value of a field in short; the narration of the board has the details."""
        return board_text.format_option(PalaisRoyalFormatter(context), name, value) or super().format_option(
            name, value, chosen, context
        )

    def render_help(self, context: RenderContext) -> RenderableType:
        return PalaisRoyalFormatter(context).render_help()


def rank_entry(entry: Partial, field: str, context: RenderContext) -> tuple[int, int]:
    """Return the sort key of an entry: an action by the turn, a space by row and column, a room by the layout."""
    value = entry.get(field)
    rooms = list(chain.from_iterable(context.board["layout"]))
    if not field:
        return (ORDER.index(entry["do"]) if entry["do"] in ORDER else 0), 0
    if field == "space":
        return int(entry[field][1:]), ord(entry[field][0])
    return (rooms.index(value) + 1 if value in rooms else 0), 0
