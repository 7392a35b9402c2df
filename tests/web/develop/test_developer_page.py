"""The developer page: every zone at every version, forks, and nothing for anybody but the author at this machine."""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import AsyncIterator
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from anyio import to_thread
from server_fixture import House, Peer, Table, opened, running, seated

from palatine_protocol.messages import Clock, Rollback, Say, Watch
from palatine_server.settings import BadSetting, Settings
from palatine_server.web.develop.rules_report import (
    RulesReport,
    TableDifference,
    ValueDifference,
    describe_report,
    write_report,
)
from palatine_server.web.preflight import check_settings

TOKEN, SEED = "a-token-for-tests", "5e" * 32


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with running(tmp_path / "data", develop_token=TOKEN) as house:
        yield house


async def ask(house: House, path: str, body: Any = None, **headers: str) -> tuple[int, Any, dict[str, str]]:
    """Ask for a path with the token, or with these headers; return status, content and headers."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{house.url}/{path}", data, {"x-palatine-develop": TOKEN, **headers})
    return await to_thread.run_sync(fetch, request)


def fetch(request: urllib.request.Request) -> tuple[int, Any, dict[str, str]]:
    try:
        with urllib.request.urlopen(request) as answer:
            status, content, headers = answer.status, answer.read(), answer.headers
    except urllib.error.HTTPError as error:
        status, content, headers = error.code, error.read(), error.headers
    is_json = headers.get_content_type() == "application/json"
    return status, json.loads(content) if is_json else content.decode(), dict(headers)


async def begin(peer: Peer, **terms: Any) -> Table:
    """A game of one player and a bot, of which a few decisions were made; it stands still until the player acts."""
    (table,) = await seated([peer], bots=1, **terms)
    await table.play(Random(3).randrange, lambda each: each.version > 12 and stands_still(each))
    return table


def stands_still(table: Table) -> bool:
    """Return whether the table waits for the first player, and not only while they may correct what they placed."""
    return [waiting.seat for waiting in table.waiting] == [0] and table.board["correcting"] is None


async def view(house: House, table: str, at: int | None = None) -> Any:
    status, content, _ = await ask(house, f"develop/tables/{table}" + ("" if at is None else f"?at={at}"))
    assert status == 200, content
    return content


ZONES = ("board", "hands", "box", "chance", "agenda")


def select_zones(shown: Any) -> Any:
    return {name: shown[name] for name in ZONES}


async def test_every_zone_is_shown_at_every_version(house: House) -> None:
    async with house.peer("Ida") as ida:
        table = await begin(ida, seed=SEED)
        shown = [await view(house, table.id, at) for at in range(table.version + 1)]
        assert [each["at"] for each in shown] == list(range(table.version + 1))
        assert shown[0]["entry"] is None
        assert shown[0]["board"] is None
        last = shown[-1]
        assert (last["board"], last["hands"][0]) == (table.board, table.hand)
        assert last["box"]
        assert last["chance"]["seed"] == SEED
        assert [step["rule"] for step in last["agenda"]]
        assert last["seats"][0] == "Ida"
        assert last["waiting"] == [0]
        choices = {choice["do"] for choice in last["offers"][0]["choices"]}
        assert table.offer is not None
        assert choices == {choice.do for choice in table.offer.choices}
        assert last["entry"]["did"]["do"] in ("act", "bot")
        assert any(last["changed"]["board"]) or any(last["changed"]["hands"])
        assert await view(house, table.id) == last


async def test_a_fork_is_a_table_of_its_own_that_can_be_played_to_its_end(house: House) -> None:
    async with house.peer("Ida") as ida:
        table = await begin(ida)
        before, earlier = await view(house, table.id), await view(house, table.id, 9)
        status, made, _ = await ask(house, "develop/forks", {"table": table.id, "at": 9})
        assert (status, made["entries"], made["stopped"]) == (201, 9, "")
        assert select_zones(await view(house, made["table"], 9)) == select_zones(earlier)
        await ida.do(Watch, table=made["table"])
        fork = Table(ida, made["table"])
        await fork.play(Random(1).randrange)
        assert fork.is_over
        assert await view(house, table.id) == before


async def test_a_fork_with_the_same_rules_leads_to_the_same_table(house: House) -> None:
    async with house.peer("Ida") as ida:
        table = await begin(ida)
        await ida.do(Say, table=table.id, text="hello")
        await ida.do(Rollback, table=table.id, to=8)
        await ida.do(Say, table=table.id, text="again")
        newest = await view(house, table.id)
        wanted = {"table": table.id, "at": newest["versions"], "way": "rules"}
        _, made, _ = await ask(house, "develop/forks", wanted)
        assert (made["entries"], made["stopped"]) == (newest["versions"], "")
        for at in range(newest["versions"] + 1):
            old, new = await view(house, table.id, at), await view(house, made["table"], at)
            assert select_zones(old) == select_zones(new)
            assert old["entry"] == new["entry"]


@pytest.mark.parametrize("way", ["log", "rules"])
async def test_in_a_fork_of_a_table_with_a_clock_nobody_is_late(house: House, way: str) -> None:
    async with house.peer("Ida") as ida:
        table = await begin(ida, clock=Clock(move=1000))
        _, made, _ = await ask(house, "develop/forks", {"table": table.id, "at": table.version, "way": way})
        assert made["entries"] == table.version + 1
        shown = await view(house, made["table"])
        assert shown["entry"]["did"] == {"do": "put_clocks_back"}
        opened = await house.server._app.state.shared.directory.open(made["table"])
        assert opened.state.deadline() > shown["entry"]["at"] + 900_000


async def test_a_wrong_request_is_refused_with_a_code(house: House) -> None:
    async with house.peer("Ida") as ida:
        table = await opened(ida, 2)
    for body, status, code in (
        ({"table": "nosuchtable", "at": 1}, 404, "no_such_table"),
        ({"table": table, "at": 0}, 400, "no_such_version"),
        ({"table": table, "at": 10**9}, 400, "no_such_version"),
        ({"table": table, "at": "1"}, 400, "malformed"),
        ({"table": table, "at": 1, "way": "sideways"}, 400, "malformed"),
        ({"table": table, "at": 1, "more": 1}, 400, "malformed"),
        ([], 400, "malformed"),
    ):
        found, content, _ = await ask(house, "develop/forks", body)
        assert (found, content["code"]) == (status, code)
    for at in ("-1", "x", "999", "٣", "1" * 50):
        found, content, _ = await ask(house, f"develop/tables/{table}?at={quote(at)}")
        assert (found, content["code"]) == (400, "no_such_version")


# Access

PRIVATE = ["develop/tables", "develop/tables/{table}", "develop/tables/{table}?at=1"]


STRANGERS = [
    ({"x-palatine-develop": ""}, 403),
    ({"x-palatine-develop": "wrong"}, 403),
    ({"x-palatine-develop": TOKEN + "x"}, 403),
    ({"host": "evil.example"}, 404),  # DNS rebinding
    ({"host": "localhost.evil.example"}, 404),
    ({"x-forwarded-for": "203.0.113.7"}, 404),  # through a proxy
    ({"x-forwarded-for": "127.0.0.1"}, 404),
    ({"x-forwarded-host": "play.example"}, 404),
]


async def test_nobody_else_is_shown_anything(house: House) -> None:
    async with house.peer("Ida") as ida:
        table = await begin(ida)
    for headers, status in STRANGERS:
        for path, body in [*((path, None) for path in PRIVATE), ("develop/forks", {"table": table.id, "at": 1})]:
            found, content, _ = await ask(house, path.format(table=table.id), body, **headers)
            assert (found, set(content)) == (status, {"code", "sentence"})


async def test_without_a_token_there_is_no_page_at_all(tmp_path: Path) -> None:
    async with running(tmp_path / "data") as house, house.peer("Ida") as ida:
        table = await begin(ida)
        paths = ["develop", "develop/page.js", *(path.format(table=table.id) for path in PRIVATE)]
        assert {(await ask(house, path, **{"x-palatine-develop": ""}))[0] for path in paths} == {404}
        status, _, _ = await ask(house, "develop/forks", {"table": table.id, "at": 1}, **{"x-palatine-develop": ""})
        assert status == 404


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.7", "::", "play.example"])
def test_a_server_beyond_loopback_does_not_start_with_a_token(tmp_path: Path, host: str) -> None:
    with pytest.raises(BadSetting, match="on their own machine"):
        check_settings(Settings(data=tmp_path, host=host, develop_token=TOKEN))


def test_a_server_behind_a_proxy_does_not_start_with_a_token(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="leave --public-url out"):
        check_settings(Settings(data=tmp_path, public_url="https://play.example", develop_token=TOKEN))


async def test_the_page_runs_no_script_but_its_own_and_answers_are_not_stored(house: House) -> None:
    for path in ("develop", "develop/page.js", "develop/page.css", "develop/tables"):
        status, _, headers = await ask(house, path)
        assert status == 200
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
    assert headers["cache-control"] == "no-store"
    assert "access-control-allow-origin" not in headers
    assert (await ask(house, "develop/routes.py"))[0] == 404


# The report


@pytest.mark.parametrize(
    ("lang", "lines"),
    [
        (
            "en",
            [
                "Running tables that were played again with the changed rules: 1 (7 entries), different: 1.",
                "castles, table T, entry 3 of 7 (Ida: lay): the rules lead to another result.",
                "  hand of seat 1, cards: 3 in the log, 4 by the rules",
                "  and 2 more",
                "A table that differs goes on from its stored document, and its log stays as it is. On the developer "
                "page you can fork it with the changed rules.",
            ],
        ),
        (
            "de",
            [
                "Laufende Tische, die mit den geänderten Regeln nachgespielt wurden: 1 (7 Einträge), abweichend: 1.",
                "castles, Tisch T, Eintrag 3 von 7 (Ida: lay): die Regeln führen zu einem anderen Ergebnis.",
                "  Hand von Platz 1, cards: im Log 3, nach den Regeln 4",
                "  und 2 weitere",
                "Ein Tisch, der abweicht, geht von seinem gespeicherten Dokument weiter, und sein Log bleibt, wie es "
                "ist. Auf der Entwicklerseite kannst du ihn mit den geänderten Regeln abzweigen.",
            ],
        ),
    ],
)
async def test_the_last_change_of_the_rules_is_told_in_words(house: House, lang: str, lines: list[str]) -> None:
    value = ValueDifference(zone="hand 1", path=["cards"], logged="3", computed="4")
    found = TableDifference(
        table="T", game="castles", versions=7, at=3, did="Ida: lay", kind="other", values=[value], more=2
    )
    write_report(RulesReport(at=1, changed=["rules.py"], tables=1, entries=7, different=[found]), house.settings.data)
    _, content, _ = await ask(house, f"develop/tables?lang={lang}")
    assert content["report"]["lines"] == ["rules.py", *lines]
    assert (house.settings.data / "rules-report.json").stat().st_mode & 0o077 == 0


async def test_of_many_tables_that_differ_the_first_are_described(house: House) -> None:
    found = TableDifference(table="T", game="castles", versions=7, at=3, did="Ida: lay", kind="other")
    lines = describe_report(RulesReport(at=1, tables=20, different=[found] * 12), "en")
    assert sum(line.startswith("castles, table T") for line in lines) == 10
    assert "Further tables that differ: 2." in lines


async def test_a_report_in_which_nothing_was_changed_is_none(house: House) -> None:
    write_report(RulesReport(at=1, tables=3, entries=9), house.settings.data)
    _, answer, _ = await ask(house, "develop/tables")
    assert answer["report"] is None


async def test_a_report_that_makes_no_sense_is_none(house: House) -> None:
    for content in (b"", b"{", b'{"at": "x"}', b"\xff", b"[" * 100_000):
        (house.settings.data / "rules-report.json").write_bytes(content)
        _, answer, _ = await ask(house, "develop/tables")
        assert answer["report"] is None
