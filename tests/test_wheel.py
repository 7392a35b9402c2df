"""The wheel: what `pip install palatine` brings is complete, typed and named as it should be."""

from __future__ import annotations

import subprocess
import sys
from email import message_from_bytes
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {"palatine_protocol": "protocol", "palatine_server": "server", "palatine_client": "clients/python"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> ZipFile:
    """Build the wheel with the tools that are installed already."""
    out = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--no-deps", "--wheel-dir", str(out), str(ROOT)], check=True)
    (built,) = out.glob("palatine-*-py3-none-any.whl")
    return ZipFile(built)


def test_wheel_has_every_file_of_every_package(wheel: ZipFile) -> None:
    names = set(wheel.namelist())
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split(
        "\n"
    )
    for package, folder in SOURCES.items():
        prefix = f"{folder}/{package}/"
        missing = [path for path in tracked if path.startswith(prefix) and path.removeprefix(f"{folder}/") not in names]
        assert not missing
        assert f"{package}/py.typed" in names


def test_wheel_has_nothing_else(wheel: ZipFile) -> None:
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {*SOURCES}
    assert not [name for name in wheel.namelist() if "__pycache__" in name or name.endswith((".pyc", ".so"))]


def test_wheel_says_what_it_is(wheel: ZipFile) -> None:
    (path,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
    metadata = message_from_bytes(wheel.read(path))
    assert metadata["Name"] == "palatine"
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Description-Content-Type"] == "text/markdown"
    (scripts,) = (name for name in wheel.namelist() if name.endswith(".dist-info/entry_points.txt"))
    assert b"palatine = palatine_client.cli.main:main" in wheel.read(scripts)
