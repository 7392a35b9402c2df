"""`palatine replay`: a record in the terminal, wound forwards and backwards."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from records.game_fixtures import play_game, record_of
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.records import decode_record, encode_record
from palatine_server.records.playback import RecordPlayback

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


def replay(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), ["replay", *words], env={"COLUMNS": "160"})


@pytest.fixture
def file(game: Game, tmp_path: Path) -> str:
    path = tmp_path / "game.palatine"
    path.write_bytes(encode_record(record_of(game)))
    return str(path)


@every_game
def test_a_film_can_be_wound_to_any_entry(game: Game) -> None:
    film, rng = RecordPlayback(decode_record(encode_record(record_of(game)))), Random(3)
    seen = [frozen(film.board)]
    while not film.is_over:
        film.step()
        seen.append(frozen(film.board))
    page = play_game(game.name, 0)[0].take_snapshot()
    assert frozen([film.board, film.hands, film.info]) == frozen([page.board, page.hands, page.info])
    for _ in range(5):
        version = rng.randrange(film.length + 1)
        film.go_to(version)
        assert (film.version, frozen(film.board)) == (version, seen[version])


def frozen(document: Any) -> bytes:
    return msgspec.json.encode(document, order="sorted")


@every_game
@pytest.mark.parametrize("lang", ["en", "de"])
def test_without_a_keyboard_it_runs_to_the_end(game: Game, file: str, lang: str) -> None:
    result = replay(file, "--lang", lang)
    assert result.exit_code == 0, result.output
    length = len(record_of(game).entries)
    assert f"{length} / {length}" in result.output
    assert result.output.count("·") > 50
    assert "Name 0" in result.output


@every_game
def test_one_moment_from_one_seat(game: Game, file: str) -> None:
    moment = str(len(record_of(game).entries) // 2)
    public, own = replay(file, "--at", moment), replay(file, "--at", moment, "--seat", "1")
    assert (public.exit_code, own.exit_code) == (0, 0)
    assert f"{moment} / " in public.output
    assert public.output != own.output
    assert replay(file, "--seat", "9").exit_code == 2


def test_a_spoilt_file_is_refused_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "game.palatine"
    path.write_bytes(b"nonsense")
    result = replay(str(path))
    assert (result.exit_code, result.output.count("\n")) == (2, 1)


def test_seats_are_counted_as_people_do(tmp_path: Path) -> None:
    path = tmp_path / "game.palatine"
    path.write_bytes(encode_record(record_of(GAMES["between_two_castles"])))
    result = replay(str(path), "--seat", "0")
    assert result.exit_code == 2
    count = len(record_of(GAMES["between_two_castles"]).header.opening["seats"])
    assert f"there are seats 1 to {count}" in replay(str(path), "--seat", str(count + 1)).output
    assert replay(str(path), "--at", "40", "--seat", str(count)).exit_code == 0
