"""Phrases of a translation filled with coloured parts."""

from __future__ import annotations

from collections.abc import Mapping
from string import Formatter
from types import ModuleType

from rich.text import Text

Part = Text | str


def fill_phrase(phrase: str, parts: Mapping[str, Part]) -> Text:
    """Put parts into the placeholders of a phrase; each part keeps its colour."""
    text = Text()
    for words, name, _, _ in Formatter().parse(phrase):
        text.append(words)
        if name is not None:
            part = parts[name]
            text.append_text(part if isinstance(part, Text) else Text(part))
    return text


def choose_verb_forms(language: ModuleType, *, is_viewer: bool) -> dict[str, Part]:
    """Return the verb forms of a language that address the viewer, or those for other players."""
    return {name: own if is_viewer else other for name, (own, other) in language.VERB_FORMS.items()}
