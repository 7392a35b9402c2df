"""`palatine arena`: the command, its output for people and programs, and its mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from arena.arena_fixture import BOTS, SPICES
from typer.testing import CliRunner, Result

from palatine_client.cli import main


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def arena(*words: str) -> Result:
    return CliRunner().invoke(main.build_app("arena"), ["arena", "--game", SPICES, "--jobs", "1", *words])


def test_the_table_names_every_contender_and_fits_a_terminal() -> None:
    done = arena("greedy", f"{BOTS}:first", "random", "--games", "15", "--seed", "7")
    assert done.exit_code == 0, done.output
    rows = [line for line in done.output.splitlines() if line.startswith(("greedy ", "first ", "random "))]
    assert len(rows) == 6
    assert all(len(line) <= 80 and "…" not in line for line in rows)
    assert "3 contenders take the 3 seats. Games: 15; deals: 5, each in all 3 seatings; seed: 7" in done.output


def test_german_readers_get_german_words() -> None:
    done = arena("greedy", f"{BOTS}:Raising", "--games", "2", "--seed", "7", "--lang", "de")
    assert "Teilnehmer" in done.output
    assert "abgestürzt" in done.output
    assert "…" not in done.output
    assert "2 Teilnehmer auf 2 Plätzen. Partien: 2" in done.output


def test_json_is_all_that_programs_get(tmp_path: Path) -> None:
    plot, records = tmp_path / "plot.svg", tmp_path / "records"
    words = ("greedy", "random", "--games", "4", "--seed", "7", "--json", "--plot", str(plot), "--dark")
    done = arena(*words, "--records", str(records))
    report = json.loads(done.output)
    assert (report["seed"], report["games"], report["deals"]) == (7, 4, 2)
    assert [each["name"] for each in report["contenders"]] == ["greedy", "random"]
    assert plot.read_text("utf-8").startswith("<svg")
    assert min(file.name for file in records.iterdir()) == "deal-0001-1.palatine"


def test_without_a_seed_every_run_has_another_one() -> None:
    seeds = {json.loads(arena("random", "--games", "1", "--json").output)["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_a_game_that_the_environment_names_is_known_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PALATINE_GAMES", SPICES)
    words = ["random", "random", "--game", "spice_market", "--games", "2", "--jobs", "1"]
    done = CliRunner().invoke(main.build_app("arena"), ["arena", *words])
    assert done.exit_code == 0, done.output


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["gredy"], "is no contender. Name a policy (random, greedy)"),
        (["random", "--players", "9"], "is for 2 to 5 players"),
        (["random", "--stop", "1.2:1"], "The stop rule needs"),
        (["random", "--stop", "x"], "is no stop rule"),
        (["random", "--house", "gredy"], "has no policy"),
        (["random", "--option", "colour=red"], "has no option"),
    ],
)
def test_a_mistake_says_what_to_do(words: list[str], sentence: str) -> None:
    done = arena(*words)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())
