"""The source files of a game: the modules in its folder that are imported."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from ..games.kit import Game


def list_source_files(game: Game) -> list[Path]:
    """Return the files of all imported modules in the folder of a game; a compiled module has its source beside it."""
    folder = game.folder.resolve()
    files = {Path(file).resolve() for module in [*sys.modules.values()] if (file := getattr(module, "__file__", None))}
    sources = {file.with_name(f"{file.name.partition('.')[0]}.py") for file in files if folder in file.parents}
    return sorted(file for file in sources if file.is_file())


def read_sources(game: Game) -> str:
    """Return the text of all source files of a game."""
    return "".join(path.read_text(encoding="utf-8") for path in list_source_files(game))


def walk_sources(game: Game) -> Iterator[ast.AST]:
    """Yield all nodes of the syntax trees of a game."""
    for path in list_source_files(game):
        yield from ast.walk(ast.parse(path.read_text(encoding="utf-8")))
