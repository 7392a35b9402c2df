"""The README tells the truth: its Python runs, its files exist, its commands are commands."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
SERVER = ROOT / "server" / "palatine_server"
README = (ROOT / "README.md").read_text()
ARCHITECTURE = (ROOT / "server" / "README.md").read_text()
LINKED = sorted(set(re.findall(r"\]\((?!http)([^)#]+)\)", README + ARCHITECTURE)))
NAMED = sorted(set(re.findall(r"(?<![\w./])(?:\w+/)+\w+\.py\b", ARCHITECTURE)))


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README, re.DOTALL))
def test_python_in_the_readme_runs(block: str) -> None:
    exec(compile(block, "README.md", "exec"), {})


@pytest.mark.parametrize("link", LINKED)
def test_files_the_readme_names_exist(link: str) -> None:
    assert (ROOT / link).exists() or (ROOT / "server" / link).exists()


@pytest.mark.parametrize("command", sorted(set(re.findall(r"(?m)^palatine (\w+)", README))))
def test_commands_in_the_readme_exist(command: str) -> None:
    palatine = Path(sys.executable).parent / "palatine"
    done = subprocess.run([palatine, command, "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("target", re.findall(r"(?m)^make (\w+)", README))
def test_make_targets_in_the_readme_exist(target: str) -> None:
    assert re.search(rf"(?m)^{target}:", (ROOT / "Makefile").read_text())


@pytest.mark.parametrize("module", NAMED)
def test_modules_on_the_map_exist(module: str) -> None:
    assert any((place / module).exists() for place in (SERVER, ROOT, ROOT / "server", ROOT / "clients" / "python"))


def test_every_package_is_on_the_map() -> None:
    _, _, parts = ARCHITECTURE.partition("## The parts")
    named = {
        name.partition("/")[0] for row in re.findall(r"(?m)^\|(.*?)\|", parts) for name in re.findall(r"`(.*?)`", row)
    }
    assert {path.parent.name for path in SERVER.glob("*/__init__.py")} <= named
