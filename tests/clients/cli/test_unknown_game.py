"""A game that the client has no presentation for, from the first decision to the replay."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from clients.foxes import FOXES_GAME
from clients.pty_driver import piped, typing
from records.game_fixtures import play_to_end
from typer.testing import CliRunner

from palatine_client.cli import main
from palatine_client.cli.http_api import GameInfo
from palatine_server.games.kit import at_random
from palatine_server.records import build_record, encode_record

TESTS = str(Path(__file__).parents[2])
GAME = ("--game", "clients.foxes:FOXES_GAME")
PLAY = ("play", "foxes", *GAME, "--local", "--seats", "2", "--bots", "1", "--policy", "random", "--name", "Ida")
DUMPED = re.compile(r"[{}]|\bNone\b|Traceback|[a-z]_fox")


async def test_it_is_played_in_a_terminal(tmp_path: Path) -> None:
    async with typing(*PLAY, home=tmp_path, columns=100, PYTHONPATH=TESTS) as ida:
        await ida.prompted("Your choice")
        assert "Put a fox down: fox Red fox" in ida.screen
        assert "▶ Ida" in ida.screen
        ida.type("/why")
        await ida.sees("This game explains nothing now.")
        ida.type("p 1")  # a fox without a cell is not a whole action
        await ida.prompted("Your choice")
        ida.type("1")
        await ida.sees("Put a fox down: fox Red fox: cell")
        ida.type("1")
        await ida.sees("Ida put Red fox on ")
        ida.type("q")
        assert await ida.ends() == 0
        assert not DUMPED.search(ida.screen)


@pytest.mark.parametrize(("lang", "said"), [("en", "Bot 2: Purse "), ("de", "Bot 2: Beutel ")])
async def test_it_is_played_in_plain_words(tmp_path: Path, lang: str, said: str) -> None:
    code, out, _ = await piped(*PLAY, "--plain", "--lang", lang, home=tmp_path, said=None, PYTHONPATH=TESTS)
    assert code == 0
    assert said in out
    assert not DUMPED.search(out)


def test_a_simulation_shows_its_boards() -> None:
    words = ["simulate", "foxes", *GAME, "--games", "1", "--players", "3", "--show"]
    result = CliRunner().invoke(main.build_app(), words, env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    assert all(word in result.output for word in ("random 1", "Purse", "column a", "Fire fox", "coins 5"))


@pytest.mark.parametrize("is_known", [True, False])
def test_a_replay_shows_it_also_where_the_game_is_not_installed(tmp_path: Path, is_known: bool) -> None:
    state, entries = play_to_end(FOXES_GAME, 2, Random(1), lambda play, seat, rng: at_random(play, seat, rng.randrange))
    file = tmp_path / "foxes.palatine"
    file.write_bytes(encode_record(build_record("t", state.take_snapshot(), entries)))
    words = ["replay", str(file), *(GAME if is_known else ())]
    result = CliRunner().invoke(main.build_app(), words, env={"COLUMNS": "100"})
    assert result.exit_code == 0, result.output
    assert ("Red fox" in result.output) or not is_known
    assert not re.search(r"[{}]|Traceback", result.output)


@pytest.mark.parametrize("options", [{}, {"$defs": 7}, {"$defs": {"A": None, "B": {"properties": []}}}])
def test_options_of_the_wrong_type_are_none(options: dict[str, object]) -> None:
    assert GameInfo(game="x", title="X", players=(2, 3), options=options).option_names == []
