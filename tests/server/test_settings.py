"""Settings from the environment, and games from elsewhere."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from server.process import PALATINE

from palatine_server.games.kit import Game
from palatine_server.games.named_games import UnknownGame
from palatine_server.games.registry import GAMES, load_games
from palatine_server.settings import BadSetting, Settings, name_variable, read_environment


def test_every_setting_has_its_variable() -> None:
    given = {"PALATINE_HEARTBEAT": "60", "PALATINE_RATE": "2.5", "PALATINE_DATA": "/srv", "PALATINE_STORE": "redis://a"}
    assert read_environment(given) == {"heartbeat": 60, "rate": 2.5, "data": Path("/srv"), "store": "redis://a"}


def test_lists_are_separated_by_spaces() -> None:
    assert read_environment({"PALATINE_ORIGINS": "https://a.example https://b.example"}) == {
        "origins": ["https://a.example", "https://b.example"]
    }


@pytest.mark.parametrize(("text", "value"), [("1", True), ("true", True), ("0", False), ("false", False)])
def test_yes_and_no(text: str, value: bool) -> None:
    assert read_environment({"PALATINE_ALLOW_SEEDS": text}) == {"allow_seeds": value}


def test_the_defaults_can_all_be_said() -> None:
    """What the environment says as the default is the default."""
    said = {
        name_variable(name): " ".join(value) if isinstance(value, list) else str(value).lower()
        for name in Settings.__struct_fields__
        if (value := getattr(Settings(), name)) is not None
    }
    assert Settings(**read_environment(said)) == Settings()


def test_other_variables_are_none_of_ours() -> None:
    assert read_environment({"PALATINE_SECRET": "s", "PATH": "/bin", "HEARTBEAT": "1"}) == {}


def test_no_environment_opens_the_developer_page() -> None:
    with pytest.raises(BadSetting, match="PALATINE_DEVELOP_TOKEN cannot be set; `palatine serve --reload`"):
        read_environment({"PALATINE_DEVELOP_TOKEN": "guessable"})


def test_nonsense_is_named_with_its_variable() -> None:
    with pytest.raises(BadSetting, match="PALATINE_BURST=many: Expected `int`"):
        read_environment({"PALATINE_BURST": "many"})


def test_a_game_from_elsewhere_stands_on_the_shelf() -> None:
    shelf = load_games(["bench.counter:COUNTER"])
    assert [*shelf] == [*GAMES, "counter"]
    assert isinstance(shelf["counter"], Game)


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("bench.counter:COUNTERS", "write bench.counter:COUNTER"),
        ("nowhere:X", "No module"),
        ("bench.counter:add", "not a game"),
    ],
)
def test_a_game_that_is_none_is_refused_in_one_line(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(UnknownGame, match=why):
        load_games([name])
    tests = Path(__file__).parent.parent
    command = [PALATINE, "serve", "--port", "0", "--data", str(tmp_path), "--game", name]
    done = subprocess.run(command, cwd=tests, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert why in done.stderr


@pytest.mark.parametrize("name", ["GUESTS_PER_MINUTE", "JOINS_PER_MINUTE", "BURST", "RATE"])
def test_what_fills_again_cannot_be_nothing(name: str) -> None:
    with pytest.raises(BadSetting, match=f"PALATINE_{name}=0: Expected"):
        read_environment({f"PALATINE_{name}": "0"})
