"""Catalogs: the components of a game as data, with the source of each figure, checked when they are read."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

import msgspec

from .game_error import GameError

Source = Literal["rulebook", "public", "reconstructed", "translated"]
C = TypeVar("C")


class CatalogError(GameError):
    """An entry of the catalog is wrong; the message names the entry and says what to do."""

    def __init__(self, entry: str, trouble: str, remedy: str) -> None:
        super().__init__(f"catalog.toml, {entry}: {trouble}. {remedy}.")


def read_catalog(text: str, kind: type[C], checks: Iterable[Callable[[C], None]]) -> C:
    """Read and check a catalog; raise CatalogError if an entry is wrong."""
    raw = tomllib.loads(text)
    try:
        catalog = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise CatalogError(_place(raw, str(error)), str(error), "Correct or complete this entry") from None
    for check in checks:
        check(catalog)
    return catalog


def _place(raw: Mapping[str, Any], message: str) -> str:
    """Return the entry that a message with a path such as `$.room[3].points` or `$.park.rows[1].id` names."""
    listed = re.search(r"\$\.(?:(\w+)\.)?(\w+)\[(\d+)\]", message)
    if not listed:
        return "top"
    above, table, index = listed[1], listed[2], int(listed[3])
    entry = (raw[above] if above else raw)[table][index]
    return f"{table} {entry.get('id', f'number {index + 1}')!r}"


# Checks


def require(holds: bool, entry: str, trouble: str, remedy: str) -> None:
    if not holds:
        raise CatalogError(entry, trouble, remedy)


def same(entry: str, what: str, found: object, expected: object, remedy: str) -> None:
    require(found == expected, entry, f"{what} is {found}, expected {expected}", remedy)


def known(entry: str, what: str, found: str, names: Iterable[str]) -> None:
    names = list(names)
    require(found in names, entry, f"{what} {found!r} is unknown", f"Use one of: {', '.join(filter(None, names))}")


def unique(ids: Iterable[str]) -> None:
    """Check that every component has its own id."""
    for name, times in Counter(ids).items():
        require(times == 1, repr(name), f"this id appears {times} times", "Give each component its own id")
