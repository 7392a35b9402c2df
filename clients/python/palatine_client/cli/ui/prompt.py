"""Renders the questions of a menu."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ...menu import Number, OneOf, Partial, Question, SomeOf
from ...render.terminal.layout import number_rows
from ...render.text.render_context import RenderContext

if TYPE_CHECKING:
    from ...render.text import GameText
    from ...render.text.base import Seen


def render_question(
    asked: Question, chosen: Partial, scene: RenderContext, words: GameText, seen: Seen
) -> RenderableType:
    """Render a question with all its answers."""
    match asked:
        case OneOf(entries, ""):
            return number_rows([words.render_columns(entry, chosen, scene) for entry in entries])
        case OneOf(entries, field):
            return render_field(field, entries, scene, words, seen)
        case SomeOf(before, field, _, _, of):
            return Group(
                make_bold(words.render_question(field, before, scene)),
                number_rows([words.render_row(field, it, before, scene) for it in of]),
            )
        case Number(before, field, _, _):
            return make_bold(words.render_question(field, before, scene))


def render_field(
    field: str, entries: list[Partial], scene: RenderContext, words: GameText, seen: Seen
) -> RenderableType:
    """Render the values of one field, as a drawing if the game has one."""
    before = {name: value for name, value in entries[0].items() if name != field}
    values = [entry[field] for entry in entries]
    picture = words.render_picture(field, before, values, scene, seen)
    listed = picture or number_rows([words.render_row(field, value, before, scene) for value in values])
    asked = make_bold(words.render_question(field, before, scene))
    return Group(listed, asked) if picture else Group(asked, listed)


def make_bold(text: Text) -> Text:
    return Text.assemble(text, style="bold")


def describe_expected_input(asked: Question, scene: RenderContext) -> str:
    """Return the prompt for a question."""
    match asked:
        case SomeOf(_, _, least, most, _) if least == most:
            return scene.label("choose some", count=least, example=" ".join(map(str, range(1, least + 1))))
        case SomeOf(_, _, least, most, _):
            return scene.label("choose from to", least=least, most=most)
        case Number(_, _, low, high):
            return scene.label("choose number", low=low, high=high)
    return scene.label("choose")
