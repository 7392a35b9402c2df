"""A whole view as lines of plain words: for chat bots, for pipes, and for those who hear a game instead of seeing it.

There are no pictures, no signs and no colours in it, and nothing that the view itself does not hold: it is built from
what a client gets over the wire and from the catalog of the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from rich.console import RenderableType
from rich.text import Text

from palatine_protocol.messages import Info, Offer, Waiting
from palatine_protocol.offers import Choice, Field, Pick, Range

from ...menu import Number, OneOf, Partial, Question, Some, listed, narrowed, question
from ...menu import described as settled
from ..translations import narrate
from .base import Words
from .platform_news import sentence
from .render_context import Plain, Scene

MOST_VALUES = 40  # of one field that are told one by one


class View(Protocol):
    """What somebody sees of a table: a snapshot, or a client's view."""

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


def told(words: Words, scene: Scene, view: View, news: Iterable[Plain]) -> str:
    """All paragraphs, with an empty line between them."""
    paragraphs = [standing(words, scene, view)]
    if scene.board:
        paragraphs += [*words.told(scene), [*words.held(scene)]]
    if view.offer is not None:
        paragraphs.append([*offered(words, scene, view.offer.choices), *undoable(scene, view)])
    paragraphs.append([*reported(words, scene, news)])
    return "\n\n".join("\n".join(lines) for lines in paragraphs if lines)


def scene_of(game: str, view: View, catalog: Plain, lang: str, names: Sequence[str] | None) -> Scene:
    """The view as it is spoken of."""
    seats = view.info.seats if view.info else []
    people = [sitting.name if sitting else "" for sitting in seats] if names is None else list(names)
    waiting = [each.seat for each in view.waiting]
    return Scene(game, catalog, lang, people, view.seat, view.board, view.hand, waiting, plain=True)


# Where the game stands


def standing(words: Words, scene: Scene, view: View) -> list[str]:
    people = scene.listed(name or scene.label("empty") for name in scene.names)
    heading = words.heading(scene) if scene.board else None
    where = ended(heading.plain.replace(" · ", ". ")) if heading else narrate(scene.lang, "open")
    paused = [narrate(scene.lang, "paused")] if view.info and view.info.paused else []
    return [where, scene.label("seats", people=people), *paused, *awaited(scene, view.waiting)]


def awaited(scene: Scene, waiting: Iterable[Waiting]) -> Iterator[str]:
    """Everybody who holds the table up, since when, and until when he may."""
    for each in waiting:
        who = scene.names[each.seat] if each.seat < len(scene.names) else str(each.seat)
        key = "waiting" if each.since is None else "waiting since" if each.until is None else "waiting until"
        yield narrate(scene.lang, key, who=who, since=moment(each.since), until=moment(each.until))


def moment(milliseconds: int | None) -> str:
    return "" if milliseconds is None else f"{datetime.fromtimestamp(milliseconds / 1000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def reported(words: Words, scene: Scene, news: Iterable[Plain]) -> Iterator[str]:
    sentences = [sentence(words, each, scene).plain for each in news]
    if sentences:
        yield narrate(scene.lang, "news")
    yield from (line for each in sentences for line in lines_of(each))


# What can be done: the same questions with the same numbers as in the menus of the command line


def offered(words: Words, scene: Scene, choices: list[Choice]) -> Iterator[str]:
    """The offer as a numbered list; what is still open in an entry follows it, as a set."""
    visible = words.visible(choices, scene) or choices
    asked = question(visible, {}, words.apart) if visible else None
    if asked is not None:
        yield narrate(scene.lang, "offer" if scene.seat in scene.waiting else "offer free")
        yield from laid_out(words, scene, visible, words.arranged(asked, scene))


def laid_out(words: Words, scene: Scene, choices: list[Choice], asked: Question) -> Iterator[str]:
    match asked:
        case OneOf(entries):
            yield from numbered(entry(words, scene, choices, each) for each in entries)
        case Some(chosen, field, least, most, of):
            yield from lines_of(words.ask(field, chosen, scene).plain)
            yield f"{some(scene, least, most)}:"
            yield from numbered(ended(in_a_line(words.row(field, value, scene))) for value in of)
        case Number(chosen, field, low, high):
            yield from lines_of(words.ask(field, chosen, scene).plain)
            yield ended(narrate(scene.lang, "number", low=low, high=high))


def entry(words: Words, scene: Scene, choices: list[Choice], chosen: Partial) -> str:
    """An action as far as it is settled, and everything that is open in it."""
    parts = [words.whole(chosen, scene), *open_fields(words, scene, narrowed(choices, chosen), chosen)]
    return ended("; ".join(parts))


def open_fields(words: Words, scene: Scene, choices: list[Choice], chosen: Partial) -> Iterator[str]:
    for name in choices[0].fields:
        if name not in chosen:
            field = settled(choices, name) or listed(choices, name)
            yield f"{words.name_field(name, scene)}: {values(words, scene, name, field, chosen)}"


def values(words: Words, scene: Scene, name: str, field: Field, chosen: Partial) -> str:
    """What a field may be."""
    if isinstance(field, Range):
        return narrate(scene.lang, "number", low=field.low, high=field.high)
    if isinstance(field, Pick):
        return f"{some(scene, field.least, field.most)}: {few(words, scene, name, field.of, chosen)}"
    return few(words, scene, name, field, chosen)


def few(words: Words, scene: Scene, name: str, those: list[Any], chosen: Partial) -> str:
    """Values one by one, as far as anybody listens."""
    spoken = [words.option(name, value, chosen, scene) for value in those[:MOST_VALUES]]
    rest = [narrate(scene.lang, "more", count=len(those) - MOST_VALUES)] if len(those) > MOST_VALUES else []
    return ", ".join([*spoken, *rest])


def some(scene: Scene, least: int, most: int) -> str:
    return narrate(scene.lang, "exactly" if least == most else "from to", least=least, most=most)


def undoable(scene: Scene, view: View) -> Iterator[str]:
    if view.can_undo:
        yield narrate(scene.lang, "undo")


# Lines


def numbered(lines: Iterable[str]) -> Iterator[str]:
    return (f"{number}. {line}" for number, line in enumerate(lines, 1))


def in_a_line(columns: Iterable[RenderableType]) -> str:
    """Columns of a menu, one after the other."""
    words = (column.plain if isinstance(column, Text) else str(column) for column in columns)
    return ", ".join(filter(None, (word.strip() for word in words)))


def lines_of(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines() if line.strip()]


def ended(line: str) -> str:
    """A line that ends like a sentence."""
    return line if line.endswith((".", "!", "?", ":")) else f"{line}."
