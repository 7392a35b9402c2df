"""The narration of a whole view in plain text: for chat bots, pipes and screen readers.

It has no pictures, signs or colours. Its only sources are the view that a client receives from the server, and the
catalog of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.messages import Info, Offer, Waiting
from palatine_protocol.offers import Choice, Field, Pick, Range

from ...menu import Number, OneOf, Partial, Question, SomeOf, build_question, list_values, narrow_choices
from ...menu import merge_field as settled
from ..translations import narrate
from .base import GameText
from .platform_news import render_news
from .render_context import Plain, RenderContext

MOST_VALUES = 40  # values of one field that are listed one by one


class DescribableView(Protocol):
    """A viewer's view of a table: a snapshot, or the view of a client."""

    @property
    def seat(self) -> int | None: ...
    @property
    def info(self) -> Info | None: ...
    @property
    def board(self) -> Any: ...
    @property
    def hand(self) -> Any: ...
    @property
    def offer(self) -> Offer | None: ...
    @property
    def waiting(self) -> list[Waiting]: ...
    @property
    def can_undo(self) -> bool: ...


def narrate_view(words: GameText, context: RenderContext, view: DescribableView, news: Iterable[Plain]) -> str:
    """Narrate a view in paragraphs with empty lines between them."""
    paragraphs = [narrate_status(words, context, view)]
    if context.board:
        paragraphs += [*words.narrate_board(context), [*words.narrate_hand(context)]]
    if view.offer is not None:
        paragraphs.append([*narrate_offer(words, context, view.offer.choices), *narrate_undo(context, view)])
    paragraphs.append([*narrate_news(words, context, news)])
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)


def build_context(
    game: str,
    view: DescribableView,
    catalog: Plain,
    lang: str,
    names: Sequence[str] | None,
    description: Plain | None = None,
) -> RenderContext:
    """Build the render context of a view."""
    seats = view.info.seats if view.info else []
    people = [sitting.name if sitting else "" for sitting in seats] if names is None else list(names)
    waiting = [each.seat for each in view.waiting]
    return RenderContext(
        game,
        catalog,
        lang,
        people,
        view.seat,
        view.board,
        view.hand,
        waiting,
        description=description or {},
        plain=True,
    )


# The state of the game


def narrate_status(words: GameText, context: RenderContext, view: DescribableView) -> list[str]:
    people = context.join_words(name or context.label("empty") for name in context.names)
    heading = words.render_heading(context) if context.board else None
    where = end_sentence(heading.plain.replace(" · ", ". ")) if heading else narrate(context.lang, "open")
    paused = [narrate(context.lang, "paused")] if view.info and view.info.paused else []
    return [where, context.label("seats", people=people), *paused, *narrate_waiting(context, view.waiting)]


def narrate_waiting(context: RenderContext, waiting: Iterable[Waiting]) -> Iterator[str]:
    """Narrate the players the table waits for, since when and until when."""
    for each in waiting:
        who = context.names[each.seat] if each.seat < len(context.names) else str(each.seat)
        key = "waiting" if each.since is None else "waiting since" if each.until is None else "waiting until"
        yield narrate(context.lang, key, who=who, since=format_time(each.since), until=format_time(each.until))


def format_time(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def narrate_news(words: GameText, context: RenderContext, news: Iterable[Plain]) -> Iterator[str]:
    sentences = [render_news(words, each, context).plain for each in news]
    if sentences:
        yield narrate(context.lang, "news")
    yield from (line for each in sentences for line in split_lines(each))


# The offer, with the same questions and numbers as in the menus of the command line


def narrate_offer(words: GameText, context: RenderContext, choices: list[Choice]) -> Iterator[str]:
    """Narrate the offer as a numbered list; the open fields of an entry follow it as sets of values."""
    visible = words.filter_choices(choices, context) or choices
    asked = build_question(visible, {}, words.find_picture_fields(context)) if visible else None
    if asked is not None:
        yield narrate(context.lang, "offer" if context.seat in context.waiting else "offer free")
        yield from narrate_question(words, context, visible, words.arrange_question(asked, context))


def narrate_question(words: GameText, context: RenderContext, choices: list[Choice], asked: Question) -> Iterator[str]:
    match asked:
        case OneOf(entries):
            yield from number_lines(narrate_entry(words, context, choices, each) for each in entries)
        case SomeOf(chosen, field, least, most, of):
            yield from split_lines(words.render_question(field, chosen, context).plain)
            yield f"{describe_amount(context, least, most)}:"
            yield from number_lines(
                end_sentence(join_columns(words.render_row(field, value, chosen, context))) for value in of
            )
        case Number(chosen, field, low, high):
            yield from split_lines(words.render_question(field, chosen, context).plain)
            yield end_sentence(narrate(context.lang, "number", low=low, high=high))


def narrate_entry(words: GameText, context: RenderContext, choices: list[Choice], chosen: Partial) -> str:
    """Narrate a partial action and its open fields."""
    parts = [
        words.format_action(chosen, context),
        *list_open_fields(words, context, narrow_choices(choices, chosen), chosen),
    ]
    return end_sentence("; ".join(parts))


def list_open_fields(words: GameText, context: RenderContext, choices: list[Choice], chosen: Partial) -> Iterator[str]:
    for name in choices[0].fields:
        if name not in chosen:
            field = settled(choices, name) or list_values(choices, name)
            yield f"{words.name_field(name, context)}: {describe_values(words, context, name, field, chosen)}"


def describe_values(words: GameText, context: RenderContext, name: str, field: Field, chosen: Partial) -> str:
    """Return the possible values of a field in words."""
    if isinstance(field, Range):
        return narrate(context.lang, "number", low=field.low, high=field.high)
    if isinstance(field, Pick):
        amount = describe_amount(context, field.least, field.most)
        return f"{amount}: {join_values(words, context, name, field.of, chosen)}"
    return join_values(words, context, name, field, chosen)


def join_values(words: GameText, context: RenderContext, name: str, those: list[Any], chosen: Partial) -> str:
    """Return the first values of a field in one phrase, with the number of the rest."""
    spoken = [words.format_option(name, value, chosen, context) for value in those[:MOST_VALUES]]
    rest = [narrate(context.lang, "more", count=len(those) - MOST_VALUES)] if len(those) > MOST_VALUES else []
    return ", ".join([*spoken, *rest])


def describe_amount(context: RenderContext, least: int, most: int) -> str:
    return narrate(context.lang, "exactly" if least == most else "from to", least=least, most=most)


def narrate_undo(context: RenderContext, view: DescribableView) -> Iterator[str]:
    if view.can_undo:
        yield narrate(context.lang, "undo")


# Lines


def number_lines(lines: Iterable[str]) -> Iterator[str]:
    return (f"{number}. {line}" for number, line in enumerate(lines, 1))


def join_columns(columns: Iterable[RenderableType]) -> str:
    """Join the columns of a menu entry in one line."""
    words = (column.plain if isinstance(column, Text) else str(column) for column in columns)
    return ", ".join(filter(None, (word.strip() for word in words)))


def split_lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def end_sentence(line: str) -> str:
    """End a line with a full stop unless it ends like a sentence."""
    return line if line.endswith((".", "!", "?", ":")) else f"{line}."
