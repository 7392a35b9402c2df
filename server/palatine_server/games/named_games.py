"""The loader of a game that an operator names: `package.module:GAME`, or the name of an installed game."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Mapping
from contextlib import redirect_stdout
from difflib import get_close_matches
from importlib import import_module
from types import ModuleType

from .kit import Game, GameError

HOW = "write package.module:GAME"


class UnknownGame(ValueError):  # noqa: N818 (a mistake of the operator)
    """A name that does not refer to a game, or a game that cannot be used; the message says what to do."""


def load_game(name: str, installed: Mapping[str, Game]) -> Game:
    """Return the game of this name; raise UnknownGame."""
    module, colon, attribute = name.partition(":")
    if not colon:
        return _find_installed(name, installed)
    if not attribute or not all(part.isidentifier() for part in (*module.split("."), *attribute.split("."))):
        raise UnknownGame(f"{name!r} does not name a game; {HOW}, for example my_games.chess:CHESS")
    return _find_game(name, _import(module), attribute)


def _find_installed(name: str, installed: Mapping[str, Game]) -> Game:
    known = name.lower().replace("-", "_")
    if known in installed:
        return installed[known]
    close = get_close_matches(known, installed, n=1)
    advice = f"Did you mean {close[0]}?" if close else f"Try {' or '.join([*installed, 'package.module:GAME'])}."
    raise UnknownGame(f"There is no game {name!r}. {advice}")


def _import(module: str) -> ModuleType:
    try:
        with redirect_stdout(sys.stderr):  # standard output may be for programs
            return import_module(module)
    except ModuleNotFoundError as error:
        if error.name and (module == error.name or module.startswith(f"{error.name}.")):
            advice = "check the spelling, run the command in the folder that holds it, or install its package"
            raise UnknownGame(f"there is no game at {module!r}: No module named {error.name!r}; {advice}") from None
        raise UnknownGame(f"{module!r} cannot be imported: {name_cause(error)}") from None
    except (Exception, SystemExit) as error:  # whatever another author's module does
        raise UnknownGame(f"{module!r} cannot be imported: {name_cause(error)}") from None


def _find_game(name: str, module: ModuleType, attribute: str) -> Game:
    found: object = module
    for part in attribute.split("."):
        found = getattr(found, part, None)
        if found is None:
            raise UnknownGame(f"there is no game at {name!r}: {module.__name__} has no {attribute}; {_suggest(module)}")
    if not isinstance(found, Game):
        raise UnknownGame(f"{name!r} is not a game but of type {type(found).__name__}; {_suggest(module)}")
    return found


def _suggest(module: ModuleType) -> str:
    games = [name for name, value in vars(module).items() if isinstance(value, Game)]
    return " or ".join(f"write {module.__name__}:{name}" for name in games) or HOW


def name_cause(error: BaseException) -> str:
    """Return an error of another author's module in one line, with the place where it was raised."""
    if isinstance(error, GameError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    if isinstance(error, SyntaxError):
        place = f" ({error.filename}, line {error.lineno})"
        return f"SyntaxError: {error.msg}{place}"
    return f"{type(error).__name__}: {error}{place}"
