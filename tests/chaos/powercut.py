"""Power cuts: discard what a process wrote and did not sync, or all but the first part of it."""

from __future__ import annotations

import atexit
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

SOURCE = Path(__file__).with_name("powercut.c")
HEAD = struct.Struct("3l")
COMPILERS = ("cc", "gcc", "clang")


def compile_shim() -> Path:
    """Compile the library that journals writes, and return its path."""
    return compile_library(SOURCE)


@cache
def compile_library(source: Path) -> Path:
    """Compile a library to preload, once in each process, and return its path."""
    folder = Path(tempfile.mkdtemp(prefix="palatine-"))  # no other user can write there
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = folder / f"{source.stem}.so"
    subprocess.run(
        [*compiler(folder), "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lpthread"], check=True
    )
    return library


def compiler(folder: Path) -> list[str]:
    """Return the machine's C compiler, or one from PyPI."""
    if found := next(filter(None, map(shutil.which, COMPILERS)), None):
        return [found]
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--target", folder, "ziglang"], check=True)
    return [str(folder / "ziglang" / "zig"), "cc"]


class UnsyncedWrite(NamedTuple):
    """A write that was not synced: its offset, the file's size before it, and the bytes it replaced."""

    at: int
    size: int
    before: bytes

    def undo(self, file: Path, torn: float) -> None:
        """Undo the write; of bytes that it appended, a share of `torn` stays."""
        grown = file.stat().st_size - self.size
        with file.open("r+b") as disk:
            disk.seek(self.at)
            disk.write(self.before)
            disk.truncate(self.size + int(torn * grown) if grown > 0 and not self.before else self.size)


class PowerCutDisk:
    """A directory whose files lose what was not synced when the power is `cut`."""

    def __init__(self, directory: Path) -> None:
        self.directory, self._journal = directory, Path(f"{directory}.undo")
        self._journal.mkdir()
        self._is_recording = False  # the journal has had an entry
        self.undone = 0  # writes that were discarded

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment that the process must be started with."""
        return {"LD_PRELOAD": str(compile_shim()), "POWERCUT": str(self.directory)}

    def cut(self, rng: Random) -> None:
        """Discard what was not synced; the process must be dead."""
        self._is_recording = self._is_recording or any(self._journal.iterdir())
        if not self._is_recording:
            raise RuntimeError("the preloaded library recorded nothing: the power cut would have no effect")
        files = {str(file.stat().st_ino): file for file in self.directory.rglob("*") if file.is_file()}
        for writes in self._journal.iterdir():
            if writes.name in files:
                self._undo(files[writes.name], list(parse_writes(writes.read_bytes())), rng)
            writes.unlink()

    def _undo(self, file: Path, writes: list[UnsyncedWrite], rng: Random) -> None:
        """Undo all writes of a file; sometimes keep the first few, and a part of the next one."""
        kept = rng.choice([0, 0, rng.randrange(len(writes) + 1)])
        for number, write in reversed([*enumerate(writes)][kept:]):
            write.undo(file, torn=rng.random() if number == kept and kept else 0.0)
            self.undone += 1


def parse_writes(words: bytes) -> Iterator[UnsyncedWrite]:
    """Yield the writes in the journal of a file, oldest first; the last record may be incomplete."""
    at = 0
    while at + HEAD.size <= len(words):
        offset, size, count = HEAD.unpack_from(words, at)
        at += HEAD.size + count
        if at <= len(words):
            yield UnsyncedWrite(offset, size, words[at - count : at])
