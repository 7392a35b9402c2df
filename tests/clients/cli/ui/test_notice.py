"""What a server says of the figures of a game is shown to whoever plays or looks on at a terminal."""

from __future__ import annotations

from pathlib import Path

import pytest
from clients.pty_driver import Typist, piped, typing
from server_fixture import House

from palatine_client import connect
from palatine_client.cli.http_api import GameInfo, HttpApi
from palatine_client.cli.ui.plain_view import build_view
from palatine_client.table import Table
from palatine_server.games.noblemen import NOBLEMEN
from palatine_server.games.palais_royal import PALAIS_ROYAL

GAMES = [NOBLEMEN, PALAIS_ROYAL]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def notice_of(game: str, lang: str = "en") -> str:
    catalog = next(each.catalog for each in GAMES if each.name == game)
    notice: str = catalog["meta"][f"notice_{lang}"]
    assert len(notice) > 40
    return notice


def in_one_line(typist: Typist) -> str:
    return " ".join(typist.screen.split())


async def table_of(house: House, game: str) -> str:
    """A table with a game that waits for somebody who never plays."""
    async with connect(house.url, name="Otto") as client:
        table = await client.create(game, seats=3)
        await table.sit()
        await table.fill("random")
        await table.start()
        return table.id


@pytest.mark.parametrize(("game", "lang"), [("noblemen", "de"), ("palais_royal", "en")])
async def test_notice_is_shown_once_dimmed_before_the_table(house: House, home: Path, game: str, lang: str) -> None:
    words = ["play", game, "--server", house.url, "--bots", "2", "--seats", "3", "--name", "Ida", "--lang", lang]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.sees({"de": "Tisch ", "en": "Table "}[lang])
        assert f"\x1b[2m{notice_of(game, lang)}\x1b[0m" in ida.colours
        await ida.sees({"de": "Deine Wahl", "en": "Your choice"}[lang])
        assert in_one_line(ida).count(notice_of(game, lang)) == 1


async def test_notice_is_part_of_the_help(house: House, home: Path) -> None:
    words = ["play", "noblemen", "--server", house.url, "--bots", "2", "--seats", "3", "--name", "Ida"]
    async with typing(*words, home=home, columns=200) as ida:
        await ida.prompted("Your choice")
        ida.type("?")
        await ida.sees(notice_of("noblemen"))
        await ida.sees("What you can type")


@pytest.mark.parametrize("lang", ["en", "de"])
async def test_notice_in_plain_words_stands_in_a_line_of_its_own(house: House, home: Path, lang: str) -> None:
    words = ["play", "noblemen", "--server", house.url, "--seats", "3", "--plain", "--lang", lang]
    code, out, err = await piped(*words, home=home, said="")
    assert (code, err) == (0, "")
    assert out.splitlines().count(notice_of("noblemen", lang)) == 1
    code, out, err = await piped(*words, home=home, said="?\n")
    assert (code, err) == (0, "")
    assert out.splitlines().count(notice_of("noblemen", lang)) == 2


async def test_notice_is_shown_to_those_who_look_on(house: House, home: Path) -> None:
    table = await table_of(house, "palais_royal")
    async with typing("watch", "--server", house.url, "--", table, home=home, columns=200) as eva:
        await eva.sees(notice_of("palais_royal"))
        assert f"\x1b[2m{notice_of('palais_royal')}\x1b[0m" in eva.colours
        await eva.has_seen("❯")
        eva.type("?")
        await eva.sees(notice_of("palais_royal"))
        await eva.sees("What you can type")
    words = ["watch", "--server", house.url, "--plain", "--lang", "de", "--", table]
    async with typing(*words, home=home, columns=200) as eva:
        await eva.sees(notice_of("palais_royal", "de"))


async def test_notice_is_nothing_where_a_game_has_none_and_one_line_whatever_the_server_says(house: House) -> None:
    async with connect(house.url, name="Ida") as client:
        table = await client.create("noblemen", seats=3)
        assert not shown(table, GameInfo("noblemen", "Noblemen", (3, 5)))
        assert not shown(table, GameInfo("noblemen", "Noblemen", (3, 5), notice=" \n "))
        assert shown(table, GameInfo("noblemen", "Noblemen", (3, 5), notice="Beware.\n\n1 \tbuy")) == ["Beware. 1 buy"]
        game = await HttpApi(house.url, "de").fetch_game("noblemen")
        assert shown(table, game) == [notice_of("noblemen", "de")]


def shown(table: Table, game: GameInfo) -> list[str]:
    return [str(line) for line in build_view(table, game, "en", plain=False).render_notice()]
