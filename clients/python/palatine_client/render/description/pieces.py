"""The pieces of a game: the names, texts and figures that its catalog gives them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from .labels import GameLabels
from .untrusted import LONGEST, Plain, format_number, get_text, humanise_name

# What a catalog says about an entry rather than about the piece on the table.
BOOKKEEPING = {"id", "source", "note", "why", "number", "count", "copies", "rulebook"}
NONE = "none"  # how catalogs say that a piece has no such figure
MOST_FIGURES = 12  # figures of one piece


class Pieces:
    """Finds the entries of a catalog by their ids."""

    def __init__(self, catalog: Any, labels: GameLabels) -> None:
        self._catalog: Plain = catalog if isinstance(catalog, dict) else {}
        self._labels = labels
        self._indexes: dict[str, dict[str, Plain]] = {}

    def find(self, name: str, sections: Sequence[str] = ()) -> Plain | None:
        """Return the entry of a piece in one of these sections; without sections, in any."""
        for section in sections or self._catalog:
            if entry := self._index(section).get(name):
                return entry
        return None

    def _index(self, section: str) -> dict[str, Plain]:
        if section not in self._indexes:
            self._indexes[section] = dict(list_entries(self.follow(section)))
        return self._indexes[section]

    def follow(self, section: str) -> Any:
        """Return a section of the catalog by its path; None if there is none."""
        found: Any = self._catalog
        for step in section.split("."):
            found = found.get(step) if isinstance(found, dict) else None
        return found

    # Names, texts and figures

    def name(self, name: str, entry: Plain | None) -> str:
        """Return the name of a piece in the language, in English, or else its id in readable form."""
        return get_text(entry, f"name_{self._labels.lang}") or get_text(entry, "name_en") or humanise_name(name)

    def describe(self, entry: Plain | None) -> str:
        """Return the text that the catalog has about a piece; nothing if it has none."""
        return get_text(entry, f"text_{self._labels.lang}") or get_text(entry, "text_en")

    def list_figures(self, entry: Plain | None) -> list[str]:
        """Return the figures of a piece, such as `gold 6`: those with labels, or else all that can be read."""
        entry = entry or {}
        shown = self._labels.list_figures() or [name for name in entry if is_figure(name)]
        figures = ((name, self._format(name, entry[name])) for name in shown if name in entry)
        return [f"{self._labels.name_figure(name)} {value}" for name, value in figures if value][:MOST_FIGURES]

    def _format(self, figure: str, value: Any, depth: int = 2) -> str:
        """Return a figure in words; nothing if it is neither a number nor a name."""
        if isinstance(value, list | dict) and depth:
            return ", ".join(filter(None, self._format_parts(figure, value, depth - 1)))[:LONGEST]
        if isinstance(value, int | float) and not isinstance(value, bool):
            return format_number(value)
        return self._format_text(figure, value) if isinstance(value, str) else ""

    def _format_parts(self, figure: str, value: list[Any] | Plain, depth: int) -> Iterator[str]:
        if isinstance(value, list):
            yield from (self._format(figure, item, depth) for item in value[:MOST_FIGURES])
            return
        for name, part in [*value.items()][:MOST_FIGURES]:
            if shown := self._format(figure, part, depth):
                yield f"{self.name(name, self.find(name))} {shown}"

    def _format_text(self, figure: str, text: str) -> str:
        if text == NONE or not text.isidentifier():
            return ""
        return self._labels.find("words", figure, text) or self.name(text, self.find(text))


def list_entries(section: Any) -> Iterator[tuple[str, Plain]]:
    """Yield the entries of a section with their ids: a list of tables with an id, or a table of tables."""
    if isinstance(section, dict):
        yield from ((name, entry) for name, entry in section.items() if isinstance(entry, dict))
    for entry in section if isinstance(section, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry["id"], entry


def is_figure(name: str) -> bool:
    """Return whether a field of the catalog tells a player something, going by its name."""
    return name not in BOOKKEEPING and not name.startswith(("name_", "text_")) and not name.endswith("_source")
