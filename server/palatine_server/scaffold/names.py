"""The names of a new game or bot: one that the author gives, and those that follow from it."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Collection
from importlib.util import find_spec
from unicodedata import combining, normalize

from msgspec import Struct

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
NAME = re.compile(r"[a-z][a-z0-9_]{1,39}", re.ASCII)
TITLE = re.compile(r"[^\W_](?:[\w ',.!?&:-]{0,38}[\w.!?])?")  # nothing that ends a string in Python, TOML or Markdown


class BadName(ValueError):  # noqa: N818 (a mistake of the author)
    """A name that a new game or bot cannot have: the key of a text that says why, and its values."""

    def __init__(self, key: str, **values: str) -> None:
        super().__init__(key)
        self.key, self.values = key, values


class GameNames(Struct, frozen=True, kw_only=True):
    """Everything that is named after a game."""

    name: str  # of the package and the game: harbour_lights
    title: str  # Harbour Lights
    title_de: str

    @property
    def placeholders(self) -> dict[str, str]:
        """Return the values of the placeholders in the templates."""
        words = [word for word in self.name.split("_") if word]
        return {
            "name": self.name,
            "title": self.title,
            "title_de": self.title_de,
            "constant": self.name.upper(),
            "distribution": "-".join(words),
            "text_class": "".join(map(str.capitalize, words)) + "Text",
            "prefix": build_prefix(words),
        }


def build_prefix(words: list[str]) -> str:
    """Return the prefix of the rule ids: the initials of several words, or the beginning of one."""
    initials = "".join(word[0] for word in words)
    return (initials if len(words) > 1 and initials.isalpha() else words[0][:2]).upper()


def name_game(name: str, title: str = "", title_de: str = "", taken: Collection[str] = ()) -> GameNames:
    """Return the names of a new game; raise BadName. No game may have a name in `taken`."""
    check_form(name)
    if name in taken:
        raise BadName("game exists", name=name)
    check_modules(name)
    usual = " ".join(map(str.capitalize, name.split("_")))
    for given in filter(None, (title, title_de)):
        if not TITLE.fullmatch(given):
            raise BadName("bad title", title=given)
    return GameNames(name=name, title=title or usual, title_de=title_de or title or usual)


def name_bot(name: str) -> dict[str, str]:
    """Return the placeholders of a new bot; raise BadName."""
    check_form(name)
    check_modules(name)
    words = [word for word in name.split("_") if word]
    title = " ".join(map(str.capitalize, words))
    return {"name": name, "title": title, "class": title.replace(" ", ""), "distribution": "-".join(words)}


def check_form(name: str) -> None:
    """Raise BadName unless a package can have this name."""
    if not NAME.fullmatch(name) or name.endswith("_") or "__" in name:
        raise BadName("no identifier", name=name, better=suggest_name(name))
    if is_taken_by_python(name):
        raise BadName("python uses it", name=name)


def is_taken_by_python(name: str) -> bool:
    return keyword.iskeyword(name) or keyword.issoftkeyword(name) or name in {*sys.stdlib_module_names, "tests"}


def check_modules(name: str) -> None:
    """Raise BadName if there is a module of this name already."""
    if find_spec(name) is not None:
        raise BadName("module exists", name=name)


def suggest_name(name: str) -> str:
    """Return a name like this one that a package can have."""
    better = re.sub(r"[^a-z0-9]+", "_", spell_in_ascii(name)).strip("_")[:40].strip("_")
    return better if NAME.fullmatch(better) and not is_taken_by_python(better) else "my_package"


def spell_in_ascii(name: str) -> str:
    """Return a name in small letters without accents; German umlauts become two letters."""
    spelled = normalize("NFC", name).casefold().translate(UMLAUTS)
    return "".join(letter for letter in normalize("NFKD", spelled) if not combining(letter))
