"""The text rendering of any game, which is the base class for renderings of specific games."""

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
from ..terminal import render_board
from .render_context import Plain, RenderContext

Seen = dict[Any, Any]  # the parts of the board that a viewer was shown


class GameText:
    """Renders menus, boards, hands and news; a game overrides what it can render better than readable identifiers."""

    picture_fields: frozenset[str] = frozenset()  # fields that are chosen in a picture

    # Menus and questions

    def filter_choices(self, choices: list[Choice], context: RenderContext) -> list[Choice]:
        """Return the choices that are useful for a player at a keyboard."""
        return choices

    def arrange_question(self, asked: Question, context: RenderContext) -> Question:
        """Return the question with its values in the order in which they are shown."""
        return asked

    def render_columns(self, after: Partial, before: Partial, context: RenderContext) -> list[RenderableType]:
        """Render an entry of a menu in columns; games with more than a sentence override this."""
        return [self.render_entry(after, before, context)]

    def render_entry(self, after: Partial, before: Partial, context: RenderContext) -> Text:
        """Render an entry of a menu: the fields that it adds to the partial action."""
        fields = [
            self.format_field(name, value, context) for name, value in after.items() if name not in {*before, "do"}
        ]
        verb = [humanise_name(after["do"])] if "do" not in before else []
        return Text(": ".join(filter(None, [*verb, ", ".join(fields)])))

    def format_field(self, name: str, value: Any, context: RenderContext) -> str:
        return f"{humanise_name(name).lower()} {self.format_value(name, value, context)}"

    def format_value(self, name: str, value: Any, context: RenderContext) -> str:
        """Format a value of a field in words."""
        if name in {"seat", "player"} and isinstance(value, int):
            return context.name_player(value)
        if isinstance(value, str):
            return find_piece_name(value, context)
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return ", ".join(self.format_value(name, item, context) for item in value)
        return json.dumps(value, ensure_ascii=False)

    def format_action(self, action: Partial, context: RenderContext) -> str:
        """Return the chosen fields of an action as a line of plain words."""
        columns = (column for column in self.render_columns(action, {}, context) if isinstance(column, Text))
        return ", ".join(filter(None, (column.plain.strip() for column in columns)))

    def format_option(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Return one of the possible values of a field in plain words."""
        return self.format_value(name, value, context)

    def render_row(self, name: str, value: Any, context: RenderContext) -> list[RenderableType]:
        """Render one value of a numbered list, in columns."""
        return [Text(self.format_value(name, value, context))]

    def name_field(self, field: str, context: RenderContext) -> str:
        """Return the name of a field of an action."""
        return humanise_name(field).lower()

    def render_question(self, field: str, chosen: Partial, context: RenderContext) -> Text:
        """Render the question for one field."""
        return Text(f"{humanise_name(chosen['do'])}: {humanise_name(field).lower()}")

    def render_picture(
        self, field: str, chosen: Partial, values: list[Any], context: RenderContext, seen: Seen
    ) -> RenderableType | None:
        """Render a picture with the values of a field, numbered from 1; it replaces the list of values."""
        return None

    # Boards and hands

    def render_heading(self, context: RenderContext) -> Text | None:
        """Render the round and phase of the game, in a line."""
        return None

    def render_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the parts of the board that changed since the viewer saw them, and record them in `seen`."""
        if context.board != seen.get("board"):
            seen["board"] = context.board
            yield self.render_all_boards(context)

    # Changes before the previewed action are marked as seen first.
    def render_preview(self, before: RenderContext, after: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the differences between two states."""
        deque(self.render_changed_boards(before, seen), maxlen=0)
        yield from self.render_changed_boards(after, seen)

    def render_all_boards(self, context: RenderContext) -> RenderableType:
        """Render all public parts of the board."""
        return render_board(context.game, context.board, context.catalog, context.lang, context.names)

    def render_hand(self, context: RenderContext) -> RenderableType | None:
        """Render the hand that only the viewer sees."""
        return Pretty(context.hand) if context.hand else None

    def render_remarks(self, context: RenderContext) -> Iterator[RenderableType]:
        """Render the remarks that a viewer needs before a decision."""
        if context.hand:
            yield Pretty(context.hand)

    # News, narration and help

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        """Narrate all public parts of the board, in paragraphs of plain words."""
        yield [
            f"{humanise_name(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in context.board.items()
        ]

    def narrate_hand(self, context: RenderContext) -> Iterator[str]:
        """Narrate the hand that only the viewer sees, in lines of plain words."""
        for name, value in (context.hand or {}).items():
            yield f"{humanise_name(name)}: {json.dumps(value, ensure_ascii=False)}"

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        """Render a piece of news as a sentence."""
        told = [self.format_field(name, value, context) for name, value in news.items() if name != "news"]
        return Text(": ".join(filter(None, [humanise_name(news["news"]), ", ".join(told)])))

    def render_help(self, context: RenderContext) -> RenderableType | None:
        """Render a short description of the game."""
        return None


def humanise_name(name: str) -> str:
    """Turn an identifier into readable words."""
    return name.replace("_", " ").strip().capitalize()


def find_piece_name(name: str, context: RenderContext) -> str:
    """Return the name of a piece from the catalog, or else its identifier as readable words."""
    for entries in context.catalog.values():
        if piece := find_piece(entries, name):
            return str(piece.get(f"name_{context.lang}") or piece.get("name_en") or humanise_name(name))
    return humanise_name(name)


def find_piece(entries: Any, name: str) -> Plain | None:
    """Find the entry of this name in a part of a catalog, which is a list of pieces or a map."""
    if isinstance(entries, dict):
        entry = entries.get(name)
        return entry if isinstance(entry, dict) else None
    pieces = entries if isinstance(entries, list) else []
    return next((piece for piece in pieces if isinstance(piece, dict) and piece.get("id") == name), None)
