"""The watch over the files of games: it notices which of them have changed."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

SUFFIXES = (".py", ".toml", ".md")
MOST_FILES = 5_000

Stamps = dict[str, tuple[int, int]]  # when each file was changed last, and its size


def read_stamps(folders: Iterable[str]) -> Stamps:
    """Return the stamps of all files of games below these folders."""
    stamps: Stamps = {}
    for path in walk_files(folders):
        try:
            found = os.stat(path)
        except OSError:  # an editor replaces it just now
            continue
        stamps[path] = found.st_mtime_ns, found.st_size
        if len(stamps) == MOST_FILES:
            break
    return stamps


def walk_files(folders: Iterable[str]) -> Iterator[str]:
    for folder in folders:
        for place, subfolders, names in os.walk(folder):
            subfolders[:] = sorted(name for name in subfolders if name[0] not in "._")
            yield from (os.path.join(place, name) for name in sorted(names) if is_watched(name))


def is_watched(name: str) -> bool:
    """Return whether a file belongs to a game; editors write hidden files beside it."""
    return name.endswith(SUFFIXES) and not name.startswith(".")


def list_changed(before: Stamps, now: Stamps) -> list[str]:
    """Return the files that are new, gone or changed, as short as they can be written."""
    changed = [path for path in {**before, **now} if before.get(path) != now.get(path)]
    return [shorten(Path(path)) for path in sorted(changed)]


def shorten(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
