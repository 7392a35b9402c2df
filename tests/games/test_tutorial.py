"""The tutorial is true: its blocks are carried out in order, in an empty folder."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import palatine_server

PAGE = Path(palatine_server.__file__).parent / "games" / "TUTORIAL.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"(?:# |<!-- )([\w/]+\.(?:py|md|toml))(?: -->)?\n")
BIN = Path(sys.executable).parent


def test_the_tutorial_builds_a_game_step_by_step(tmp_path: Path) -> None:
    printed, files = "", list[str]()
    for language, block in BLOCK.findall(PAGE.read_text("utf-8")):
        if named := FILE.match(block):
            files.append(named[1])
            write(tmp_path / named[1], block[named.end() :] if named[1].endswith(".md") else block)
        elif language == "python":
            printed += run(tmp_path, [sys.executable, "-c", block])
        else:
            assert language == "sh"
            printed += "".join(run(tmp_path, find_command(line)) for line in block.splitlines())
    assert files.count("stones/rules.py") == 2
    assert "The game is over." in printed
    assert "2 passed" in printed
    assert re.search(r"^Stones: \d+ checks, \d+ games played\. Findings: 0\.", printed, re.MULTILINE)
    assert "20 games" in printed


def write(file: Path, text: str) -> None:
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, "utf-8")


def find_command(line: str) -> list[str]:
    command, *words = shlex.split(line)
    return [str(BIN / command), *words]


def run(folder: Path, command: list[str]) -> str:
    environment = {**os.environ, "COLUMNS": "200", "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(folder)}
    done = subprocess.run(
        command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr
