"""Disks that can be full, broken or read-only for a while.

As root the disk is a small tmpfs, and a ballast file really fills it. Where mounting is not allowed, a preloaded
library lets the system calls of the server fail with the same error. The library also makes the faults that no file
system here can be brought to: EIO and EROFS under open files.
"""

from __future__ import annotations

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from chaos.powercut import compile_library

SOURCE = Path(__file__).with_name("disk_faults.c")
SIZE = 256 * 2**20  # bytes; more than a long run of games writes
BLOCKS = (2**20, 4096)  # bytes that are written at once, until no more fit


class FaultyDisk:
    """A directory below which every write fails while a fault lasts."""

    def __init__(self, directory: Path) -> None:
        self.directory, self._control = directory, Path(f"{directory}.errno")

    @property
    def environment(self) -> dict[str, str]:
        """Return the environment that the server must be started with."""
        return {"LD_PRELOAD": str(compile_library(SOURCE)), "DISK_FAULTS": str(self.directory)}

    def fail(self, number: int) -> None:
        """Let every write fail with this errno from now on."""
        unfinished = self._control.with_suffix(".part")
        unfinished.write_text(str(number))
        unfinished.rename(self._control)

    def fill(self) -> None:
        self.fail(errno.ENOSPC)

    def heal(self) -> None:
        """Let writes succeed again."""
        self._control.unlink(missing_ok=True)

    def close(self) -> None:
        self.heal()


class SmallDisk:
    """A mounted tmpfs that a ballast file can fill to the last block."""

    def __init__(self, directory: Path, size: int = SIZE) -> None:
        self.directory, self._ballast = directory, directory / "ballast"
        self.environment: dict[str, str] = {}
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "palatine-test", str(directory)]
        subprocess.run(mount, check=True, capture_output=True)

    def fill(self) -> None:
        """Use up every free block."""
        with self._ballast.open("ab", buffering=0) as ballast:
            for size in BLOCKS:
                with suppress(OSError):
                    while ballast.write(b"\0" * size) == size:
                        pass

    def heal(self) -> None:
        """Free the blocks."""
        self._ballast.unlink(missing_ok=True)

    def make_read_only(self) -> None:
        """Refuse every write from now on; no file may be open for writing."""
        subprocess.run(["mount", "-o", "remount,ro", str(self.directory)], check=True, capture_output=True)

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.directory)], check=True, capture_output=True)


def make_fillable_disk(directory: Path, size: int = SIZE) -> SmallDisk | FaultyDisk:
    """Return a disk that can be filled: a tmpfs where mounting is allowed, else one whose system calls fail."""
    try:
        return SmallDisk(directory, size)
    except (subprocess.CalledProcessError, FileNotFoundError):
        return FaultyDisk(directory)


@contextmanager
def mount_fillable_disk(directory: Path, size: int = 32 * 2**20) -> Iterator[SmallDisk | FaultyDisk]:
    """Mount such a disk until the block ends."""
    directory.mkdir(exist_ok=True)
    disk = make_fillable_disk(directory, size)
    try:
        yield disk
    finally:
        disk.close()
