"""The plain facts of a game: its name, its title, the number of its players, its folder, and lists that are lists."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..game import Game

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
MOST_SEATS = 16  # the protocol numbers seats from 0 to 15
LISTS = {"actions": "classes", "news": "classes", "rules": "functions"}
MAPPINGS = ("title", "policies", "offers_read", "sealed", "moments", "topics", "grounds")


def find_wrong_facts(game: Game) -> Iterator[str]:
    """Yield the mistakes in the plain facts of a game."""
    yield from _find_wrong_name(game.name)
    yield from _find_wrong_players(game.players)
    yield from _find_wrong_folder(game.folder)
    for field, items in LISTS.items():
        yield from _find_wrong_list(field, getattr(game, field), items)
    for field in MAPPINGS:
        if not isinstance(getattr(game, field), Mapping):
            yield f"{field}={getattr(game, field)!r} is no mapping; write {field}={{...}}"
    if isinstance(game.title, Mapping):
        yield from _find_wrong_title(game.title)


def _find_wrong_name(name: Any) -> Iterator[str]:
    if not isinstance(name, str) or not NAME.fullmatch(name):
        yield (
            f"name={name!r} is no identifier; use up to 64 lower-case letters, digits and underscores, beginning with"
            " a letter, for example lantern_quay"
        )


def _find_wrong_title(title: Mapping[Any, Any]) -> Iterator[str]:
    if "en" not in title:
        yield f'title={dict(title)!r} has no English; write title={{"en": "Lantern Quay", "de": "Laternenkai"}}'
    for lang, text in title.items():
        if not isinstance(text, str) or not text.strip():
            yield f"title[{lang!r}]={text!r} is no title; write the name of the game in this language"


def _find_wrong_players(players: Any) -> Iterator[str]:
    if not isinstance(players, range):
        yield f"players={players!r} is no range; write range(2, 5) for 2 to 4 players"
    elif not players:
        yield f"players={players!r} is empty, because a range ends before its last number; for 2 write range(2, 3)"
    elif players.step != 1 or players[0] < 1 or players[-1] > MOST_SEATS:
        yield f"players={players!r} is not possible; use whole numbers from 1 to {MOST_SEATS}, in steps of 1"


def _find_wrong_folder(folder: Any) -> Iterator[str]:
    if not isinstance(folder, Path):
        yield f"folder={folder!r} is no path; write folder=Path(__file__).parent"
    elif not folder.is_dir():
        yield f"folder={str(folder)!r} does not exist; write folder=Path(__file__).parent"
    elif not (folder / "RULES.md").is_file():
        yield (
            f"there is no RULES.md in {str(folder)!r}; write the rules there, each with an id. An empty file is enough"
            " to begin with"
        )


def _find_wrong_list(field: str, found: Any, items: str) -> Iterator[str]:
    if isinstance(found, str):
        yield f"{field}={found!r} is a string; write a tuple of {items}"
    elif not isinstance(found, tuple):
        hint = f"({found.__name__},)" if hasattr(found, "__name__") else "(...,)"
        yield f"{field} is of type {type(found).__name__}; write a tuple of {items}, {field}={hint}, with its comma"
    elif not found and field != "news":
        yield f"{field} is empty; name the {items} of the game"
