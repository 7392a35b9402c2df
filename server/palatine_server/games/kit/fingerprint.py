"""The edition of a game's rules: a fingerprint of their files, which changes with every edit.

Even a reworded comment makes another edition; `palatine shadow` shows whether two editions play differently.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path


def edition_of(folder: Path) -> str:
    """Return the edition of the rules in this folder: a hash of its modules, its catalog and the kit."""
    files = [*folder.glob("*.py"), *folder.glob("bots/*.py"), *folder.glob("catalog.toml")]
    return _fingerprint([_fingerprint_kit(), *_fingerprints(files)])[:12]


@cache
def _fingerprint_kit() -> str:
    """Return the fingerprint of what plays a game, bots included; words and descriptions play nothing."""
    folder = Path(__file__).parent
    return _fingerprint(_fingerprints([*folder.glob("*.py"), *folder.glob("hidden_zones/*.py")]))


def _fingerprints(files: Iterable[Path]) -> list[str]:
    return [sha256(file.read_bytes()).hexdigest() for file in sorted(files)]


def _fingerprint(parts: Iterable[str]) -> str:
    return sha256(" ".join(parts).encode()).hexdigest()
