"""`palatine new-bot`: a package with a test that passes, and a bot that plays everywhere."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from examples.test_own_package import run
from typer.testing import CliRunner

from palatine_client.cli import main


def test_the_tests_of_a_new_bot_pass_as_it_stands(tmp_path: Path) -> None:
    said = run("new-bot", "royal_rat", "--lang", "en", cwd=tmp_path)
    assert "royal_rat has 7 files. Now:" in str(said)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=tmp_path / "royal_rat", capture_output=True, text=True)
    assert "3 passed" in done.stdout, done.stdout + done.stderr


def test_a_new_bot_follows_the_style_of_its_own_settings(tmp_path: Path) -> None:
    run("new-bot", "royal_rat", cwd=tmp_path)
    ruff = Path(sys.executable).parent / "ruff"
    for words in (["check", "."], ["format", "--check", "."]):
        done = subprocess.run([str(ruff), *words], cwd=tmp_path / "royal_rat", capture_output=True, text=True)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "why"), [("Royal-Rat", "royal_rat"), ("json", "Python itself"), ("palatine_client", "already")]
)
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(
    name: str, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    done = CliRunner().invoke(main.build_app("new-bot"), ["new-bot", name, "--folder", str(tmp_path), "--lang", "en"])
    assert (done.exit_code, why in done.output, list(tmp_path.iterdir())) == (2, True, [])


def test_a_folder_that_exists_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "royal_rat").mkdir()
    words = ["new-bot", "royal_rat", "--folder", str(tmp_path), "--lang", "de"]
    done = CliRunner().invoke(main.build_app("new-bot"), words)
    assert done.exit_code == 2
    assert not list((tmp_path / "royal_rat").iterdir())
