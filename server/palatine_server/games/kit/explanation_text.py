"""Words: a game's `explain.toml` says in German and English what its reasons mean, checked when it is read.

A sentence has places for figures: "Servants in the {room}: {count}." What stands there is a number, a name of the
catalog or of the table `name`, a player, a cell, or several of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any, Literal

import msgspec
from msgspec import Struct

from .explanations import Reason

Lang = Literal["en", "de"]
SEATS = {"seat", "seats"}


class ExplanationTextError(ValueError):
    """An entry of the words is wrong; the message names it."""


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """The same in two languages."""

    en: str
    de: str

    def figures(self) -> set[str]:
        """What it has places for."""
        return _figures(self.en)


class ExplanationText(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game has words for."""

    topic: dict[str, Phrase] = {}  # questions
    what: dict[str, Phrase] = {}  # reasons
    name: dict[str, Phrase] = {}  # components
    refusal: dict[str, str] = {}  # sentences, from English to German

    def sentence(self, reason: Reason, lang: Lang, players: Sequence[str] = ()) -> str:
        """A reason in words."""
        phrase = getattr(REFUSED if reason.what == "refused" else self.what[reason.what], lang)
        figures = {name: self._said(name, value, lang, players) for name, value in reason.figures.items()}
        return str(phrase.format_map({"amount": str(reason.amount), **figures}))

    def question(self, question: Mapping[str, Any], lang: Lang, players: Sequence[str] = ()) -> str:
        """A question in words."""
        phrase: str = getattr(self.topic[question["do"]], lang)
        return phrase.format_map({name: self._said(name, value, lang, players) for name, value in question.items()})

    def account(self, reason: Reason, lang: Lang, players: Sequence[str] = (), depth: int = 0) -> Iterator[str]:
        """A reason and all behind it, a line each."""
        amount = "" if reason.amount is None else f"{reason.amount}  "
        rule = f" [{reason.rule}]" if reason.rule else ""
        yield f"{'  ' * depth}{amount}{self.sentence(reason, lang, players)}{rule}"
        for cause in reason.because:
            yield from self.account(cause, lang, players, depth + 1)

    def _said(self, figure: str, value: Any, lang: Lang, players: Sequence[str]) -> str:
        if isinstance(value, list):
            return ", ".join(self._said(figure, _cell(item), lang, players) for item in value) or NONE[lang]
        if figure in SEATS:
            return players[value] if value < len(players) else f"{SEAT[lang]} {value + 1}"
        return self._named(value, lang) if isinstance(value, str) else str(value)

    def _named(self, name: str, lang: Lang) -> str:
        return str(getattr(self.name[name], lang)) if name in self.name else name


def _cell(item: Any) -> Any:
    """What stands in a list is a number, a name, or a cell."""
    return "({}, {})".format(*item) if isinstance(item, list | tuple) else item


SEAT = {"en": "Player", "de": "Spieler"}
NONE = {"en": "none", "de": "keine"}
REFUSED = Phrase("{sentence}", "{sentence}")

# The refusals that every game has.
COMMON = {
    "You have nothing to decide now.": "Du hast jetzt nichts zu entscheiden.",
    "This kind of action is not possible now.": "Eine solche Aktion ist jetzt nicht möglich.",
    "This action is not among those offered to you.": "Diese Aktion steht dir jetzt nicht offen.",
    "The game is over.": "Das Spiel ist vorbei.",
}


# Reading


def read_explanation_text(text: str, names: Mapping[str, Phrase]) -> ExplanationText:
    """The words written in this text, with the names of the catalog, if nothing is wrong with them."""
    try:
        words = msgspec.convert(tomllib.loads(text), ExplanationText)
    except msgspec.ValidationError as error:
        raise ExplanationTextError(f"explain.toml: {error}. Correct or complete this entry.") from None
    for kind, phrases in (("topic", words.topic), ("what", words.what), ("name", words.name)):
        for name, phrase in phrases.items():
            _check(f"{kind} {name!r}", phrase)
    sentences = {english: Phrase(english, german) for english, german in (COMMON | words.refusal).items()}
    return msgspec.structs.replace(words, name={**names, **sentences, **words.name})


def _check(entry: str, phrase: Phrase) -> None:
    if not phrase.en or not phrase.de:
        raise ExplanationTextError(f"explain.toml, {entry}: a language is missing. Write both.")
    if _figures(phrase.en) != _figures(phrase.de):
        raise ExplanationTextError(f"explain.toml, {entry}: both languages must have places for the same figures.")
    if not all(name.isidentifier() for name in _figures(phrase.en)):
        raise ExplanationTextError(f"explain.toml, {entry}: a place holds the name of a figure and nothing else.")


def _figures(phrase: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(phrase) if name is not None}


NO_TEXT = read_explanation_text("", {})
