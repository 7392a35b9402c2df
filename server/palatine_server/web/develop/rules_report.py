"""The report on changed rules: whether they can be loaded, and which live tables they play differently.

`palatine serve --reload` writes the report to the data directory, and the developer page shows it. It holds values of
hidden zones, so only the owner of the directory can read it, and only the developer page shows it.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

FILE = "rules-report.json"
LARGEST = 4 * 2**20  # bytes
MOST_DESCRIBED = 10  # tables that differ
Lang = Literal["en", "de"]
Kind = Literal["refused", "broken", "other", "stuck"]


class ValueDifference(Struct, frozen=True, kw_only=True):
    """A value of the document that the rules compute otherwise than the log has it."""

    zone: str  # "board", "box", "chance", "agenda", or "hand" and the number of a seat
    path: list[str]
    logged: str
    computed: str


class TableDifference(Struct, frozen=True, kw_only=True):
    """The first entry of a table that the changed rules play differently."""

    table: str
    game: str
    versions: int
    at: int
    did: str  # who did what
    kind: Kind
    cause: str = ""  # a refusal, or an error with its place in the rules
    values: list[ValueDifference] = []
    more: int = 0  # further values that differ
    is_stuck: bool = False  # the rules cannot go on from the end of the log


class RulesReport(Struct, frozen=True, kw_only=True):
    """What became of a change of the rules."""

    at: int  # milliseconds since 1970
    error: str = ""  # why the changed rules cannot be loaded; then the old ones stay
    changed: list[str] = []  # files
    folders: list[str] = []  # the folders of all games, which are watched
    troubles: list[str] = []  # installed games that cannot be used
    tables: int = 0  # live tables that were played again
    entries: int = 0
    left_out: int = 0  # live tables that were too many
    different: list[TableDifference] = []

    @property
    def is_worth_showing(self) -> bool:
        """Whether something was changed or differs; at the start of the server, often nothing does."""
        return bool(self.changed or self.different or self.error)


# Words

WORDS: dict[str, tuple[str, str]] = {
    "error": (
        "The changed rules cannot be loaded, so the old ones stay: {error}",
        "Die geänderten Regeln lassen sich nicht laden, also bleiben die alten: {error}",
    ),
    "summary": (
        "Running tables that were played again with the changed rules: {tables} ({entries} entries), "
        "different: {count}.",
        "Laufende Tische, die mit den geänderten Regeln nachgespielt wurden: {tables} ({entries} Einträge), "
        "abweichend: {count}.",
    ),
    "left out": ("Tables that were left out: {count}.", "Tische, die ausgelassen wurden: {count}."),
    "table": (
        "{game}, table {table}, entry {at} of {versions} ({did}): {how}",
        "{game}, Tisch {table}, Eintrag {at} von {versions} ({did}): {how}",
    ),
    "more tables": ("Further tables that differ: {count}.", "Weitere Tische, die abweichen: {count}."),
    "refused": ("the rules refuse it: {cause}", "die Regeln lehnen es ab: {cause}"),
    "broken": ("the rules break: {cause}", "die Regeln brechen ab: {cause}"),
    "other": ("the rules lead to another result.", "die Regeln führen zu einem anderen Ergebnis."),
    "stuck": ("the rules cannot go on from here: {cause}", "die Regeln kommen von hier nicht weiter: {cause}"),
    "value": (
        "{place}: {logged} in the log, {computed} by the rules",
        "{place}: im Log {logged}, nach den Regeln {computed}",
    ),
    "more": ("and {count} more", "und {count} weitere"),
    "path": (
        "A table that differs goes on from its stored document, and its log stays as it is. On the developer page you "
        "can fork it with the changed rules.",
        "Ein Tisch, der abweicht, geht von seinem gespeicherten Dokument weiter, und sein Log bleibt, wie es ist. Auf "
        "der Entwicklerseite kannst du ihn mit den geänderten Regeln abzweigen.",
    ),
    "path of stuck": (
        "A table from which the rules cannot go on is not served until they can; its log stays as it is.",
        "Ein Tisch, von dem die Regeln nicht weiterkommen, wird erst wieder bedient, wenn sie es können; sein Log "
        "bleibt, wie es ist.",
    ),
    "hand": ("hand of seat {seat}", "Hand von Platz {seat}"),
    "board": ("board", "Spielplan"),
    "box": ("box", "Schachtel"),
    "chance": ("chance", "Zufall"),
    "agenda": ("agenda", "Agenda"),
}


def say(lang: Lang, key: str, **values: object) -> str:
    """Return a text in a language, with these values in its places."""
    return WORDS[key][lang == "de"].format(**values)


def describe_report(report: RulesReport, lang: Lang) -> list[str]:
    """Return the report in words, line by line; lines that belong to a table are indented."""
    if report.error:
        return [say(lang, "error", error=report.error)]
    lines = [say(lang, "summary", tables=report.tables, entries=report.entries, count=len(report.different))]
    if report.left_out:
        lines.append(say(lang, "left out", count=report.left_out))
    for each in report.different[:MOST_DESCRIBED]:
        lines += describe_difference(each, lang)
    if (rest := len(report.different) - MOST_DESCRIBED) > 0:
        lines.append(say(lang, "more tables", count=rest))
    paths = {"path of stuck" if each.is_stuck else "path" for each in report.different}
    return [*lines, *(say(lang, path) for path in sorted(paths))]


def describe_difference(found: TableDifference, lang: Lang) -> list[str]:
    """Return the difference of one table in words."""
    how = say(lang, found.kind, cause=found.cause)
    place = {"game": found.game, "table": found.table, "at": found.at, "versions": found.versions}
    values = [say(lang, "value", place=name_place(each, lang), **_sides(each)) for each in found.values]
    more = [say(lang, "more", count=found.more)] if found.more else []
    return [say(lang, "table", did=found.did, how=how, **place), *(f"  {line}" for line in [*values, *more])]


def _sides(each: ValueDifference) -> dict[str, str]:
    return {"logged": each.logged, "computed": each.computed}


def name_place(each: ValueDifference, lang: Lang) -> str:
    """Return where a value is, from the zone to the field."""
    zone, _, seat = each.zone.partition(" ")
    return ", ".join([say(lang, zone, seat=seat), *each.path])


# The file


def write_report(report: RulesReport, folder: Path) -> None:
    """Write the report so that only the owner can read it; readers see the old one or the new one."""
    unfinished = folder / f".{FILE}.new"
    unfinished.unlink(missing_ok=True)
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(msgspec.json.encode(report))
    unfinished.replace(folder / FILE)


def read_report(folder: Path) -> RulesReport | None:
    """Return the last report; None if there is none that can be read."""
    try:
        with (folder / FILE).open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST), type=RulesReport)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None
