"""The platform's phrases in every language, and the lookup of translations.

A language is one module here and one in each package of `render.games`, under the name that `LANGUAGES` gives it.
`completeness.list_gaps` names everything that such a module still lacks.
"""

from __future__ import annotations

import locale
import os
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Literal, cast

Lang = Literal["en", "de"]

LANGUAGES = {"en": "english", "de": "german"}  # the module that holds a language, by its code


@cache
def load_language(package: str, lang: str) -> ModuleType:
    """Import and return a package's translation for a language; for unknown languages, return English."""
    return import_module(f"{package}.{LANGUAGES.get(lang, LANGUAGES['en'])}")


def label(lang: str, key: str, **values: object) -> str:
    """Return a phrase of the command line in a language."""
    return str(load_language(__name__, lang).LABELS[key].format(**values))


def has_narration(lang: str, key: str) -> bool:
    """Return whether a language has this phrase of the narration."""
    return key in load_language(__name__, lang).NARRATION


def narrate(lang: str, key: str, **values: object) -> str:
    """Return a phrase of the narration in a language."""
    return str(load_language(__name__, lang).NARRATION[key].format(**values))


def translate_refusal(lang: str, code: str, sentence: str, *, at_table: bool = False) -> str:
    """Return the client's sentence for a refusal, or the server's if there is none."""
    language = load_language(__name__, lang)
    tables = (language.TABLE_REFUSALS, language.REFUSALS)
    first, second = tables if at_table else reversed(tables)
    return str(first.get(code) or second.get(code, sentence))


def translate_close_code(lang: str, code: int, sentence: str) -> str:
    """Return the client's sentence for a close code, or the server's if there is none."""
    return str(load_language(__name__, lang).CONNECTION_ENDINGS.get(code, sentence))


def has_refusal(lang: str, code: str) -> bool:
    """Return whether the client has its own sentence for a refusal."""
    language = load_language(__name__, lang)
    return code in language.TABLE_REFUSALS or code in language.REFUSALS


def detect_language() -> Lang:
    """Return the language that the environment asks for, or English if there is no translation for it."""
    settings = (os.environ.get(name) for name in ("PALATINE_LANG", "LC_ALL", "LC_MESSAGES", "LANG"))
    wanted = next((name for name in settings if name), None) or locale.getlocale()[0] or ""
    code = wanted[:2].lower()
    return cast("Lang", code if code in LANGUAGES else "en")
