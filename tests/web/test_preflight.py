"""What a person can put right is said to him in one line, whichever command he gave."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from server.process import PALATINE
from typer.testing import CliRunner

from palatine_client.cli import main
from palatine_server.settings import Settings, encode_settings

every_command = pytest.mark.parametrize("command", [("token", "Robot"), ("revoke", "eve")], ids=lambda words: words[0])


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    """A secret that everybody can read."""
    secret = tmp_path / "secret"
    secret.write_text("known to all")
    secret.chmod(0o644)
    return secret


def advice(secret: Path) -> str:
    return f"{secret} can be read by others; run: chmod 600 {secret}\n"


@every_command
def test_a_secret_that_others_can_read_is_not_used(command: tuple[str, str], secret: Path) -> None:
    result = CliRunner().invoke(main.build_app(), [*command, "--data", str(secret.parent)])
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", advice(secret))


@every_command
def test_a_file_is_no_data_directory(command: tuple[str, str], tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    result = CliRunner().invoke(main.build_app(), [*command, "--data", str(file)])
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (1, "", 1)
    assert str(file) in result.stderr


def test_a_server_says_it_before_it_starts(secret: Path) -> None:
    command = PALATINE, "serve", "--port", "0", "--data", str(secret.parent)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", advice(secret))


def test_a_worker_says_it_too(secret: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        worker = sys.executable, "-m", "palatine_server.web.worker", str(listener.fileno())
        told = encode_settings(Settings(data=secret.parent))
        done = subprocess.run(worker, input=told, capture_output=True, timeout=60, pass_fds=[listener.fileno()])
    sentence = f"a worker cannot start: {advice(secret)}"
    assert (done.returncode, done.stdout, done.stderr.decode()) == (1, b"", sentence)


@pytest.mark.parametrize("command", [("revoke", "eve"), ("import", __file__)], ids=lambda words: words[0])
def test_a_variable_that_cannot_be_read_is_named(command: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_BURST", "many")
    result = CliRunner().invoke(main.build_app(), command)
    assert (result.exit_code, result.output.count("\n")) == (1, 1)
    assert "PALATINE_BURST=many" in result.output
