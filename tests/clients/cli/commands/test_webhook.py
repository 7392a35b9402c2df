"""`palatine webhook` and `palatine whoami`: who one is at a server, and where one is told things."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clients.pty_driver import piped
from server_fixture import House

from palatine_client import connect

URL = "https://hooks.example/palatine?me=1"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A machine on which nobody has ever played."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


async def test_a_webhook_is_set_shown_and_removed(house: House, home: Path) -> None:
    where = ["--server", house.url]
    code, out, err = await piped("webhook", "show", *where, home=home)
    assert (code, err) == (0, "")
    assert f"palatine webhook set URL --server {house.url}" in out
    _, out, _ = await piped("webhook", "set", URL, *where, home=home)
    assert f"You are told at {URL} when it is your turn" in out
    assert "palatine_webhook_" in out
    _, out, _ = await piped("webhook", "show", *where, "--json", home=home)
    shown = json.loads(out)
    assert (shown["url"], shown["secret"]) == (URL, "")
    _, out, _ = await piped("webhook", "remove", *where, "--lang", "de", home=home)
    assert out == "Du wirst nirgends mehr benachrichtigt.\n"
    assert (await piped("webhook", "show", *where, "--json", home=home))[1] == "null\n"


async def test_the_webhook_of_a_table_is_told_apart_from_ones_own(house: House, home: Path) -> None:
    where = ["--server", house.url]
    said = await piped("play", "palais_royal", *where, "--name", "Ida", "--json", home=home, said='{"quit": true}\n')
    table = json.loads(said[1].splitlines()[0])["table"]
    of_table = ["--table", table, *where]
    assert f"webhook set URL --table {table}" in (await piped("webhook", "show", *of_table, home=home))[1]
    _, out, _ = await piped("webhook", "set", URL, *of_table, home=home)
    assert f"Whose turn it is at table {table} is told at {URL}" in out
    _, out, _ = await piped("webhook", "remove", *of_table, home=home)
    assert out == "Nobody is told any more whose turn it is at this table.\n"


async def test_the_table_of_a_webhook_may_be_named_with_its_invitation(house: House, home: Path) -> None:
    where = ["--server", house.url]
    words = ["palais_royal", "--private", *where, "--name", "Ida", "--json"]
    said = await piped("play", *words, home=home, said='{"invite": true}\n{"quit": true}\n')
    told = next(event for event in map(json.loads, said[1].splitlines()) if event["event"] == "invitation")
    of_table = ["--table", f"{told['table']}#{told['invitation']}", *where]
    code, out, err = await piped("webhook", "set", URL, *of_table, home=home)
    assert (code, err) == (0, "")
    assert f"Whose turn it is at table {told['table']} is told at {URL}" in out
    assert told["invitation"] not in out
    assert json.loads((await piped("webhook", "show", *of_table, "--json", home=home))[1])["url"] == URL
    assert (await piped("webhook", "remove", *of_table, home=home))[0] == 0


async def test_a_table_that_cannot_be_is_refused_in_the_players_language(house: House, home: Path) -> None:
    words = ["--table", "no such table?", "--server", house.url, "--lang", "de"]
    code, out, err = await piped("webhook", "show", *words, home=home)
    assert (code, out) == (1, "")
    assert err == "Diesen Tisch gibt es nicht, oder er ist dir nicht offen. Alle Tische zeigt: palatine tables\n"


async def test_an_address_that_cannot_be_told_anything_is_refused(house: House, home: Path) -> None:
    code, out, err = await piped("webhook", "set", "http://127.0.0.1/", "--server", house.url, home=home)
    assert (code, out, err.count("\n")) == (1, "", 1)
    in_german = await piped("webhook", "set", "http://127.0.0.1/", "--server", house.url, "--lang", "de", home=home)
    assert "Dorthin kann der Server nichts melden." in in_german[2]


async def test_whoami_names_the_user_for_whom_a_seat_can_be_kept(house: House, home: Path) -> None:
    where = ["--server", house.url]
    assert "does not know you yet" in (await piped("whoami", *where, home=home))[1]
    await piped("play", "palais_royal", *where, "--name", "Ida", "--json", home=home, said='{"quit": true}\n')
    who = json.loads((await piped("whoami", *where, "--json", home=home))[1])
    assert (await piped("whoami", *where, home=home))[1] == f"You are Ida, user {who['user']}.\n"
    async with connect(house.url, name="Otto") as otto:
        table = await otto.create("palais_royal", 2, reserved=[who["user"]])
        await table.add_bot()
        said = await piped("play", *where, "--table", table.id, "--json", home=home, said='{"quit": true}\n')
        assert said[0] == 0
        assert table.info.seats[0]
        assert table.info.seats[0].name == "Ida"
