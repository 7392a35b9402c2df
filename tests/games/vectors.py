"""Vectors that are read completely: a runner that overlooks a key of a case fails."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rules import rule


class Reading(dict[str, Any]):
    """An object of a vector; it remembers which of its keys were read."""

    def __init__(self, given: dict[str, Any]) -> None:
        super().__init__({key: _reading(value) for key, value in given.items()})
        self._read: set[str] = set()

    def __getitem__(self, key: str) -> Any:
        self._read.add(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._read.add(key)
        return super().get(key, default)

    def items(self) -> Any:
        self._read |= self.keys()
        return super().items()

    def values(self) -> Any:
        self._read |= self.keys()
        return super().values()

    def __eq__(self, other: object) -> bool:
        self.read_all()
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]

    def read_all(self) -> None:
        """Count everything in here as read: it was compared or handed on as a whole."""
        for part in _objects(list(self.values())):
            part.read_all()

    def unread(self, at: str = "") -> Iterator[str]:
        """The paths of all keys that nobody has read."""
        for key, value in super().items():
            if key not in self._read:
                yield f"{at}{key}"
            else:
                yield from (path for part in _objects(value) for path in part.unread(f"{at}{key}."))


def _reading(value: Any) -> Any:
    if isinstance(value, dict):
        return Reading(value)
    return [_reading(item) for item in value] if isinstance(value, list) else value


def _objects(value: Any) -> Iterator[Reading]:
    if isinstance(value, Reading):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _objects(item)


def read_vectors(path: Path) -> list[dict[str, Any]]:
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))["vectors"]
    return cases


def as_params(cases: list[dict[str, Any]]) -> list[Any]:
    """The cases as parameters of a test, each under its id and with its rules."""
    return [pytest.param(case, id=case["id"], marks=rule(*case["rules"])) for case in cases]


def run_case(case: dict[str, Any], run: Any, about: set[str]) -> None:
    """Run one case; every key must be read, but for those that only say what it is about."""
    reading = Reading(case)
    run(reading)
    unread = [path for path in reading.unread() if path not in about]
    assert not unread, f"no runner reads {unread}"
