"""The edition of a game's rules: a fingerprint of what they are written in, which nobody can forget to change.

A reworded comment makes another edition too; whether it plays differently is what `palatine shadow` finds out.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path


def edition_of(folder: Path) -> str:
    """The edition of the rules in this folder, as they are now: of its modules, its catalog and the kit."""
    return _fingerprint(
        [_kit(), *_fingerprints([*folder.glob("*.py"), *folder.glob("bots/*.py"), *folder.glob("catalog.toml")])]
    )[:12]


@cache
def _kit() -> str:
    return _fingerprint(_fingerprints(Path(__file__).parent.glob("*.py")))


def _fingerprints(files: Iterable[Path]) -> list[str]:
    return [sha256(file.read_bytes()).hexdigest() for file in sorted(files)]


def _fingerprint(parts: Iterable[str]) -> str:
    return sha256(" ".join(parts).encode()).hexdigest()
