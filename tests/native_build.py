"""Modules that are written in C, built for the tests with whatever C compiler there is."""

from __future__ import annotations

import subprocess
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from chaos.powercut import compiler

FLAGS = ("-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter")
LENIENT = ("-Wno-missing-field-initializers", "-Wno-cast-function-type")  # the idioms of Python's headers


def build_native(source: Path, folder: Path) -> Any:
    """Compile a module in this folder, and return it."""
    target = folder / f"{source.stem}{sysconfig.get_config_var('EXT_SUFFIX')}"
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run([*compiler(folder), *FLAGS, *LENIENT, include, str(source), "-o", str(target)], check=True)
    spec = spec_from_file_location(source.stem, target, loader=ExtensionFileLoader(source.stem, str(target)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
