"""Native renewal, built for the tests with whatever C compiler there is."""

from __future__ import annotations

import subprocess
import sysconfig
from importlib.machinery import ExtensionFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

from chaos.powercut import compiler

from palatine_server.games.kit import renewal

SOURCE = Path(renewal.__file__).with_name("native_renewal.c")
FLAGS = ("-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter")
LENIENT = ("-Wno-missing-field-initializers", "-Wno-cast-function-type")  # the idioms of Python's headers


def build_renewal(folder: Path) -> Any:
    """Compile native_renewal.c in this folder, and return its `renew`."""
    target = folder / f"native_renewal{sysconfig.get_config_var('EXT_SUFFIX')}"
    include = f"-I{sysconfig.get_path('include')}"
    subprocess.run([*compiler(folder), *FLAGS, *LENIENT, include, str(SOURCE), "-o", str(target)], check=True)
    spec = spec_from_file_location("native_renewal", target, loader=ExtensionFileLoader("native_renewal", str(target)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.renew
