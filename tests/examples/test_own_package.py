"""A game of its own package: every command has it, installed or named, and nothing of Palatine was changed for it."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from server.process import ServerProcess
from store import redis_servers
from store.redis_servers import Server, one_server

PALATINE = str(Path(sys.executable).with_name("palatine"))
PACKAGE = Path(__file__).parent / "spice_market"
GENEROUS = {f"PALATINE_{name}": "1000000" for name in ("GUESTS_PER_MINUTE", "JOINS_PER_MINUTE", "RATE", "BURST")}
NAME, SOURCE = "spice_market", "spice_market:SPICE_MARKET"


def count_checks(printed: str) -> int:
    """Return how many checks found nothing, as `palatine check` says at the end."""
    found = re.search(r"(\d+) checks found nothing wrong", printed)
    return int(found[1]) if found else 0


def run(*words: str, code: int = 0, cwd: Path = PACKAGE, **variables: str) -> str:
    """Run a command without a keyboard; return what it prints."""
    environment = {**os.environ, "COLUMNS": "200", **variables}
    done = subprocess.run(
        [PALATINE, *words], cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def valkey() -> Iterator[Server]:
    with redis_servers.running(one_server) as server:
        yield server


def install_by_path(package: Path, folder: Path) -> str:
    """Install a package by path; return the value of PYTHONPATH that finds it and its entry points."""
    project = tomllib.loads((package / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    info = folder / "installed" / f"{package.name}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, entries in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in entries.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return os.pathsep.join([str(info.parent), str(package)])


@pytest.fixture
def installed(tmp_path: Path) -> str:
    return install_by_path(PACKAGE, tmp_path)


def test_it_passes_all_checks() -> None:
    printed = run("check", SOURCE, "--strict", "--tests", "tests", "--seeds", "1", "--lang", "en")
    assert count_checks(printed) >= 39


def test_an_installed_game_is_in_every_command(installed: str, tmp_path: Path) -> None:
    go_through_all_commands(tmp_path, [NAME], [], {"PYTHONPATH": installed})


def test_a_game_that_is_named_is_in_every_command(tmp_path: Path) -> None:
    go_through_all_commands(tmp_path, [SOURCE], ["--game", SOURCE], {})


def test_a_game_of_the_environment_is_in_every_command(tmp_path: Path) -> None:
    go_through_all_commands(tmp_path, [NAME], [], {"PALATINE_GAMES": SOURCE})


def go_through_all_commands(folder: Path, game: list[str], more: list[str], variables: dict[str, str]) -> None:
    """Simulate, serve and play, record, verify, replay, draw, import, shadow and diagnose."""
    data, file, cwd = folder / "data", folder / "game.palatine", PACKAGE
    where = ["--data", str(data)]
    report = json.loads(run("simulate", *game, "--json", "--games", "4", "--jobs", "2", **variables))
    assert (report["game"], report["processes"]) == (NAME, 2)
    assert "Spice Market" in run("simulate", *game, "--players", "3", "--show", "--policy", "greedy", **variables)
    played = run("play", *game, "--local", *where, "--seats", "3", "--plain", "--lang", "en", *more, **variables)
    assert "The game is over." in played
    assert "1 tables" in run("doctor", *where, *more, "--lang", "en", **variables)
    assert "0 would differ" in run("shadow", *where, *more, **variables)
    run("archive", str(folder), *where, **variables)
    (file,) = folder.glob("*.palatine")
    assert "✗" not in run("verify", str(file), *more, **variables)
    assert "The bids are revealed" in run("replay", str(file), "--lang", "en", *more, **variables)
    run("picture", str(file), "--at", "20", "--lang", "de", "-o", str(folder / "board.svg"), *more, **variables)
    assert_draws_german_spices((folder / "board.svg").read_text("utf-8"))
    imported = run("import", str(file), "--data", str(folder / "other"), *more, cwd=cwd, **variables)
    assert "table" in imported


def assert_draws_german_spices(svg: str) -> None:
    """The bots play at random: which spices lie on the table differs from game to game."""
    assert ">Gewürzmarkt<" in svg
    assert re.search(">(Pfeffer|Zimt|Ingwer|Safran|Salz)<", svg)
    assert not re.search(">(Pepper|Cinnamon|Ginger|Saffron|Salt)<", svg)


def test_unknown_games_of_a_record_are_named(tmp_path: Path) -> None:
    """Without the package, its records can still be looked at, and nothing breaks."""
    run("play", NAME, "--local", "--data", str(tmp_path / "data"), "--seats", "2", "--plain", PALATINE_GAMES=SOURCE)
    run("archive", str(tmp_path), "--data", str(tmp_path / "data"))
    (file,) = tmp_path.glob("*.palatine")
    elsewhere = tmp_path / "empty"
    elsewhere.mkdir()
    run("replay", str(file), cwd=elsewhere)
    assert NAME in run("verify", str(file), cwd=elsewhere, code=1)
    assert "install" in run("doctor", "--data", str(tmp_path / "data"), "--lang", "en", cwd=elsewhere, code=1)


async def test_several_workers_and_their_bots_know_it(tmp_path: Path, valkey: Server) -> None:
    """The bots of the table think in processes of their own; `bot` and `load` name the game by its module."""
    served = ServerProcess(tmp_path)
    served.options = ["--workers", "2", "--store", valkey.url]
    served.environment = {"PYTHONPATH": str(PACKAGE), "PALATINE_GAMES": SOURCE, **GENEROUS}
    async with served:
        where = ["--server", f"http://127.0.0.1:{served.port}"]
        words = ["bot", "--create", "--game", SOURCE, "--seats", "3", "--json", *where]
        assert '"standings"' in await asyncio.to_thread(run, *words)
        words = ["load", "--game", SOURCE, "--tables", "1", "--players", "2", "--seconds", "0.5", "--warmup", "0"]
        assert NAME in await asyncio.to_thread(run, *words, "--saturate", "--json", *where)
        assert "Spice Market" in await asyncio.to_thread(run, "tables", "--game", SOURCE, "--lang", "en", *where)
        assert await served.stop() == 0
