"""deploy/README.md tells the truth: its files, commands, options and figures exist, and its backup of SQLite works."""

import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from deploy.files import DEPLOY, ROOT, documents, read
from server_fixture import Table, running, seated

from palatine_protocol import messages
from palatine_server.metrics import Metrics
from palatine_server.settings import Settings

README = read("README.md")
COMMANDS = sorted({*re.findall(r"`palatine (\w+)((?: --[\w-]+)*)", README)})


@pytest.mark.parametrize("link", sorted({*re.findall(r"\]\((?!http)([^)#]+)\)", README)}))
def test_files_it_names_exist(link: str) -> None:
    assert (DEPLOY / link).exists()


def test_paths_in_its_commands_exist() -> None:
    made = {"deploy/kubernetes/secret.yaml"}
    named = {*re.findall(r"deploy/[\w./]+", README)} - {"deploy/README.md"} - made
    assert {"deploy/prepare", "deploy/redis.conf"} <= named
    assert all((ROOT / path).exists() for path in named)
    assert all((DEPLOY / name).stat().st_mode & 0o100 for name in ("prepare", "restore"))


@pytest.mark.parametrize(("command", "options"), COMMANDS)
def test_commands_and_options_exist(command: str, options: str) -> None:
    shown = subprocess.run(
        [Path(sys.executable).with_name("palatine"), command, "--help"], capture_output=True, text=True
    )
    assert shown.returncode == 0
    assert all(option in shown.stdout for option in options.split())


def test_figures_it_names_exist() -> None:
    named = {*re.findall(r"`(palatine_\w+?)(?:_total)?`", README)} - {"palatine_tables"}
    assert len(named) >= 4
    known = {family.name for family in Metrics().registry.collect()}
    assert named <= known


def test_services_and_volumes_it_names_exist() -> None:
    (compose,) = documents("compose.yaml")
    assert {*re.findall(r"docker compose (?:restart|exec|cp|up --detach --no-deps) (\w+)", README)} <= {
        *compose["services"]
    }
    (volume,) = {*re.findall(r"inspect --format '[^']+' (\w+)", README)}
    assert volume.removeprefix(f"{compose['name']}_") in compose["volumes"]
    assert Settings().metrics_host == "127.0.0.1"


async def test_a_running_sqlite_is_backed_up_and_restored(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, house.peer("Anna") as anna:
        (table,) = await seated([anna], game="palais_royal", bots=1)
        await table.play(Random(1).randrange, until=lambda table: table.version >= 20 and table.is_waited_for)
        backup(tmp_path / "data", tmp_path / "backup")
    async with running(tmp_path / "backup") as house, house.peer(token=anna.token) as anna:
        await anna.do(messages.Watch, table=table.id)
        again = Table(anna, table.id)
        await again.until_version(table.version)
    assert again.board == table.board


def backup(data: Path, to: Path) -> None:
    """What `sqlite3 palatine.db .backup` does, and the secret."""
    to.mkdir()
    source, copy = sqlite3.connect(data / "palatine.db"), sqlite3.connect(to / "palatine.db")
    source.backup(copy)
    source.close()
    copy.close()
    (to / "secret").write_bytes((data / "secret").read_bytes())
    (to / "secret").chmod(0o600)
