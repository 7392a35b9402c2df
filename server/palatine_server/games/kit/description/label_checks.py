"""Checks of labels against their game: what they name exists, their placeholders are fields, and what is missing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..explanations.explanation_text import Phrase
from .labels import NO_LABELS, Coordinates, Labels, LabelsError, UnitLabel, parse_labels
from .schemas import build_schemas, walk_nodes
from .vocabulary import Vocabulary, read_vocabulary

if TYPE_CHECKING:
    from ..game import Game

FILE = "labels.toml"


def read_labels(game: Game) -> Labels:
    """Read and check the labels in the folder of a game; raise LabelsError. A game without the file has no labels."""
    file = game.folder / FILE
    if not file.exists():
        return NO_LABELS
    labels = parse_labels(_read_text(file))
    vocabulary = read_vocabulary(build_schemas(game))
    for check in (_check_names, _check_phrases, _check_placeholders, _check_words):
        check(labels, vocabulary)
    _check_figures(labels, game.catalog)
    return labels


def _read_text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise LabelsError("top", "this is not UTF-8", "Save the file as UTF-8") from None


# Checks


def _check_names(labels: Labels, vocabulary: Vocabulary) -> None:
    for table in ("verbs", "fields", "news", "options", "zones", "words", "units"):
        known = {*getattr(vocabulary, table), *(labels.figures if table == "words" else ())}
        for name in getattr(labels, table):
            if name not in known:
                remedy = f"Remove it, or use one of: {', '.join(sorted(known)) or 'nothing yet'}"
                raise LabelsError(f"{table}.{name}", "the game has nothing of this name", remedy)


def _check_words(labels: Labels, vocabulary: Vocabulary) -> None:
    for group, words in labels.words.items():
        known = vocabulary.words.get(group)
        for name in words:
            if known and name not in known:
                remedy = f"Remove it, or use one of: {', '.join(sorted(known))}"
                raise LabelsError(f"words.{group}.{name}", "the game has no such word", remedy)


def _check_figures(labels: Labels, catalog: Any) -> None:
    known = {name for entry in walk_nodes(catalog) for name in entry}
    for name in labels.figures:
        if name not in known:
            remedy = "Remove it, or use the name of a field of an entry"
            raise LabelsError(f"figures.{name}", "the catalog has nothing of this name", remedy)


def _check_phrases(labels: Labels, vocabulary: Vocabulary) -> None:
    for entry, phrase, fields in list_phrases(labels, vocabulary):
        if not phrase.en or not phrase.de:
            raise LabelsError(entry, "a language is missing", "Write it in English (en) and German (de)")
        if fields is None and _places(entry, phrase.en + phrase.de):
            raise LabelsError(entry, "a label has no placeholders", "Write them into the sentence instead")


def _check_placeholders(labels: Labels, vocabulary: Vocabulary) -> None:
    for entry, phrase, fields in list_phrases(labels, vocabulary):
        _check_sentence(entry, phrase, fields or set())


def _check_sentence(entry: str, phrase: Phrase, fields: set[str]) -> None:
    places = _places(entry, phrase.en)
    if places != _places(entry, phrase.de):
        raise LabelsError(entry, "English and German have different placeholders", "Give both the same ones")
    for place in sorted(places - fields):
        remedy = f"Use one of: {', '.join(sorted(fields)) or 'none, it has no fields'}"
        raise LabelsError(entry, f"no field is named {{{place}}}", remedy)


def _places(entry: str, sentence: str) -> set[str]:
    try:
        return Phrase(sentence, sentence).figures()
    except ValueError as error:
        raise LabelsError(entry, f"this is no template: {error}", "Write {{ and }} for braces") from None


Entries = Iterator[tuple[str, Phrase, set[str] | None]]


def list_phrases(labels: Labels, vocabulary: Vocabulary) -> Entries:
    """Yield every phrase with its place in the file and the fields that it may name; a label names none."""
    yield from _sentences(labels, vocabulary)
    for table in ("fields", "options", "errors", "zones", "units", "figures"):
        yield from _plain_phrases(table, getattr(labels, table).items())
    for group, words in labels.words.items():
        yield from _plain_phrases(f"words.{group}", words.items())
    yield from _plain_phrases("seats", ((str(at), phrase) for at, phrase in enumerate(labels.seats)))
    yield from _plain_phrases("coordinates", _coordinate_phrases(labels.coordinates))


def _coordinate_phrases(coordinates: Coordinates) -> Iterator[tuple[str, Phrase]]:
    if coordinates.origin:
        yield "origin", coordinates.origin
    for axis in coordinates.axes:
        yield f"axes.{axis.name}.label", axis.label
        yield f"axes.{axis.name}.towards", axis.towards
    for name, form in (("cell", coordinates.cell), ("vertex", coordinates.vertex)):
        if form:
            yield f"{name}.looks", form.looks


def _sentences(labels: Labels, vocabulary: Vocabulary) -> Entries:
    for verb, verb_label in labels.verbs.items():
        yield f"verbs.{verb}.label", verb_label.label, None
        if verb_label.sentence:
            yield f"verbs.{verb}.sentence", verb_label.sentence, vocabulary.verbs[verb]
    for name, news_label in labels.news.items():
        yield f"news.{name}.sentence", news_label.sentence, vocabulary.news[name]


def _plain_phrases(table: str, phrases: Iterable[tuple[str, Any]]) -> Entries:
    for name, phrase in phrases:
        yield f"{table}.{name}", _as_phrase(phrase), None
        if isinstance(phrase, UnitLabel) and phrase.one:
            yield f"{table}.{name}.one", phrase.one, None


def _as_phrase(phrase: Any) -> Phrase:
    return Phrase(phrase.en, phrase.de)


# Completeness


def find_missing_labels(game: Game) -> list[str]:
    """Return the entries that labels.toml lacks, such as `verbs.place` or `words.phase.over`."""
    vocabulary, labels = read_vocabulary(build_schemas(game)), game.labels
    missing = [
        f"{table}.{name}"
        for table in ("verbs", "fields", "news", "options", "zones", "words", "units")
        for name in sorted(getattr(vocabulary, table))
        if name not in getattr(labels, table)
    ]
    missing += [f"verbs.{verb}.sentence" for verb, label in labels.verbs.items() if label.sentence is None]
    for group, words in vocabulary.words.items():
        missing += [f"words.{group}.{name}" for name in sorted(words - labels.words.get(group, {}).keys())]
    return missing
