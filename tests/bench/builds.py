"""Palatine compiled as it is deployed: this checkout, and the commit that it is measured against."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

CHECKOUT = Path(__file__).parents[2]
REFERENCE = "1eec13c"  # the commit that bars are ratios to
COMPLETE = "complete"  # a file in the folder of a build that was finished
BACKPORT = "async-timeout"  # redis-py needs it before Python 3.11.3; Debian's Python is older
SOME_WORK = "import json, timeit; print(min(timeit.repeat(lambda: json.loads('[{}]', object_hook=dict), number=50000)))"


class NoReferenceError(Exception):
    """The reference commit cannot be built here; the message says why, and what to do."""


def build_both(folder: Path, is_reused: bool = False) -> tuple[Path, Path]:
    """Compile this checkout, unless the last build is to be used again, and the reference; return where they are."""
    current, reference = folder / "palatine", folder / f"palatine-{REFERENCE}"
    if not (reference / COMPLETE).exists():
        check_reference()
    with ThreadPoolExecutor(2) as threads:  # both at once
        builds = [threads.submit(build_reference, reference)]
        if not (is_reused and (current / COMPLETE).exists()):
            builds.append(threads.submit(build, CHECKOUT, current))
        for each in builds:
            each.result()
    return current, reference


def build_reference(code: Path) -> Path:
    """Compile the reference, unless that was done before: a commit never changes."""
    if (code / COMPLETE).exists():
        return code
    with reference_source() as source:
        return build(source, code)


def check_reference() -> None:
    """Raise a sentence if the reference commit is not in this clone."""
    found = subprocess.run(["git", "cat-file", "-e", f"{REFERENCE}^{{commit}}"], cwd=CHECKOUT, capture_output=True)
    if found.returncode:
        raise NoReferenceError(
            f"Commit {REFERENCE}, which Palatine is compared with, is not in this clone. "
            "If the clone is shallow, fetch the rest of it with: git fetch --unshallow"
        )


@contextmanager
def reference_source() -> Iterator[Path]:
    """Check out the reference beside this checkout, until the block ends."""
    with TemporaryDirectory(prefix="palatine-reference-") as folder:
        source = Path(folder) / REFERENCE
        git = ["git", "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(source), REFERENCE], cwd=CHECKOUT, check=True)
        try:
            yield source
        finally:
            subprocess.run([*git, "remove", "--force", str(source)], cwd=CHECKOUT, check=True)


def build(source: Path, code: Path) -> Path:
    """Compile a checkout; its counter game is put beside its code."""
    shutil.rmtree(code, ignore_errors=True)
    pip = [sys.executable, "-m", "pip"]
    with TemporaryDirectory(prefix="palatine-wheel-") as wheels:
        wheel = [*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", wheels, str(source)]
        subprocess.run(wheel, env={**os.environ, "PALATINE_COMPILED": "1"}, check=True)
        for built in Path(wheels).glob("palatine-*.whl"):
            shutil.unpack_archive(built, code, "zip")
    install = [*pip, "install", "--quiet", "--disable-pip-version-check", "--target", str(code), BACKPORT]
    subprocess.run(install, check=True)
    shutil.copytree(source / "tests" / "bench" / "counter", code / "bench" / "counter")
    (code / COMPLETE).touch()
    return code


def python_path(code: Path) -> str:
    """Return the PYTHONPATH of a build: its own code first, then what is installed here."""
    return os.pathsep.join([str(code), sysconfig.get_path("purelib")])


def find_interpreter() -> str:
    """Return the quickest Python of our version: the image's is built with optimisations, ours may not be."""
    others = (f"{place}/python3.{sys.version_info.minor}" for place in ("/usr/bin", "/usr/local/bin"))
    return min((sys.executable, *filter(os.path.exists, others)), key=_slowness)


def _slowness(python: str) -> float:
    return float(subprocess.check_output([python, "-c", SOME_WORK]))
