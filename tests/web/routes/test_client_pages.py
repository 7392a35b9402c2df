"""The pages and files of the web client: what the server sends, to whom, and with which headers."""

import re
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from server_fixture import House, Peer, Table, running

from palatine_protocol import messages
from palatine_server.web.routes import client_files

INDEX = (
    '<!doctype html><html><head><base href="./" /><title>Palatine</title>'
    '<script type="module" src="./assets/index-1.js"></script></head></html>'
)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a small build."""
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(INDEX)
    (folder / "sw.js").write_text("// " + "a worker " * 100)
    (folder / "assets" / "index-1.js").write_text("export {}")
    files = client_files.load_files(folder)
    monkeypatch.setattr("palatine_server.web.routes.client_pages.load_files", lambda: files)
    return folder


@pytest.fixture
async def house(tmp_path: Path, build: Path) -> AsyncIterator[House]:
    async with running(tmp_path / "data") as house:
        yield house


async def get(house: House, path: str, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.get(path, headers=headers)


@pytest.mark.parametrize(
    ("path", "base"),
    {"/": "./", "/new": "./", "/operator": "./", "/t/nowhere": "../", "/replay/nowhere": "../"}.items(),
)
async def test_every_page_is_the_client_with_its_base(house: House, path: str, base: str) -> None:
    answer = await get(house, path)
    assert answer.status_code == 200
    assert answer.text == INDEX.replace("./", base, 1)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["referrer-policy"] == "no-referrer"
    policy = answer.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"} <= {*policy}
    assert "unsafe" not in answer.headers["content-security-policy"]


async def test_files_are_compressed_and_kept(house: House, build: Path) -> None:
    worker, asset = await get(house, "/sw.js"), await get(house, "/assets/index-1.js")
    assert worker.headers["content-encoding"] == "gzip"
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-type"].startswith("text/javascript")
    again = await get(house, "/sw.js", **{"if-none-match": worker.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = await get(house, "/sw.js", **{"accept-encoding": "identity"})
    assert plain.text == worker.text == (build / "sw.js").read_text()
    assert "content-encoding" not in plain.headers


@pytest.mark.parametrize("path", ["/nothing", "/assets/nothing.js", "/assets/%2e%2e%2fsw.js", "/index.html"])
async def test_nothing_else_is_served(house: House, path: str) -> None:
    assert (await get(house, path)).status_code == 404


async def test_without_a_build_the_page_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("palatine_server.web.routes.client_pages.load_files", dict)
    async with running(tmp_path / "data") as house:
        answer = await get(house, "/")
        assert answer.status_code == 503
        assert "make web" in answer.text
        links = re.findall(r'href="([^"]+)"', answer.text)
        assert links == ["docs", "docs/games", "examples/"]
        assert {(await get(house, f"/{link}")).status_code for link in links} == {200}


# What a pasted link shows


async def open_table(peer: Peer, **terms: str) -> str:
    created = await peer.do(messages.Create, game="palais_royal", seats=2, **terms)
    assert isinstance(created, messages.Created)
    await peer.do(messages.Sit, table=created.table)
    return created.table


def tags_of(answer: httpx.Response) -> dict[str, str]:
    return dict(re.findall(r'property="og:(\w+)" content="([^"]*)"', answer.text))


async def test_a_tables_page_shows_the_board_in_its_tags(house: House) -> None:
    async with house.peer("Ada <&>") as ada:
        table = await open_table(ada)
        before = tags_of(await get(house, f"/t/{table}"))
        await ada.do(messages.AddBot, table=table, policy="random")
        await ada.do(messages.Start, table=table)
        after = tags_of(await get(house, f"/t/{table}", **{"accept-language": "de-DE"}))
    assert before["title"] == "Royal Palace"
    assert before["description"] == "Ada &lt;&amp;&gt; – open table"
    assert "image" not in before
    assert after["title"] == "Palais Royal"
    assert after["image"] == f"{house.url}/v1/tables/{table}/board.png?lang=de"


async def test_a_private_tables_page_tells_nothing_without_the_invitation(house: House) -> None:
    async with house.peer("Ada") as ada:
        table = await open_table(ada, visibility="private")
        invitation = await ada.do(messages.Invite, table=table)
        assert isinstance(invitation, messages.Invitation)
        unknown, stranger = [await get(house, f"/t/{name}") for name in ("0123456789abcdef", table)]
        assert stranger.text == unknown.text
        assert "Ada" in tags_of(await get(house, f"/t/{table}?i={invitation.invitation}"))["description"]


async def test_a_link_to_a_finished_game_names_it_when_its_table_is_gone(house: House) -> None:
    async with house.peer("Ada") as ada:
        table = await open_table(ada)
        await ada.do(messages.AddBot, table=table, policy="random")
        await ada.do(messages.Start, table=table)
        await ada.do(messages.Leave, table=table)  # a bot plays on for her
        seen = Table(ada, table)
        await ada.do(messages.Watch, table=table)
        while not seen.is_over:
            await ada.receive()
            seen.catch_up()
    state = house.server._app.state.shared
    await state.archive.archive_table(table)
    await state.store.remove(table)
    state.directory.close_removed(table)
    tags = tags_of(await get(house, f"/t/{table}"))
    assert tags["title"] == "Royal Palace"
    assert tags["description"] == "Ada, Bot 2 – finished game"
    assert (await get(house, f"/v1/tables/{table}/record")).status_code == 200
