"""`palatine dataset`: verified rows, the same bytes for the same seed, the data card, and files that stay whole."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from environments.environment_fixture import ALL
from msgspec.structs import replace
from pyarrow import parquet  # type: ignore[import-untyped]
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.cli.commands.dataset import plan_games
from palatine_server.environments import dataset_files
from palatine_server.environments.dataset import play_games
from palatine_server.environments.dataset_rows import BadRows, DatasetGame, DatasetRow, play_rows, verify_rows

SPICES = "spice_market:SPICE_MARKET"


def dataset(*words: str, game: str = SPICES) -> Result:
    return CliRunner().invoke(main.build_app("dataset"), ["dataset", game, "--jobs", "1", *words])


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def plan(games: int = 3, observation: Any = "document") -> list[DatasetGame]:
    game = ALL["spice_market"]
    return [*plan_games(game, SPICES, [2, 3], ["random"], {}, games, 5, observation, "en")]


def test_rows_say_what_was_seen_done_and_won(tmp_path: Path) -> None:
    done = dataset("--policies", "greedy,random", "--games", "4", "-o", str(tmp_path / "a.jsonl"))
    assert done.exit_code == 0, done.output
    rows = read_lines(tmp_path / "a.jsonl")
    assert [*rows[0]] == [*DatasetRow.__struct_fields__]
    assert {row["game"] for row in rows} == {0, 1, 2, 3}
    for row in rows:
        assert set(row["observation"]) == {"board", "hand", "waiting"}
        assert row["seat"] in row["observation"]["waiting"]
        assert 0 <= row["action"] < row["legal"]
        assert row["policy"] == ["greedy", "random"][(row["seat"] + row["game"]) % 2]  # policies move on by one seat
    for game in range(4):
        results = {row["seat"]: row["reward"] for row in rows if row["game"] == game}
        assert sum(results.values()) == 0


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_processes(tmp_path: Path) -> None:
    for name, jobs in (("one", "1"), ("two", "2")):
        (tmp_path / name).mkdir()
        done = dataset("--games", "9", "--seed", "4", "--jobs", jobs, "-o", str(tmp_path / name / "a.jsonl"))
        assert done.exit_code == 0, done.output
    assert done.output.splitlines()[0].endswith("bytes")
    for file in ("a.jsonl", "a.jsonl.README.md"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()
    assert dataset("--games", "9", "--seed", "5", "-o", str(tmp_path / "b.jsonl")).exit_code == 0
    assert (tmp_path / "b.jsonl").read_bytes() != (tmp_path / "one" / "a.jsonl").read_bytes()


@pytest.mark.parametrize("observation", ["document", "tensor", "text"])
def test_parquet_and_json_lines_hold_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, observation: str
) -> None:
    monkeypatch.setattr(dataset_files, "ROWS_AT_ONCE", 7)
    words = ("--games", "1", "--players", "2", "--observation", observation)
    for name in ("a.jsonl", "a.parquet", "b.parquet"):
        assert dataset(*words, "-o", str(tmp_path / name)).exit_code == 0
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes()
    table, lines = parquet.read_table(tmp_path / "a.parquet").to_pylist(), read_lines(tmp_path / "a.jsonl")
    assert len(table) == len(lines) > 7
    for row, line in zip(table, lines, strict=True):
        seen = json.loads(row["observation"]) if observation == "document" else row["observation"]
        assert {**row, "observation": seen, "move": json.loads(row["move"])} == line


def test_the_card_names_licence_command_version_and_digest(tmp_path: Path) -> None:
    target = tmp_path / "spices.jsonl"
    done = dataset("--games", "2", "--players", "2", "--seed", "3", "--licence", "CC0-1.0", "-o", str(target))
    assert done.exit_code == 0, done.output
    card = (tmp_path / "spices.jsonl.README.md").read_text("utf-8")
    assert card.startswith("---\nlicense: cc0-1.0\n")
    command = (
        f"palatine dataset {SPICES} --policies greedy --players 2 --games 2 --seed 3 --observation document "
        "--licence CC0-1.0 -o spices.jsonl"
    )
    assert command in card
    digest = sha256(target.read_bytes()).hexdigest()
    assert digest in card
    assert digest in done.output
    assert f"edition `{ALL['spice_market'].edition}`" in card
    assert "| Palatine | 0." in card
    assert all(f"| `{name}` |" in card for name in DatasetRow.__struct_fields__)


def test_an_existing_file_stays_unless_forced(tmp_path: Path) -> None:
    target = tmp_path / "a.jsonl"
    target.write_text("precious")
    refused = dataset("--games", "1", "-o", str(target))
    assert refused.exit_code == 2
    assert "exists. Use --force to replace it" in refused.output
    assert target.read_text() == "precious"
    assert dataset("--games", "1", "-o", str(target), "--force").exit_code == 0
    assert len(read_lines(target)) > 1


def test_nothing_is_left_of_a_run_that_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(play: object, seat: int, below: object) -> None:
        raise ZeroDivisionError("the policy divides by zero")

    monkeypatch.setitem(ALL["spice_market"].policies, "greedy", crash)  # type: ignore[arg-type]
    done = dataset("--games", "3", "-o", str(tmp_path / "a.jsonl"))
    assert done.exit_code == 2
    assert "Nothing was written" in done.output
    assert "the policy divides by zero" in done.output
    assert [*tmp_path.iterdir()] == []


def test_a_file_never_stands_without_its_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The card gets its name first, so that the disk that fails between the two leaves a card without a file."""
    replace_path, named = Path.replace, list[str]()

    def fail_later(part: Path, target: Path) -> Path:
        if named:
            raise OSError("the disk is gone")
        named.append(target.name)
        return replace_path(part, target)

    monkeypatch.setattr(Path, "replace", fail_later)
    done = dataset("--games", "1", "-o", str(tmp_path / "a.jsonl"))
    assert done.exit_code != 0
    assert named == [path.name for path in tmp_path.iterdir()] == ["a.jsonl.README.md"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "a.csv"], "neither Parquet nor JSON lines"),
        (["-o", "nowhere/a.jsonl"], "There is no folder"),
        (["-o", "a.jsonl", "--policies", "best"], "has no policy 'best'"),
        (["-o", "a.jsonl", "--players", "9"], "players"),
    ],
)
def test_a_mistake_gets_a_sentence(words: list[str], sentence: str) -> None:
    done = dataset(*words)
    assert done.exit_code == 2
    assert sentence in " ".join(done.output.split())


# Verification


@pytest.mark.parametrize(
    "change",
    [
        {"seat": 1},
        {"observation": b"{}"},
        {"action": 10**6},
        {"reward": 0.75},
        {"score": 1000},
    ],
)
def test_changed_rows_are_noticed(change: dict[str, Any]) -> None:
    (planned, *_) = plan()
    rows = play_rows(planned)
    verify_rows(planned, rows)
    with pytest.raises(BadRows):
        verify_rows(planned, [replace(rows[0], **change), *rows[1:]])


def test_a_game_without_its_end_is_noticed() -> None:
    (planned, *_) = plan()
    with pytest.raises(BadRows, match="is not over"):
        verify_rows(planned, play_rows(planned)[:-1])


def test_few_games_are_in_memory() -> None:
    """Games are planned when they are needed, so a plan of any length takes no memory."""
    planned: list[int] = []
    playing = play_games((planned.append(each.number) or each for each in plan(9)), jobs=1)
    next(playing)
    assert planned == [0]
    playing.close()
