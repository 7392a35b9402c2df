"""`palatine picture`: tables and records as files that people can look at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random

import pytest
from games.lower_bounds import find_least
from PIL import Image
from records.game_fixtures import record_of
from server_fixture import House, Peer, Table, opened, running, seated
from typer.testing import CliRunner, Result

from palatine_client.cli import main
from palatine_client.cli.identity import identity_file
from palatine_protocol import messages
from palatine_server.cli.picture_files import thin_out
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.records import encode_record

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
GAME = "palais_royal"


def picture(*words: str) -> Result:
    return CliRunner().invoke(main.build_app(), ["picture", *words], env={"COLUMNS": "200", "LANG": "C.UTF-8"})


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine on which nobody has ever played, in an empty folder."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def record(game: Game, tmp_path: Path) -> str:
    path = tmp_path / f"{game.name}.palatine"
    path.write_bytes(encode_record(record_of(game)))
    return str(path)


# Records


@every_game
def test_record_is_drawn_at_its_end_or_at_any_entry_for_everybody_or_a_seat(game: Game, record: str) -> None:
    moment = str(len(record_of(game).entries) // 2)
    orders = [[], ["--at", moment], ["--dark"], ["--tall"], ["--lang", "de"]]
    pictures = {draw(record, *order) for order in orders}
    assert len(pictures) > (find_least(game, "different pictures of a record") or 1)
    assert all("Name 0" in svg for svg in pictures)
    assert "Name 0" in draw(record, "--at", moment, "--seat", "1")


@pytest.mark.parametrize("game", [GAMES["between_two_castles"]])
def test_seat_of_a_record_shows_its_hand(game: Game, record: str) -> None:
    assert len({draw(record, "--at", "12", *seat) for seat in ([], ["--seat", "1"], ["--seat", "2"])}) == 3


def draw(source: str, *words: str) -> str:
    result = picture(source, "-o", "out.svg", *words)
    assert result.exit_code == 0, result.output
    return Path("out.svg").read_text("utf-8")


@pytest.mark.parametrize("game", [GAMES[GAME]])
def test_ending_says_what_the_file_is(game: Game, record: str) -> None:
    for kind in ("png", "webp", "gif"):
        assert picture(record, "--size", "500", "-o", f"out.{kind}").exit_code == 0
        with Image.open(f"out.{kind}") as image:
            assert (image.format, image.width) == (kind.upper(), 500)
    assert picture(record).exit_code == 0
    with Image.open(f"{GAME}.png") as image:
        assert image.width >= 800
    out = picture(record, "-o", "-")
    assert out.stdout_bytes.startswith(b"<svg ")


@pytest.mark.parametrize("game", [GAMES[GAME]])
@pytest.mark.parametrize("kind", ["gif", "webp"])
def test_whole_game_becomes_a_moving_picture(
    game: Game, record: str, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("palatine_server.cli.picture_files.thin_out", lambda pictures: thin_out(pictures, 6))
    result = picture(record, "--animate", "--size", "300", "-o", f"out.{kind}")
    assert result.exit_code == 0, result.output
    with Image.open(f"out.{kind}") as film:
        assert (film.format, film.n_frames > 3, film.width) == (kind.upper(), True, 300)  # type: ignore[attr-defined]


def test_long_games_are_thinned_out_evenly_and_end_with_the_end() -> None:
    assert thin_out([*"abcdefg"], 3) == ["a", "d", "g"]
    assert thin_out([*"abc"], 3) == ["a", "b", "c"]
    assert thin_out([]) == []
    assert len(thin_out([str(at) for at in range(1000)], 300)) <= 300


@pytest.mark.parametrize("game", [GAMES[GAME]])
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["-o", "out.jpg"], "a picture ends in .svg, .png, .webp or .gif"),
        (["--animate", "-o", "out.png"], "a moving picture ends in .webp or .gif"),
        (["--animate", "--at", "3"], "leave --at out"),
        (["--size", "500", "-o", "out.svg"], "an SVG has any size"),
        (["--seat", "9"], "there are seats 1 to"),
        (["--at", "0"], "the game has not begun"),
        (["--at", "99999"], "there are entries 1 to"),
        (["-o", "no/such/folder.png"], "No such file"),
        (["--game", "nowhere:GAME"], "there is no game at"),
        (["--lang", "de", "-o", "out.jpg"], "ein Bild endet auf .svg, .png, .webp oder .gif"),
        (["--lang", "de", "--animate", "-o", "out.png"], "ein bewegtes Bild endet auf .webp oder .gif"),
        (["--lang", "de", "--animate", "--at", "3"], "lass --at weg"),
        (["--lang", "de", "--size", "500", "-o", "out.svg"], "ein SVG hat jede Größe"),
        (["--lang", "de", "--seat", "9"], "es gibt die Plätze 1 bis"),
        (["--lang", "de", "--at", "99999"], "es gibt die Einträge 1 bis"),
        (["--lang", "de", "--at", "0"], "hat die Partie noch nicht begonnen"),
    ],
)
def test_mistakes_are_named_and_nothing_is_written(game: Game, record: str, words: list[str], said: str) -> None:
    before = set(Path().iterdir())
    result = picture(record, *words)
    assert result.exit_code == 2
    assert said in result.output
    assert set(Path().iterdir()) == before


@pytest.mark.parametrize(("lang", "said"), [("en", "there is no record"), ("de", "hier gibt es keine Aufzeichnung")])
def test_a_record_that_is_missing_is_not_taken_for_a_table(lang: str, said: str) -> None:
    result = picture("missing.palatine", "--lang", lang)
    assert result.exit_code == 2
    assert said in result.output


def test_a_spoilt_record_is_refused_in_one_line() -> None:
    Path("game.palatine").write_bytes(b"nonsense")
    result = picture("game.palatine")
    assert (result.exit_code, result.output.count("\n")) == (2, 1)


# Tables


class Court:
    """A table, its player Anna at this machine, and others elsewhere."""

    def __init__(self, house: House, anna: Peer, table: Table) -> None:
        self.house, self.anna, self.table = house, anna, table

    async def draw(self, *words: str) -> Result:
        given = [self.table.id, "--server", self.house.url, "-o", "out.svg", *words]
        return await asyncio.to_thread(picture, *given)


@pytest.fixture
async def court(tmp_path: Path) -> AsyncIterator[Court]:
    async with running(tmp_path / "data") as house, house.peer("Anna") as anna, house.peer("Ben") as ben:
        keep_identity(house, anna)
        mine, _ = await seated([anna, ben], game="between_two_castles")
        mine.catch_up()
        yield Court(house, anna, mine)


def keep_identity(house: House, peer: Peer) -> None:
    """Make this machine that of a user."""
    path = identity_file(house.url)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(
        b'{"token":"%s","user":"%s","name":"Anna","expires":99999999999}' % (peer.token.encode(), peer.user.encode())
    )


async def test_table_is_drawn_for_everybody_or_with_ones_own_hand(court: Court) -> None:
    public = await court.draw()
    assert public.exit_code == 0, public.output
    seen = Path("out.svg").read_text("utf-8")
    assert "Anna" in seen
    mine = await court.draw("--seat", str((court.table.seat or 0) + 1))
    assert mine.exit_code == 0, mine.output
    assert Path("out.svg").read_text("utf-8") != seen


async def test_hand_of_another_seat_is_not_drawn_unless_it_is_shown(court: Court) -> None:
    other = 2 - (court.table.seat or 0)
    refused = await court.draw("--seat", str(other))
    assert refused.exit_code == 1
    assert not Path("out.svg").exists()
    nobody = await court.draw("--seat", "9")
    assert nobody.exit_code == 2
    assert "there are seats 1 to 2" in nobody.output


async def test_earlier_versions_and_films_of_a_running_game_show_no_other_hand(court: Court) -> None:
    mine, last = court.table.seat or 0, "99"  # beyond the end of the log, the newest version is shown
    public = await court.draw("--at", last)
    assert public.exit_code == 0, public.output
    seen = Path("out.svg").read_text("utf-8")
    own = await court.draw("--at", last, "--seat", str(mine + 1))
    assert own.exit_code == 0, own.output
    assert Path("out.svg").read_text("utf-8") != seen
    for words in (["--at", last], ["--animate", "-o", "out.gif"]):
        result = await court.draw(*words, "--seat", str(2 - mine))
        assert result.exit_code == 1
        assert "over" in result.output


async def test_finished_table_is_drawn_at_any_version(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, house.peer("Anna") as anna:
        keep_identity(house, anna)
        (table,) = await seated([anna], bots=1)
        await table.play(Random(1).randrange)
        court, pictures = Court(house, anna, table), set()
        for words in ([], ["--at", "12"], ["--at", "12", "--seat", "1"], ["--at", "12", "--seat", "2"]):
            result = await court.draw(*words)
            assert result.exit_code == 0, result.output
            pictures.add(Path("out.svg").read_text("utf-8"))
        assert len(pictures) == 4
        early = await court.draw("--at", "1")
        assert early.exit_code == 1
        assert "has not begun" in early.output


async def test_table_that_is_not_there_or_not_begun(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, house.peer("Anna") as anna:
        nowhere = await asyncio.to_thread(picture, "nowhere", "--server", house.url)
        assert nowhere.exit_code == 1
        table = await opened(anna, 2)
        waiting = await asyncio.to_thread(picture, table, "--server", house.url)
        assert waiting.exit_code == 1
        assert "has not begun" in waiting.output
        private = await opened(anna, 2, visibility="private")
        invitation = (await anna.do(messages.Invite, table=private)).invitation
        hidden = await asyncio.to_thread(picture, private, "--server", house.url)
        invited = await asyncio.to_thread(picture, f"{private}#{invitation}", "--server", house.url)
        assert "has not begun" not in hidden.output
        assert "has not begun" in invited.output
    gone = await asyncio.to_thread(picture, "nowhere", "--server", house.url)
    assert gone.exit_code == 1
    assert "palatine serve" in gone.output


def test_help_shows_what_can_be_drawn() -> None:
    result = picture("--help")
    assert result.exit_code == 0
    for word in ("TABLE|RECORD", "--seat", "--at", "--animate", "--dark", "--tall", "--size", "--game", "Examples"):
        assert word in result.output
