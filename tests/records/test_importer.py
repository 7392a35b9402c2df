"""Importing: a record becomes a table again, which tells the same game; what does not verify becomes nothing."""

import json
from asyncio import get_running_loop
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from time import sleep
from typing import Any

import httpx
import pytest
from anyio import to_thread
from records.game_fixtures import record_of
from records.record_commands import COMMANDS
from records.test_records import every_game, forged, forgery, other_action, other_entropy, other_result
from server_fixture import House, running
from tables.test_directory import Failing, Watcher, ask
from typer.testing import CliRunner

from palatine_protocol import messages
from palatine_server.games.kit import Game, Refused
from palatine_server.games.registry import GAMES
from palatine_server.records import Record, build_record, encode_record
from palatine_server.records.importer import ImportedTable, prepare_import, store_import
from palatine_server.records.verify import compute_info
from palatine_server.settings import Settings
from palatine_server.store import Append, OnOutcome, Unavailable
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.directory import TableDirectory
from palatine_server.tables.storage import persistence

PALAIS = GAMES["palais_royal"]
WITHIN = 0.3  # seconds


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Failing]:
    opened = Failing(await SqliteStore.open(tmp_path / "data"))
    yield opened
    await opened.close()


async def brought(record: Record, store: Any) -> ImportedTable:
    return await store_import(prepare_import(encode_record(record), GAMES), store)


async def recorded_at(store: Any, table: str) -> Record:
    page, _ = await persistence.load(table, store)
    return build_record(table, page, await persistence.read_entries(table, 0, page.version, store))


@every_game
async def test_what_is_imported_has_the_same_record(game: Game, store: Failing) -> None:
    record = record_of(game)
    assert await brought(record, store) == ImportedTable("t", "")
    assert encode_record(await recorded_at(store, "t")) == encode_record(record)


async def test_it_is_watched_told_again_and_changed_by_nobody(store: Failing) -> None:
    record = record_of(PALAIS)
    await brought(record, store)
    async with TableDirectory(GAMES, store, Settings(), lambda: 1_000) as directory:
        watcher = Watcher("u0")
        watching = await ask(directory, "u0", messages.Watch, watcher, table="t")
        assert (watching.seat, watching.version) == (None, len(record.entries))
        (shown,) = watcher.heard
        assert shown.info.status == "over"
        assert shown.info.standings == compute_info(record, len(record.entries))["standings"] != []
        replay = messages.Watch(id="r", table="t", open=True, pace=0)
        first, *updates = [told async for told in directory.replay(replay, "u0")]
        assert (first.version, [update.version for update in updates]) == (0, list(range(1, len(record.entries) + 1)))
        assert updates[-1].digest == shown.digest
        for request in (messages.Sit, messages.Start, messages.Leave, messages.Undo, messages.Rematch):
            refused = await ask(directory, "u0", request, table="t")
            assert isinstance(refused, messages.Refused)
        assert (await directory.store.heads(["t"]))["t"].version == len(record.entries)


async def test_the_same_record_again_finds_its_table(store: Failing) -> None:
    record = record_of(PALAIS)
    assert await brought(record, store) == await brought(record, store)
    with pytest.raises(Refused) as refused:
        await brought(record_of(PALAIS, seed=1), store)
    assert refused.value.code == "table_exists"
    assert await recorded_at(store, "t") == record


