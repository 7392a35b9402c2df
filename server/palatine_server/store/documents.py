"""Documents of a whole store: a few small texts that never expire, such as its signing keys.

They change by compare-and-replace. With Redis they are in Redis, so that all nodes share them; otherwise each is a file
in the data directory that only its owner can read.
"""

from __future__ import annotations

import fcntl
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from anyio import to_thread

from .contract import CannotOpen, Unavailable


class Documents(Protocol):
    """Stores documents by name."""

    async def read(self, name: str) -> bytes | None:
        """Return the document with this name, if there is one."""

    async def replace(self, name: str, expected: bytes | None, content: bytes) -> bool:
        """Store a document durably if it still is what the caller expects; None expects that there is none."""


class FileDocuments(Documents):
    """Documents as files of a directory, with mode 0600."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    async def read(self, name: str) -> bytes | None:
        return await to_thread.run_sync(self._read, name)

    async def replace(self, name: str, expected: bytes | None, content: bytes) -> bool:
        return await to_thread.run_sync(self._replace, name, expected, content)

    def _path(self, name: str) -> Path:
        return self._directory / f"{name}.json"

    def _read(self, name: str) -> bytes | None:
        path = self._path(name)
        try:
            with path.open("rb") as file:
                if os.fstat(file.fileno()).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
                    raise CannotOpen(f"{path} can be read by other users; run: chmod 600 {path}")
                return file.read()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise CannotOpen(f"{path} cannot be read: {error.strerror}") from None

    def _replace(self, name: str, expected: bytes | None, content: bytes) -> bool:
        try:
            self._directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            with self._locked(name):
                if self._read(name) != expected:
                    return False
                write_private(self._path(name), content)
                return True
        except OSError as error:
            raise Unavailable(f"{self._path(name)} cannot be written: {error.strerror}") from error

    @contextmanager
    def _locked(self, name: str) -> Iterator[None]:
        lock = os.open(self._directory / f"{name}.lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)


def write_private(path: Path, content: bytes) -> None:
    """Replace a file durably with one that only its owner can read; a reader never sees half of it."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    unfinished.unlink(missing_ok=True)  # left by a killed process that had our process id
    with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    directory = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(directory)
    finally:
        os.close(directory)
