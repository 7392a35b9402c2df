"""The completeness check of translations: each must have all tables and keys of English."""

from __future__ import annotations

from collections.abc import Iterator
from string import Formatter
from types import ModuleType
from typing import Any


def list_gaps(translation: ModuleType, english: ModuleType) -> list[str]:
    """Return the tables and keys of English that a translation lacks, and phrases whose placeholders differ.

    A translation may also use the verb forms that it defines itself in `VERB_FORMS`.
    """
    verb_forms = {*getattr(translation, "VERB_FORMS", {})}
    return [
        gap
        for table in sorted(name for name in vars(english) if name.isupper())
        for gap in compare_tables(table, getattr(translation, table, None), getattr(english, table), verb_forms)
    ]


def compare_tables(table: str, translated: Any, english: Any, verb_forms: set[str]) -> Iterator[str]:
    """Return the keys that one table of a translation lacks."""
    if not isinstance(translated, type(english)):
        yield f"{table} is missing"
    elif isinstance(english, dict) and table != "VERB_FORMS":
        for key, phrase in english.items():
            if key not in translated:
                yield f"{table}[{key!r}] is missing"
            elif list_placeholders(translated[key]) - verb_forms != list_placeholders(phrase) - verb_forms:
                yield f"{table}[{key!r}] has other placeholders than English"


def list_placeholders(phrase: str | tuple[str, ...]) -> set[str]:
    """Return the names that a phrase, or any of its forms, has in braces."""
    forms = (phrase,) if isinstance(phrase, str) else phrase
    return {name for form in forms for _, name, *_ in Formatter().parse(form) if name is not None}
