"""The registry of games: those that are installed, by name, and those that an operator names.

A package registers a game as an entry point of the group `palatine.games`. The entry point has the name of the game and
refers to its `Game`; ours are registered in the same way. An entry point of another package that cannot be used is
logged and left out, so that it does not stop a server.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from importlib.metadata import EntryPoint, entry_points

from .kit import Game
from .named_games import UnknownGame, load_game, name_cause

GROUP = "palatine.games"
OWN = "palatine"  # the distribution whose games no other package can replace

log = logging.getLogger("palatine.games")


def load_installed() -> tuple[dict[str, Game], list[str]]:
    """Return the games of all installed packages by name, and a sentence for each entry point that cannot be used."""
    games, troubles = dict[str, Game](), list[str]()
    for entry in sorted(entry_points(group=GROUP), key=_order):
        try:
            games |= _load_entry(entry, games)
        except UnknownGame as why:
            troubles.append(f"{_name_package(entry)} registers a game that cannot be used: {why}")
    return games, troubles


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    """Put our own games first, in the order of their names, so that the order is always the same."""
    package = _name_package(entry)
    return package != OWN, package, entry.name


def _name_package(entry: EntryPoint) -> str:
    return str(entry.dist.name) if entry.dist else "a package"


def _load_entry(entry: EntryPoint, known: dict[str, Game]) -> dict[str, Game]:
    game = _import_entry(entry)
    if not isinstance(game, Game):
        raise UnknownGame(f"{entry.value!r} is of type {type(game).__name__}; let the entry point refer to a Game")
    if game.name != entry.name:
        raise UnknownGame(f"its entry point is named {entry.name!r}; name it {game.name!r}, like the game")
    if known.get(game.name, game) is not game:
        raise UnknownGame(f"another package has a game named {game.name!r}; uninstall one of them or rename the game")
    return {game.name: game}


def _import_entry(entry: EntryPoint) -> object:
    try:
        with redirect_stdout(sys.stderr):  # standard output may be for programs
            return entry.load()
    except (Exception, SystemExit) as error:  # whatever another author's module does
        raise UnknownGame(f"{entry.value!r} cannot be imported: {name_cause(error)}; correct or uninstall it") from None


GAMES, _troubles = load_installed()


def load_games(names: Iterable[str]) -> dict[str, Game]:
    """Return the installed games and the named ones, each named as `package.module:GAME`; raise UnknownGame."""
    report_troubles()
    named = dict[str, Game]()
    for game in (load_game(name, GAMES) for name in names):
        if named.setdefault(game.name, game) is not game:
            raise UnknownGame(f"two games are named {game.name!r}; rename one of them or name only one with --game")
    games = GAMES | named
    if not games:
        raise UnknownGame("no game is installed; install palatine again with pip, or name a game with --game")
    return games


def report_troubles() -> None:
    """Log the entry points that could not be used, once in each process."""
    while _troubles:
        log.error("%s", _troubles.pop(0))
