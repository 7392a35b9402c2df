"""Games are found through entry points: ours and anybody's, and none of them can stop a server."""

from __future__ import annotations

import logging
import sys
from pathlib import Path

import pytest

from palatine_server.games import registry
from palatine_server.games.named_games import UnknownGame
from palatine_server.games.registry import GAMES, load_games, load_installed

MODULES = {
    "good": "from bench.counter import COUNTER",
    "exits": "import sys; print('noise'); sys.exit('I stop everything')",
    "broken": "1 / 0",
    "typo": "def f(:\n",
    "wrong": "GAME = 5",
    "usurper": (
        "from dataclasses import replace\nfrom palatine_server.games.registry import entry_points\n"
        "from bench.counter import COUNTER\nGAME = replace(COUNTER, name=NAME)\n"
    ),
}


def install(folder: Path, package: str, *entries: str) -> None:
    """Write the metadata of an installed package with these entry points."""
    info = folder / f"{package}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("\n".join(["[palatine.games]", *entries]))


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder of installed packages, with all these modules in it."""
    first = next(iter(GAMES))
    for name, text in MODULES.items():
        (tmp_path / f"plugin_{name}.py").write_text(text.replace("NAME", repr(first)), encoding="utf-8")
    monkeypatch.setattr(sys, "path", [*sys.path, str(tmp_path)])
    return tmp_path


def test_our_games_are_registered_like_all_others() -> None:
    games, troubles = load_installed()
    assert troubles == []
    assert games == GAMES
    assert games


def test_a_game_of_another_package_is_found(packages: Path) -> None:
    install(packages, "quay-games", "counter = plugin_good:COUNTER")
    games, troubles = load_installed()
    assert [*games] == [*GAMES, "counter"]
    assert troubles == []


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        ("x = plugin_exits:GAME", ["SystemExit: I stop everything", "uninstall"]),
        ("x = plugin_broken:GAME", ["ZeroDivisionError", "plugin_broken.py, line 1"]),
        ("x = plugin_typo:GAME", ["SyntaxError", "plugin_typo.py, line 1"]),
        ("x = plugin_nowhere:GAME", ["No module named 'plugin_nowhere'"]),
        ("x = plugin_good:NOTHING", ["NOTHING"]),
        ("x = plugin_wrong:GAME", ["of type int", "refer to a Game"]),
        ("x = ???", ["cannot be imported"]),
        ("other = plugin_good:COUNTER", ["name it 'counter'"]),
        (f"{next(iter(GAMES))} = plugin_usurper:GAME", ["another package", "rename"]),
    ],
)
def test_an_entry_point_that_cannot_be_used_is_left_out(
    entry: str, words: list[str], packages: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install(packages, "bad-games", entry, "counter = plugin_good:COUNTER")
    games, (trouble,) = load_installed()
    assert [*games] == [*GAMES, "counter"]
    assert all(games[name] is game for name, game in GAMES.items())
    assert [word for word in ["bad-games", *words] if word not in trouble] == []
    assert capsys.readouterr().out == ""  # standard output is for programs


def test_troubles_are_logged_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setattr(registry, "_troubles", ["bad-games registers nonsense"])
    with caplog.at_level(logging.ERROR):
        load_games([])
        load_games([])
    assert caplog.messages == ["bad-games registers nonsense"]


# Games that an operator names


def test_a_named_game_joins_the_installed_ones() -> None:
    assert [*load_games(["bench.counter:COUNTER"])] == [*GAMES, "counter"]
    assert load_games([*GAMES]) == GAMES


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("plugin_good:COUNTERS", ["write plugin_good:COUNTER"]),
        ("plugin_wrong:GAME", ["of type int", "package.module:GAME"]),
        ("plugin_typo:GAME", ["SyntaxError", "line 1"]),
        ("plugin_exits:GAME", ["SystemExit"]),
        ("plugin_nowhere:GAME", ["No module", "install its package"]),
        ("plugin_good:", ["does not name a game"]),
        ("plugin_good:A-B", ["does not name a game"]),
        ("chess", ["no game 'chess'", "package.module:GAME"]),
    ],
)
def test_a_name_without_a_game_says_what_to_do(name: str, words: list[str], packages: Path) -> None:
    with pytest.raises(UnknownGame) as refused:
        load_games([name])
    assert [word for word in words if word not in str(refused.value)] == []


def test_two_named_games_need_two_names(packages: Path) -> None:
    (packages / "plugin_twin.py").write_text(
        "from dataclasses import replace\nfrom bench.counter import COUNTER\nTWIN = replace(COUNTER)\n"
    )
    with pytest.raises(UnknownGame, match="two games are named 'counter'"):
        load_games(["bench.counter:COUNTER", "plugin_twin:TWIN"])


def test_nothing_installed_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "GAMES", {})
    with pytest.raises(UnknownGame, match="install palatine again"):
        load_games([])
