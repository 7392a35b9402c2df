"""Who we are at a server: kept for our eyes only, renewed in time, one for each server."""

from __future__ import annotations

import asyncio
import stat
import time
from pathlib import Path

import msgspec
import pytest
from server_fixture import House

from palatine_client import Guest
from palatine_client.cli.connect import connect_as
from palatine_client.cli.identity import RENEW_BEFORE, get_identity, identity_file, load_identity, write_private


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    return tmp_path / "config"


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_it_is_kept_between_runs_and_nobody_else_can_read_it(house: House, home: Path) -> None:
    path = identity_file(house.url)
    first = await get_identity(house.url, path, "Ida")
    assert await get_identity(house.url, path) == first
    assert path.parent == home / "palatine"
    assert (mode(path), mode(path.parent)) == (0o600, 0o700)


async def test_a_new_name_keeps_the_user(house: House) -> None:
    path = identity_file(house.url)
    first, renamed = await get_identity(house.url, path, "Ida"), await get_identity(house.url, path, "Ilse")
    assert (renamed.user, renamed.name) == (first.user, "Ilse")
    assert load_identity(path) == renamed


async def test_it_is_renewed_when_it_nears_its_end(house: House) -> None:
    path = identity_file(house.url)
    first = await get_identity(house.url, path, "Ida")
    old = msgspec.structs.replace(first, expires=int(time.time()) + RENEW_BEFORE - 60)
    write_private(path, msgspec.json.encode(old))
    fresh = await get_identity(house.url, path)
    assert fresh.user == first.user
    assert fresh.expires > old.expires


async def test_a_token_that_is_not_accepted_any_more_makes_a_new_guest_of_the_same_name(house: House) -> None:
    path = identity_file(house.url)
    write_private(path, msgspec.json.encode(Guest("palatine_nonsense", "u", "Ida", int(time.time()) + 60)))
    fresh = await get_identity(house.url, path)
    assert (fresh.name, fresh.user != "u") == ("Ida", True)


async def test_a_token_of_another_time_is_replaced_when_the_server_refuses_it(house: House) -> None:
    path, later = identity_file(house.url), int(time.time()) + 2 * RENEW_BEFORE
    write_private(path, msgspec.json.encode(Guest("palatine_nonsense", "u", "Ida", later)))
    async with connect_as(house.url, path) as client:
        assert client.welcome.name == "Ida"
    known = load_identity(path)
    assert known
    assert known.user == client.welcome.user != "u"


@pytest.mark.parametrize(
    "content", [b"", b"nonsense", b'{"token": 7}', b'{"token":"t","user":"u","name":"n","expires":7}']
)
def test_what_is_no_identity_or_has_expired_counts_for_nothing(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "guest.json"
    path.write_bytes(content)
    assert load_identity(path) is None


def test_every_server_and_every_role_has_its_own() -> None:
    names = {
        identity_file(server, role)
        for server in ("http://a:1", "http://b:1", "http://a:2", "http://a:1/sub")
        for role in ("guest", "bot Robo")
    }
    assert len(names) == 8
    assert (
        identity_file("127.0.0.1:8080")
        == identity_file("http://127.0.0.1:8080")
        == identity_file("ws://127.0.0.1:8080")
    )


async def test_two_that_start_at_once_do_not_disturb_each_other(house: House) -> None:
    path = identity_file(house.url)
    await asyncio.gather(*(get_identity(house.url, path, "Ida") for _ in range(4)))
    assert load_identity(path)
