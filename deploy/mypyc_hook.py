"""A build hook that compiles the modules on the path of every action when PALATINE_COMPILED=1, as in the Docker image.

mypyc translates these strictly typed Python modules to C; a few modules are written in C. The hook never compiles a
checkout, so that edits to a file take effect. Without a C compiler, leave the variable out: everything works, at half
the speed.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SETUP = """
from mypyc.build import mypycify
from setuptools import Extension, setup

parts = mypycify({words!r}, opt_level={level!r}, debug_level="0", group_name="palatine")
parts += [Extension(name, [path], extra_compile_args=["-O" + {level!r}]) for name, path in {extensions!r}]
setup(name="palatine", packages=[], ext_modules=parts)
"""
ROOTS = "protocol", "server", "clients/python"


def compiled(root: Path, modules: list[str], folder: Path) -> list[Path]:
    """Compile modules, of Python or of C, in this folder; return the paths of the extension modules below `lib`."""
    sources = [str(root / module) for module in modules if module.endswith(".py")]
    words = ["--strict", "--explicit-package-bases", *sources]
    extensions = [(find_name(module), str(root / module)) for module in modules if module.endswith(".c")]
    level = os.environ.get("MYPYC_OPT_LEVEL", "3")
    (folder / "setup.py").write_text(SETUP.format(words=words, level=level, extensions=extensions))
    path = os.pathsep.join(str(root / place) for place in ROOTS)
    command = [sys.executable, "setup.py", "--quiet", "build_ext", "--build-lib", "lib"]
    subprocess.run(command, cwd=folder, env={**os.environ, "MYPYPATH": path}, check=True)  # noqa: S603 (our own)
    return sorted((folder / "lib").rglob("*.so"))


def find_name(module: str) -> str:
    """Return the name under which Python imports the module that is made from this file."""
    place = next(root for root in ROOTS if module.startswith(f"{root}/"))
    return ".".join(Path(module).relative_to(place).with_suffix("").parts)


class Compiling(BuildHookInterface[Any]):
    """Adds the compiled modules to the wheel, beside their Python sources."""

    def is_wanted(self) -> bool:
        return os.environ.get("PALATINE_COMPILED") == "1" and self.target_name == "wheel"

    def dependencies(self) -> list[str]:
        """Return the requirements of the build: the compiler, and the packages whose types it must know."""
        core = self.metadata.core
        return (
            ["mypy[mypyc]>=1.14", *core.dependencies, *core.optional_dependencies["server"]] if self.is_wanted() else []
        )

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if not self.is_wanted() or version == "editable":
            return
        self._folder = tempfile.TemporaryDirectory(prefix="palatine-")
        folder = Path(self._folder.name)
        for path in compiled(Path(self.root), self.config["modules"], folder):
            build_data["force_include"][str(path)] = str(path.relative_to(folder / "lib"))
        build_data["infer_tag"], build_data["pure_python"] = True, False

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
