"""The registry of mutants, and how a mutant is planted: it wraps functions until a block ends.

A mutant wraps the original function where possible, so that it stays the same bug when the code around it changes. It
names the invariants that may find it; other findings do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from inspect import getattr_static
from typing import Any
from unittest.mock import patch

Wrapper = Callable[[Any], Any]  # from the original to its replacement
Change = tuple[Any, Any, Wrapper]  # an attribute of an object, or an item of a dictionary
Changes = Callable[[], list[Change]]


class Mutant:
    """A planted bug."""

    def __init__(self, name: str, sentence: str, invariants: frozenset[str], changes: Changes) -> None:
        self.name, self.sentence, self.invariants, self._changes = name, sentence, invariants, changes

    @contextmanager
    def plant(self) -> Iterator[None]:
        """Plant the bug until the block ends."""
        with ExitStack() as stack:
            for change in self._changes():
                stack.enter_context(_patch(*change))
            yield


def _patch(owner: Any, name: Any, wrapper: Wrapper) -> AbstractContextManager[Any]:
    if isinstance(owner, dict):
        return patch.dict(owner, {name: wrapper(owner[name])})
    return patch.object(owner, name, wrapper(getattr_static(owner, name)))


@contextmanager
def patch_instance(owner: Any, name: str, replacement: Callable[..., Any]) -> Iterator[None]:
    """Replace a method of one object until the block ends, also if its class has slots; the block must not await."""
    kind, original = type(owner), getattr_static(type(owner), name)

    def replaced(self: Any, *given: Any) -> Any:
        return replacement(*given) if self is owner else original(self, *given)

    with patch.object(kind, name, replaced):
        yield


MUTANTS: dict[str, Mutant] = {}


def mutant(sentence: str, *invariants: str) -> Callable[[Changes], Changes]:
    """Register a mutant under the name of its function."""

    def register(changes: Changes) -> Changes:
        MUTANTS[changes.__name__] = Mutant(changes.__name__, sentence, frozenset(invariants), changes)
        return changes

    return register


def do_nothing(original: Any) -> Any:
    """Return a replacement for an awaited function that does nothing."""

    async def nothing(*given: Any) -> None:
        pass

    return nothing
