"""Record files: built off the event loop, once for each version, in turn for all who ask."""

import threading
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from server_fixture import House, running, seated
from starlette.requests import Request

from palatine_protocol.messages import Done, Ping, Pong, Show
from palatine_server.records.export import export_record
from palatine_server.tables.storage import persistence
from palatine_server.web.routes import record_files
from palatine_server.web.routes.record_files import CHUNK, respond_with_file


async def over(house: House, anna: Any) -> Any:
    (table,) = await seated([anna], bots=1, game="palais_royal")
    await table.play(lambda most: 0)
    return table


def count_builds(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """In which thread each file is built."""
    built, build_file = list[str](), record_files.build_file

    def build(*given: Any) -> bytes:
        built.append(threading.current_thread().name)
        return build_file(*given)

    monkeypatch.setattr(record_files, "build_file", build)
    return built


async def test_file_is_built_once_for_each_version_and_in_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = count_builds(monkeypatch)
    async with running(tmp_path) as house, house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        table = await over(house, anna)
        files = [(await client.get(f"/v1/tables/{table.id}/record")).content for _ in range(3)]
        assert (len(set(files)), len(built), "MainThread" in built) == (1, 1, False)
        known = {"if-none-match": (await client.get(f"/v1/tables/{table.id}/record")).headers["etag"]}
        again = await client.get(f"/v1/tables/{table.id}/record", headers=known)
        assert (again.status_code, again.content, again.headers["cache-control"]) == (304, b"", "private, no-cache")
        assert files[0] == await expected(house, table.id)
        assert isinstance(await anna.do(Show, table=table.id), Done)
        later = (await client.get(f"/v1/tables/{table.id}/record", headers=known)).content
        assert (later == await expected(house, table.id), later != files[0], len(built)) == (True, True, 2)


async def expected(house: House, table: str) -> bytes:
    running_house = house.server._app.state.shared
    page = (await running_house.directory.open(table)).state.take_snapshot()
    entries = await persistence.read_entries(table, 0, page.version, running_house.store)
    return export_record(table, page, entries, await running_house.signing_keys.load_signer())


async def test_others_are_served_while_a_file_is_built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go_on, build_file = threading.Event(), record_files.build_file

    def build(*given: Any) -> bytes:
        assert go_on.wait(10)
        return build_file(*given)

    monkeypatch.setattr(record_files, "build_file", build)
    async with running(tmp_path) as house, house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        table, answers = await over(house, anna), list[httpx.Response]()

        async def get() -> None:
            answers.append(await client.get(f"/v1/tables/{table.id}/record"))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(get)
            for _ in range(3):
                assert isinstance(await anna.do(Ping), Pong)
            assert not answers
            go_on.set()
        assert answers[0].status_code == 200


async def test_game_that_is_not_over_has_no_file(tmp_path: Path) -> None:
    async with running(tmp_path) as house, house.peer("Anna") as anna, httpx.AsyncClient(base_url=house.url) as client:
        (table,) = await seated([anna], bots=1, game="palais_royal")
        answer = await client.get(f"/v1/tables/{table.id}/record")
        assert (answer.status_code, answer.json()["code"]) == (409, "not_over")


def test_files_that_are_remembered_are_bounded() -> None:
    files = record_files.RecordFiles(None, most_bytes=10)  # type: ignore[arg-type]
    for number in range(5):
        files._remember(bytes([number]), b"four")
    assert list(files._files) == [b"\x03", b"\x04"]
    files._remember(b"large", b"x" * 100)
    assert list(files._files) == [b"large"]


async def test_file_is_sent_in_pieces() -> None:
    response: Any = respond_with_file(Request({"type": "http", "headers": []}), b"x" * (3 * CHUNK + 1), "t.palatine")
    assert [len(piece) async for piece in response.body_iterator] == [CHUNK] * 3 + [1]
    assert response.headers["content-length"] == str(3 * CHUNK + 1)
