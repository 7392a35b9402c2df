"""The files of a new package, made from templates, and written all or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from string import Template
from tempfile import mkdtemp

TEMPLATES = Path(__file__).parent / "template"  # of a game
BOT_TEMPLATES = Path(__file__).parent / "bot_template"
SUFFIX = ".tmpl"
HIDDEN = {"gitignore": ".gitignore"}  # a wheel would leave a hidden template out


class FolderExists(Exception):  # noqa: N818 (a state of the world, not a mistake)
    """There is something at the place of the new package already."""


def build_files(placeholders: Mapping[str, str], templates: Path = TEMPLATES) -> dict[PurePosixPath, str]:
    """Return the text of each file by its path in the package's folder."""
    files = {}
    for template in sorted(templates.rglob(f"*{SUFFIX}")):
        parts = template.relative_to(templates).with_suffix("").parts
        named = [placeholders["name"] if part == "package" else HIDDEN.get(part, part) for part in parts]
        files[PurePosixPath(*named)] = Template(template.read_text("utf-8")).substitute(placeholders)
    return files


def write_package(folder: Path, files: Mapping[PurePosixPath, str]) -> None:
    """Write all files below a new folder; raise FolderExists or OSError, and then leave nothing behind.

    The files are written to a folder beside it, which then gets its name, so that no half of a package is ever there.
    """
    if os.path.lexists(folder):
        raise FolderExists(folder)
    unfinished = Path(mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for path, text in files.items():
            file = unfinished / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8", newline="\n")
        unfinished.chmod(0o777 & ~read_umask())  # mkdtemp lets only the owner in
        unfinished.rename(folder)
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise


def read_umask() -> int:
    """Return the permissions that new files of this process do not get."""
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
