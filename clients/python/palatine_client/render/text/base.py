"""The text rendering of any game, made from its description; it is the base class for renderings of specific games."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator
from typing import Any

from msgspec.structs import replace
from rich.console import Group, RenderableType
from rich.text import Text

from palatine_protocol.offers import Choice

from ...menu import Number, OneOf, Partial, Question
from ..description.outline import Fact, Outline
from ..terminal import render_board
from ..terminal.generic import render_parts, render_pieces
from . import cell_choice, generic_sentences, outline_text
from .render_context import Plain, RenderContext

Seen = dict[Any, Any]  # the parts of the board that a viewer was shown

MOST_MEMBERS = 40  # items of a list that a menu offers by name instead of by number
IN_THE_HEADING = {"word", "piece", "int"}  # single values that say where the game is, unlike amounts and flags


class GameText:
    """Renders menus, boards, hands and news; a game overrides what it can render better."""

    picture_fields: frozenset[str] = frozenset()  # fields that are chosen in a picture
    numbered_fields: frozenset[str] = frozenset()  # those whose places a drawn picture numbers, as the options do

    # Menus and questions

    def filter_choices(self, choices: list[Choice], context: RenderContext) -> list[Choice]:
        """Return the choices that are useful for a player at a keyboard."""
        return choices

    def find_picture_fields(self, context: RenderContext) -> Collection[str]:
        """Return the fields that are chosen in a picture: those of the rendering, or else all that are cells."""
        return self.picture_fields or cell_choice.list_cell_fields(context.values)

    def arrange_question(self, asked: Question, context: RenderContext) -> Question:
        """Return the question with cells from the top left, and with the items of a list instead of their numbers."""
        if isinstance(asked, Number):
            return self._list_members(asked, context)
        if isinstance(asked, OneOf) and asked.field in cell_choice.list_cell_fields(context.values):
            return replace(asked, entries=cell_choice.sort_entries(asked.entries, asked.field, context.values))
        return asked

    def _list_members(self, asked: Number, context: RenderContext) -> Question:
        node = generic_sentences.find_field(context.values, asked.chosen, asked.field, asked.low)
        if node.meaning != "member" or asked.high - asked.low >= MOST_MEMBERS:
            return asked
        return OneOf([{**asked.chosen, asked.field: at} for at in range(asked.low, asked.high + 1)], asked.field)

    def render_columns(self, after: Partial, before: Partial, context: RenderContext) -> list[RenderableType]:
        """Render an entry of a menu in columns: what it adds to the partial action, and the pieces that it names."""
        details = self.describe_pieces(after, before, context)
        return [self.render_entry(after, before, context), *([Text(details, "dim")] if details else [])]

    def describe_pieces(self, after: Partial, before: Partial, context: RenderContext) -> str:
        """Return the figures and texts of the pieces that an entry of a menu adds to the partial action."""
        return generic_sentences.describe_pieces(context.values, after, before)

    def render_entry(self, after: Partial, before: Partial, context: RenderContext) -> Text:
        """Render an entry of a menu: the fields that it adds to the partial action."""
        if "do" not in before:
            return Text(generic_sentences.format_action(context.values, after))
        return Text(generic_sentences.format_addition(context.values, after, before))

    def format_value(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Format a value of a field in words; the chosen fields say which action it belongs to."""
        return generic_sentences.format_field_value(context.values, chosen, name, value)

    def format_action(self, action: Partial, context: RenderContext) -> str:
        """Return the chosen fields of an action as a line of plain words."""
        columns = (column for column in self.render_columns(action, {}, context) if isinstance(column, Text))
        return ", ".join(filter(None, (column.plain.strip() for column in columns)))

    def format_option(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> str:
        """Return one of the possible values of a field in plain words."""
        return self.format_value(name, value, chosen, context)

    def render_row(self, name: str, value: Any, chosen: Partial, context: RenderContext) -> list[RenderableType]:
        """Render one value of a numbered list, in columns."""
        details = self.describe_pieces({**chosen, name: value}, chosen, context)
        return [Text(self.format_value(name, value, chosen, context)), *([Text(details, "dim")] if details else [])]

    def name_field(self, field: str, context: RenderContext) -> str:
        """Return the name of a field of an action."""
        return context.values.labels.name_field(field)

    def name_player(self, seat: int, context: RenderContext) -> str:
        """Return the name of a player at the beginning of a sentence; a game may name seats without players."""
        return context.name_subject(seat) if seat < len(context.people) else context.values.name_player(seat)

    def render_question(self, field: str, chosen: Partial, context: RenderContext) -> Text:
        """Render the question for one field."""
        return Text(f"{generic_sentences.format_action(context.values, chosen)}: {self.name_field(field, context)}")

    def render_picture(
        self, field: str, chosen: Partial, values: list[Any], context: RenderContext, seen: Seen
    ) -> RenderableType | None:
        """Render a picture with the values of a field, numbered from 1; it replaces the list of values."""
        return cell_choice.render_cells(field, chosen, values, context)

    # Boards and hands

    def render_heading(self, context: RenderContext) -> Text | None:
        """Render the round and phase of the game, in a line."""
        facts = [part for part in context.board_parts if isinstance(part, Fact)]
        told = [f"{fact.title}: {fact.value}" for fact in facts if fact.meaning in IN_THE_HEADING]
        return Text(" · ".join(told), "bold") if told else None

    def render_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the parts of the board that changed since the viewer saw them, and record them in `seen`."""
        parts, known = context.board_parts, seen.get("parts", [])
        seen["parts"] = parts
        changed = [part for part in parts if part not in known]
        if changed:
            yield Group(*render_parts(changed, context.waiting))

    # Changes before the previewed action are marked as seen first.
    def render_preview(self, before: RenderContext, after: RenderContext, seen: Seen) -> Iterator[RenderableType]:
        """Render the differences between two states."""
        deque(self.render_changed_boards(before, seen), maxlen=0)
        yield from self.render_changed_boards(after, seen)

    def render_all_boards(self, context: RenderContext) -> RenderableType:
        """Render all public parts of the board."""
        return render_board(
            context.game,
            context.board,
            context.catalog,
            context.lang,
            context.names,
            context.description,
            context.waiting,
        )

    def render_hand(self, context: RenderContext) -> RenderableType | None:
        """Render the hand that only the viewer sees."""
        parts = [*self.render_remarks(context)]
        return Group(*parts) if parts else None

    def render_remarks(self, context: RenderContext) -> Iterator[RenderableType]:
        """Render the remarks that a viewer needs before a decision."""
        if context.hand:
            yield from render_parts(Outline(context.values).build(context.hand, "hand"))
            yield from render_pieces(context.values, context.hand, "hand")

    # News, narration and help

    def narrate_board(self, context: RenderContext) -> Iterator[list[str]]:
        """Narrate all public parts of the board, in paragraphs of plain words."""
        yield from outline_text.narrate_parts(context.board_parts)
        yield outline_text.narrate_pieces(context.values, context.board, "board")

    def narrate_changed_boards(self, context: RenderContext, seen: Seen) -> Iterator[list[str]]:
        """Narrate the lines of the board that the viewer has not been told yet, and record them in `seen`."""
        paragraphs, known = [*self.narrate_board(context)], seen.get("lines", set())
        seen["lines"] = {line for lines in paragraphs for line in lines}
        yield from filter(None, ([line for line in lines if line not in known] for lines in paragraphs))

    def narrate_hand(self, context: RenderContext) -> Iterator[str]:
        """Narrate the hand that only the viewer sees, in lines of plain words."""
        if context.hand:
            yield from outline_text.narrate_hand(context.values, context.hand)

    def render_news(self, news: Plain, context: RenderContext) -> Text:
        """Render a piece of news as a sentence."""
        return Text(generic_sentences.format_news(context.values, news))

    def render_help(self, context: RenderContext) -> RenderableType | None:
        """Render a short description of the game."""
        return None
