"""Labels: a game's `labels.toml` names its actions, news, options, zones and words in German and English.

The file is optional, and so is every entry: a client shows a missing label as the identifier in readable form. What the
file says is checked when it is read: it names only things that the game has, in both languages.
"""

from __future__ import annotations

import tomllib
from typing import Literal

import msgspec
from msgspec import Struct

from ..explanations.explanation_text import Phrase, find_wrong_entry


class LabelsError(ValueError):
    """An entry of labels.toml is wrong; the message names it and says what to do."""

    def __init__(self, entry: str, trouble: str, remedy: str) -> None:
        super().__init__(f"labels.toml, {entry}: {trouble}. {remedy}.")


class VerbLabel(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An action in a menu, and the whole action as a sentence with its fields as placeholders."""

    label: Phrase
    sentence: Phrase | None = None


class NewsLabel(Struct, frozen=True, forbid_unknown_fields=True):
    """News as a sentence with its fields as placeholders."""

    sentence: Phrase


class UnitLabel(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The name of a unit in the plural, and in the singular if that differs."""

    en: str
    de: str
    one: Phrase | None = None


class Axis(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An axis of the coordinate system."""

    name: str  # as fields of the document name it
    label: Phrase
    direction: Literal["right", "left", "up", "down"]  # the direction in which it grows
    towards: Phrase  # the same in the words of the game
    values: list[str] = []  # if the coordinates are not numbers


class PointForm(Struct, frozen=True, forbid_unknown_fields=True):
    """The form of a cell or a vertex in a document: a list of coordinates, or their values joined to one text."""

    form: Literal["list", "text"]
    looks: Phrase
    example: list[int] | str


class Coordinates(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The coordinate system of a game."""

    kind: Literal["grid", "none"] = "none"
    axes: list[Axis] = []
    origin: Phrase | None = None
    cell: PointForm | None = None
    vertex: PointForm | None = None  # a corner that cells share


class Labels(Struct, frozen=True, forbid_unknown_fields=True):
    """The labels of a game."""

    verbs: dict[str, VerbLabel] = {}
    fields: dict[str, Phrase] = {}  # of actions and news
    news: dict[str, NewsLabel] = {}
    options: dict[str, Phrase] = {}
    errors: dict[str, Phrase] = {}  # by the code of a refusal
    zones: dict[str, Phrase] = {}  # fields of the board, the hands, and their structs
    words: dict[str, dict[str, Phrase]] = {}  # by group
    units: dict[str, UnitLabel] = {}
    figures: dict[str, Phrase] = {}  # fields of catalog entries that players need, in the order in which they are shown
    seats: list[Phrase] = []  # names of the seats after the last player's, for which the rules or a partner play
    coordinates: Coordinates = Coordinates()


NO_LABELS = Labels()


def parse_labels(text: str) -> Labels:
    """Read labels.toml; raise LabelsError if an entry has the wrong form."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LabelsError("top", f"this is not TOML: {error}", "Correct the file") from None
    try:
        return msgspec.convert(raw, Labels)
    except msgspec.ValidationError as error:
        raise LabelsError(find_wrong_entry(raw, Labels), str(error), "Correct or complete this entry") from None
