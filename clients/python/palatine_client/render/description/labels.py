"""The labels of a game in one language; what has none is shown as its identifier in readable form."""

from __future__ import annotations

from typing import Any

from .untrusted import get_list, get_table, get_text, humanise_name


class GameLabels:
    """Finds the labels and sentences that a game's description has."""

    def __init__(self, description: Any, lang: str) -> None:
        self.lang = lang
        self._tables = get_table(description, "labels")

    def find(self, *path: str) -> str:
        """Return the text at this place in the language, or else in English; nothing if there is none."""
        phrase = get_table(self._tables, *path)
        return get_text(phrase, self.lang) or get_text(phrase, "en")

    def find_sentence(self, table: str, name: str) -> str:
        """Return the sentence of a verb or of news; nothing if there is none."""
        return self.find(table, name, "sentence")

    def name_verb(self, verb: str) -> str:
        return self.find("verbs", verb, "label") or humanise_name(verb)

    def name_field(self, field: str) -> str:
        """Return the name of a field of an action or of news."""
        return self.find("fields", field) or self.find("zones", field) or humanise_name(field).lower()

    def name_zone(self, zone: str) -> str:
        """Return the name of a field of a document."""
        return self.find("zones", zone) or humanise_name(zone)

    def name_option(self, option: str) -> str:
        return self.find("options", option) or self.name_zone(option)

    def name_word(self, group: str, word: str) -> str:
        return self.find("words", group, word) or humanise_name(word)

    def name_seat(self, after: int) -> str:
        """Return the name of a seat without a player, by its place after the last player's; nothing if it has none."""
        others = get_list(self._tables, "seats")
        phrase = others[after] if 0 <= after < len(others) else None
        return get_text(phrase, self.lang) or get_text(phrase, "en")

    def has_word(self, group: str, word: str) -> bool:
        return bool(self.find("words", group, word))

    def name_unit(self, unit: str, amount: float) -> str:
        """Return the name of a unit, in the singular for one."""
        one = self.find("units", unit, "one") if amount == 1 else ""
        return one or self.find("units", unit) or humanise_name(unit).lower()

    def name_figure(self, figure: str) -> str:
        """Return the name of a figure that entries of the catalog have."""
        unit = self.find("units", figure) or self.find("units", figure.removesuffix("s"))
        return self.find("figures", figure) or unit or self.find("zones", figure) or humanise_name(figure).lower()

    def list_figures(self) -> list[str]:
        """Return the figures of pieces that the game has labels for, in the order in which they are shown."""
        return [*get_table(self._tables, "figures")]
