"""The location of a store, and access to it that does not disturb a server."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec import Struct

from .output import NO_ANSWER, give_up

if TYPE_CHECKING:
    from ..store.readonly import ReadonlyStore

T = TypeVar("T")


class StoreLocation(Struct, frozen=True):
    """A data directory, or the URL of a Redis or Valkey."""

    data: Path
    url: str
    durability: str

    @property
    def arguments(self) -> str:
        """The options that name this store; a URL may hold a password, so it is not repeated."""
        return " --store URL" if self.url else f" --data {self.data}"


def run_with_archive(work: Callable[[ReadonlyStore], Awaitable[T]], location: StoreLocation) -> T:
    """Open a store for reading, call `work` with it, and return the result."""
    import anyio

    from ..store.readonly import open_readonly_store

    async def run() -> T:
        archive = await open_readonly_store(location.data, location.url, location.durability)
        try:
            return await work(archive)
        finally:
            await archive.close()

    return anyio.run(run)


def run_or_give_up(work: Callable[[ReadonlyStore], Awaitable[T]], location: StoreLocation) -> T:
    """Call `work` with a store; on an error of the store or the table, print a sentence and end the command."""
    from ..games.kit import Refused
    from ..store import CannotOpen, Unavailable

    try:
        return run_with_archive(work, location)
    except (CannotOpen, Unavailable) as why:
        give_up(str(why) or NO_ANSWER)
    except Refused as why:
        give_up(why.sentence)
