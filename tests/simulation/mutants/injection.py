"""How a bug is planted: what is there is wrapped, as long as a block lasts.

A mutant wraps what it can and rewrites what it must, so that it stays the same bug when the code around it changes. It
names the invariants by which it may be found: a mutant that only breaks something else is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from inspect import getattr_static
from typing import Any
from unittest.mock import patch

Wrapper = Callable[[Any], Any]  # from what is there to what takes its place
Change = tuple[Any, Any, Wrapper]  # an attribute of something, or an item of a dictionary
Changes = Callable[[], list[Change]]


class Mutant:
    """One planted bug."""

    def __init__(self, name: str, sentence: str, invariants: frozenset[str], changes: Changes) -> None:
        self.name, self.sentence, self.invariants, self._changes = name, sentence, invariants, changes

    @contextmanager
    def plant(self) -> Iterator[None]:
        """As long as the block lasts, the bug is there."""
        with ExitStack() as stack:
            for change in self._changes():
                stack.enter_context(_patch(*change))
            yield


def _patch(owner: Any, name: Any, wrapper: Wrapper) -> AbstractContextManager[Any]:
    if isinstance(owner, dict):
        return patch.dict(owner, {name: wrapper(owner[name])})
    return patch.object(owner, name, wrapper(getattr_static(owner, name)))


MUTANTS: dict[str, Mutant] = {}


def mutant(sentence: str, *invariants: str) -> Callable[[Changes], Changes]:
    """Put a bug on the list, under the name of its function."""

    def register(changes: Changes) -> Changes:
        MUTANTS[changes.__name__] = Mutant(changes.__name__, sentence, frozenset(invariants), changes)
        return changes

    return register


def do_nothing(original: Any) -> Any:
    """In place of something that is awaited."""

    async def nothing(*given: Any) -> None:
        pass

    return nothing