async def test_what_was_cut_short_does_not_exist_until_it_is_brought_to_its_end(
    store: Failing, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, count = record_of(PALAIS), 0

    def failing(append: Append, on_outcome: OnOutcome) -> None:
        nonlocal count
        count += 1
        if count > 20:
            get_running_loop().call_soon(on_outcome, Unavailable())
        else:
            store._store.append(append, on_outcome)

    with monkeypatch.context() as broken:
        broken.setattr(store, "append", failing)
        with pytest.raises(Unavailable):
            await brought(record, store)
    assert (await store.heads(["t"]))["t"].version == 20
    with pytest.raises(Refused) as refused:
        await persistence.load("t", store)
    assert refused.value.code == "no_such_table"
    await brought(record, store)
    assert await recorded_at(store, "t") == record


# What is refused


def code_of(content: bytes) -> str:
    with pytest.raises(Refused) as refused:
        prepare_import(content, GAMES)
    return refused.value.code


@pytest.mark.parametrize("change", [other_entropy, other_action, other_result])
def test_what_does_not_verify_is_refused(change: Any) -> None:
    assert code_of(forgery(record_of(PALAIS), change)) == "bad_record"


def without_its_end(lines: Any) -> None:
    del lines[-1]


def with_a_chosen_seed(lines: Any) -> None:
    lines[0]["commitment"] = ""


def of_no_game(lines: Any) -> None:
    lines[0]["game"] = "chess"


def with_a_bad_id(lines: Any) -> None:
    lines[0]["table"] = "../secrets"


def with_a_bad_opening(lines: Any) -> None:
    lines[0]["opening"] = {"seats": 3}


@pytest.mark.parametrize("change", [without_its_end, with_a_chosen_seed, of_no_game, with_a_bad_id, with_a_bad_opening])
def test_what_is_no_whole_game_is_refused(change: Any) -> None:
    assert code_of(forgery(record_of(PALAIS), change)) == "bad_record"


@pytest.mark.parametrize("change", [{"at": 2**60}, {"at": 2**70}, {"at": -1}, {"digests": [2**70]}])
def test_numbers_that_no_store_takes_are_refused(change: dict[str, Any]) -> None:
    header, first, *others = encode_record(record_of(PALAIS)).splitlines(keepends=True)[:-1]
    lines = [header, json.dumps({**json.loads(first), **change}).encode() + b"\n", *others]
    checksum = {"sha256": sha256(b"".join(lines)).hexdigest()}
    end = json.dumps(checksum, separators=(",", ":")).encode() + b"\n"
    assert code_of(b"".join([*lines, end])) == "bad_record"


@pytest.mark.parametrize("content", [b"", b"{}\n", b"\xff" * 100])
def test_what_is_no_record_is_refused(content: bytes) -> None:
    assert code_of(content) == "bad_record"


# At a server


def private(lines: Any) -> None:
    lines[0]["opening"]["visibility"] = "private"


async def posted(house: House, content: bytes, kind: Any = "admin", **headers: str) -> httpx.Response:
    token, _ = house.server._app.state.shared.token_signer.create_token("Operator", kind)
    headers |= {"authorization": f"Bearer {token}"}
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.post("/v1/records", content=content, headers=headers)


async def test_an_administrator_brings_a_record_to_a_running_server(tmp_path: Path) -> None:
    content = encode_record(record_of(PALAIS))
    async with running(tmp_path) as house, httpx.AsyncClient(base_url=house.url) as client:
        assert (await posted(house, content, "guest")).status_code == 403
        answer = await posted(house, content)
        assert (answer.status_code, answer.json()) == (201, {"table": "t", "invitation": ""})
        assert (await client.get("/v1/tables/t/record")).content == content
        spoilt = await posted(house, content[:-2] + b"x\n")
        assert (spoilt.status_code, spoilt.json()["code"]) == (400, "bad_record")
        other = await posted(house, encode_record(record_of(PALAIS, seed=1)))
        assert (other.status_code, other.json()["code"]) == (409, "table_exists")
        assert (await posted(house, b"x" * (32 * 2**20 + 1))).json()["code"] == "malformed"


async def test_a_private_game_is_watched_by_invitation(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna:
        answer = (await posted(house, encode_record(forged(record_of(PALAIS), private)))).json()
        assert (await anna.do(messages.Watch, table="t")).code == "no_such_table"
        invited = await anna.do(messages.Watch, table="t", invitation=answer["invitation"])
        assert isinstance(invited, messages.Watching)
        async with httpx.AsyncClient(base_url=house.url) as client:
            assert (await client.get("/v1/tables/t/record")).status_code == 404
            assert (await client.get("/v1/tables/t/record", params=answer)).status_code == 200


async def test_a_long_game_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def slow(*given: Any) -> Any:
        sleep(3 * WITHIN)
        return prepare_import(*given)

    monkeypatch.setattr("palatine_server.gateway.http_protocol.REQUEST_WITHIN", WITHIN)
    monkeypatch.setattr("palatine_server.web.routes.record_routes.prepare_import", slow)
    async with running(tmp_path) as house:
        for connection in ("keep-alive", "close"):
            answer = await posted(house, encode_record(record_of(PALAIS)), connection=connection)
            assert (answer.status_code, answer.json()["table"]) == (201, "t")


async def test_the_command_brings_records_to_a_server_that_rests_or_runs(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.palatine", tmp_path / "bad.palatine"
    good.write_bytes(encode_record(record_of(PALAIS)))
    bad.write_bytes(b"nonsense")
    data = str(tmp_path / "data")
    result = await to_thread.run_sync(CliRunner().invoke, COMMANDS, ["import", str(good), str(bad), "--data", data])
    assert result.exit_code == 1
    assert f"{good}: table t" in result.output
    assert f"{bad}: The record cannot be read" in result.output
    async with running(tmp_path / "data") as house:
        token, _ = house.server._app.state.shared.token_signer.create_token("Operator", "admin")
        for given, code, words in (
            (["--data", data], 1, "--server URL"),
            (["--server", house.url], 1, "token"),
            (["--server", house.url, "--admin-token", token], 0, "table t"),
        ):
            result = await to_thread.run_sync(CliRunner().invoke, COMMANDS, ["import", str(good), *given])
            assert (result.exit_code, words in result.output) == (code, True), result.output
