"""A wrong clock: a preloaded library shifts the time of day of a process."""

from __future__ import annotations

import atexit
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from chaos.powercut import compiler

SOURCE = Path(__file__).with_name("wrong_clock.c")


@cache
def compile_shim() -> Path:
    """Compile the library to preload, once in each process."""
    folder = Path(tempfile.mkdtemp(prefix="palatine-"))  # no other user can write there
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    library = folder / "wrong_clock.so"
    subprocess.run([*compiler(folder), "-O2", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
    return library


def wrong_clock(milliseconds: int) -> dict[str, str]:
    """Return the environment that shifts the time of day by so many milliseconds."""
    return {"LD_PRELOAD": str(compile_shim()), "WRONG_CLOCK": str(milliseconds)}
