"""Explanation texts: a game's `explain.toml` words its reasons in German and English, checked when it is read.

A sentence has placeholders for figures: "Servants in the {room}: {count}." A figure is a number, a name of the
catalog or of the table `name`, a player, a cell, or several of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from string import Formatter
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ..game_error import GameError
from .reasons import Reason

Lang = Literal["en", "de"]
SEATS = {"seat", "seats"}


class ExplanationTextError(GameError):
    """An entry of explain.toml is wrong; the message names it and says what to do."""


class Phrase(Struct, frozen=True, forbid_unknown_fields=True):
    """A text in two languages."""

    en: str
    de: str

    def figures(self) -> set[str]:
        """Return the names of the figures in its placeholders."""
        return _figures(self.en)


class ExplanationText(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a game, for questions, reasons, components and refusals."""

    topic: dict[str, Phrase] = {}  # questions
    what: dict[str, Phrase] = {}  # reasons
    name: dict[str, Phrase] = {}  # components
    refusal: dict[str, str] = {}  # sentences, from English to German

    def sentence(self, reason: Reason, lang: Lang, players: Sequence[str] = ()) -> str:
        """Return a reason as a sentence."""
        figures = {name: self._word(name, value, lang, players) for name, value in reason.figures.items()}
        phrase = REFUSED if reason.what == "refused" else self.what.get(reason.what)
        if phrase is None:
            return _say_plainly(reason.what, figures)
        return str(getattr(phrase, lang).format_map({"amount": str(reason.amount), **figures}))

    def question(self, question: Mapping[str, Any], lang: Lang, players: Sequence[str] = ()) -> str:
        """Return a question as a sentence."""
        figures = {name: self._word(name, value, lang, players) for name, value in question.items() if name != "do"}
        phrase = self.topic.get(question["do"])
        return _say_plainly(question["do"], figures) if phrase is None else getattr(phrase, lang).format_map(figures)

    def account(self, reason: Reason, lang: Lang, players: Sequence[str] = (), depth: int = 0) -> Iterator[str]:
        """Yield a reason and all reasons behind it, a line each."""
        amount = "" if reason.amount is None else f"{reason.amount}  "
        rule = f" [{reason.rule}]" if reason.rule else ""
        yield f"{'  ' * depth}{amount}{self.sentence(reason, lang, players)}{rule}"
        for cause in reason.because:
            yield from self.account(cause, lang, players, depth + 1)

    def _word(self, figure: str, value: Any, lang: Lang, players: Sequence[str]) -> str:
        if isinstance(value, list):
            return ", ".join(self._word(figure, _word_cell(item), lang, players) for item in value) or NONE[lang]
        if figure in SEATS:
            return players[value] if value < len(players) else f"{SEAT[lang]} {value + 1}"
        return self._translate_name(value, lang) if isinstance(value, str) else str(value)

    def _translate_name(self, name: str, lang: Lang) -> str:
        return str(getattr(self.name[name], lang)) if name in self.name else name


def _say_plainly(name: str, figures: Mapping[str, str]) -> str:
    """Return a reason or a question that explain.toml does not word: its name and its figures."""
    said = ", ".join(f"{figure.replace('_', ' ')} {value}" for figure, value in figures.items())
    return ": ".join(filter(None, (name.replace("_", " ").capitalize(), said)))


def _word_cell(item: Any) -> Any:
    """Format an item of a list if it is a cell; return numbers and names as they are."""
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
    """Read and check explain.toml, and add the names of the catalog; raise ExplanationTextError."""
    raw = tomllib.loads(text)
    try:
        words = msgspec.convert(raw, ExplanationText)
    except msgspec.ValidationError as error:
        place = find_wrong_entry(raw, ExplanationText)
        raise ExplanationTextError(f"explain.toml, {place}: {error}. Correct or complete this entry.") from None
    for kind, phrases in (("topic", words.topic), ("what", words.what), ("name", words.name)):
        for name, phrase in phrases.items():
            _check(f"{kind} {name!r}", phrase)
    sentences = {english: Phrase(english, german) for english, german in (COMMON | words.refusal).items()}
    return msgspec.structs.replace(words, name={**names, **sentences, **words.name})


def find_wrong_entry(raw: Mapping[str, Any], kind: type[Struct]) -> str:
    """Return the first entry of a file that this type cannot hold; the message of msgspec does not say its key."""
    for table, entries in raw.items():
        for name, entry in entries.items() if isinstance(entries, dict) else ():
            if not _is_readable({table: {name: entry}}, kind):
                return f"{table}.{name}"
        if not _is_readable({table: entries}, kind):
            return table
    return "top"


def _is_readable(part: Mapping[str, Any], kind: type[Struct]) -> bool:
    try:
        msgspec.convert(part, kind)
    except msgspec.ValidationError:
        return False
    return True


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
