"""Signing keys: made once, shared by all nodes of a store, published, rotated, and asked for by `palatine verify`."""

import asyncio
import json
import stat
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from socket import socket
from socketserver import BaseRequestHandler, ThreadingTCPServer
from typing import Any, NamedTuple

import httpx
import pytest
from anyio import to_thread
from records.chat_game import SIGNER, talkative_record
from records.record_commands import COMMANDS
from records.test_records import checked_by_node
from server_fixture import House, Table, opened, running
from store.redis_servers import one_server
from store.redis_servers import running as running_redis
from typer.testing import CliRunner

from palatine_protocol import messages
from palatine_server.records import Record, Signer, decode_record, encode_record, key_fetch, signing_keys
from palatine_server.records.key_ring import BadKeys, KeyRing
from palatine_server.records.signatures import key_id
from palatine_server.records.signing_keys import DOCUMENT, VARIABLE, SigningKeys, read_signer
from palatine_server.store import CannotOpen, Unavailable, milliseconds
from palatine_server.store.documents import Documents, FileDocuments
from palatine_server.store.redis import RedisStore


@pytest.fixture(autouse=True)
def _no_key_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)


def keys_on(documents: Documents, clock: Callable[[], int] = milliseconds) -> SigningKeys:
    return SigningKeys(documents, clock, "https://play.example")


class Said(NamedTuple):
    exit_code: int
    output: str  # in one line, however wide the terminal is


async def palatine(*words: str) -> Said:
    result = await to_thread.run_sync(lambda: CliRunner().invoke(COMMANDS, words))
    return Said(result.exit_code, " ".join(result.output.split()))


async def played_at(house: House) -> str:
    """A game of two house bots, to its end."""
    async with house.peer("Anna") as anna:
        table = await opened(anna, 2, "palais_royal")
        for _ in range(2):
            await anna.do(messages.AddBot, table=table, policy="random")
        await anna.do(messages.Watch, table=table)
        await anna.do(messages.Start, table=table)
        seen = Table(anna, table)
        while not seen.is_over:
            await anna.receive()
            seen.catch_up()
    return table


async def published(house: House, **headers: str) -> httpx.Response:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return await client.get("/v1/keys", headers=headers)


async def record_at(house: House, table: str) -> Record:
    async with httpx.AsyncClient(base_url=house.url) as client:
        return decode_record((await client.get(f"/v1/tables/{table}/record")).content)


# In the data directory


async def test_the_first_start_makes_a_key_and_the_next_one_finds_it(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        first = await published(house)
    path = tmp_path / f"{DOCUMENT}.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    async with running(tmp_path) as house:
        second = await published(house)
    assert first.json() == second.json()
    (key,) = first.json()["keys"]
    assert (key["kty"], key["crv"], key["alg"], key["use"]) == ("OKP", "Ed25519", "EdDSA", "sig")
    assert "until" not in key
    private = json.loads(path.read_bytes())["keys"][0]["private"]
    assert private not in first.text


async def test_the_keys_may_be_kept_for_a_while_and_are_sent_only_if_they_changed(tmp_path: Path) -> None:
    async with running(tmp_path) as house:
        answer = await published(house)
        assert answer.headers["content-type"] == "application/jwk-set+json"
        assert answer.headers["cache-control"] == "public, max-age=300"
        again = await published(house, **{"if-none-match": answer.headers["etag"]})
        assert (again.status_code, again.content) == (304, b"")


async def test_a_record_of_the_server_is_signed_by_it_and_everybody_can_check_that(tmp_path: Path) -> None:
    async with running(tmp_path / "data", public_url="https://play.example/") as house:
        table = await played_at(house)
        record, keys = await record_at(house, table), await published(house)
        path, saved = tmp_path / "game.palatine", tmp_path / "keys.json"
        path.write_bytes(encode_record(record))
        saved.write_bytes(keys.content)
        asked = await palatine("verify", str(path), "--server", house.url)
        name = keys.json()["keys"][0]["kid"]
        assert record.signature
        assert record.signature.server == "https://play.example"
        assert (asked.exit_code, f"signed by {house.url} (key {name})" in asked.output) == (0, True)
    alone = await palatine("verify", str(path), "--keys", str(saved))
    assert (alone.exit_code, f"(key {name})" in alone.output) == (0, True)
    code, errors, found = checked_by_node(record, tmp_path, saved)
    assert (code, errors, found["signature"]) == (0, "", {"key": name, "isPublished": True})
    unasked = await palatine("verify", str(path))
    assert (unasked.exit_code, name in unasked.output, "?" in unasked.output) == (0, True, True)
    path.write_bytes(encode_record(talkative_record()))
    other = await palatine("verify", str(path), "--keys", str(saved))
    assert (other.exit_code, f"signed by an unknown key, {key_id(SIGNER.public)}" in other.output) == (1, True)
    assert (await palatine("verify", str(path), "--keys", str(saved), "--server", "x")).exit_code == 2


async def test_the_commands_sign_with_the_key_that_they_find(tmp_path: Path) -> None:
    data, out = tmp_path / "data", tmp_path / "game.palatine"
    async with running(data) as house:
        table = await played_at(house)
        signed = encode_record(await record_at(house, table))
    assert (await palatine("record", table, "--data", str(data), "--out", str(out))).exit_code == 0
    assert out.read_bytes() == signed
    assert (await palatine("record", table, "--data", str(data), "--out", str(out), "--without-names")).exit_code == 0
    assert b"Anna" not in out.read_bytes()
    assert decode_record(out.read_bytes()).signature == decode_record(signed).signature
    (data / f"{DOCUMENT}.json").unlink()
    assert (await palatine("record", table, "--data", str(data), "--out", str(out))).exit_code == 0
    assert decode_record(out.read_bytes()).signature is None
    assert not (data / f"{DOCUMENT}.json").exists()


async def test_rotation_is_noticed_by_a_running_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing_keys, "FRESH", 0)
    async with running(tmp_path / "data") as house:
        table = await played_at(house)
        old = await record_at(house, table)
        rotated = await palatine("keys", "--rotate", "--data", str(tmp_path / "data"))
        assert rotated.exit_code == 0, rotated.output
        new = await record_at(house, table)
        first, second = (await published(house)).json()["keys"]
        assert first["until"] >= first["since"]
        assert "until" not in second
        assert old.signature
        assert new.signature
        assert [key_id(old.signature.public), key_id(new.signature.public)] == [first["kid"], second["kid"]]
        path = tmp_path / "old.palatine"
        path.write_bytes(encode_record(old))
        assert (await palatine("verify", str(path), "--server", house.url)).exit_code == 0
        listed = (await palatine("keys", "--data", str(tmp_path / "data"))).output
        assert first["kid"] in listed
        assert second["kid"] in listed
    stored = json.loads((tmp_path / "data" / f"{DOCUMENT}.json").read_bytes())["keys"]
    assert ["private" in key for key in stored] == [False, True]


async def test_a_key_may_be_given_by_the_operator_and_is_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, "55" * 32)
    async with running(tmp_path) as house:
        (key,) = (await published(house)).json()["keys"]
        assert key["kid"] == key_id(Signer("55" * 32).public)
        assert (await palatine("keys", "--rotate", "--data", str(tmp_path))).exit_code == 2
    assert "55" * 32 not in (tmp_path / f"{DOCUMENT}.json").read_text()
    signer = await read_signer(FileDocuments(tmp_path))
    assert signer
    assert key_id(signer.public) == key["kid"]
    monkeypatch.delenv(VARIABLE)
    assert await read_signer(FileDocuments(tmp_path)) is None
    async with running(tmp_path) as house:
        assert [other["kid"] == key["kid"] for other in (await published(house)).json()["keys"]] == [True, False]


@pytest.mark.parametrize("given", ["nonsense", "55" * 31, "55" * 32 + "\nxx"])
def test_a_given_key_that_is_none_is_refused_without_being_repeated(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(VARIABLE, given)
    with pytest.raises(CannotOpen, match="64 hexadecimal digits") as refused:
        keys_on(FileDocuments(tmp_path))
    assert given not in str(refused.value)


@pytest.mark.parametrize("address", ["play.example", "https://a b", "file:///etc"])
def test_a_public_address_that_is_none_is_refused(address: str, tmp_path: Path) -> None:
    with pytest.raises(CannotOpen, match="public address"):
        SigningKeys(FileDocuments(tmp_path), milliseconds, address)


async def test_keys_that_others_can_read_or_that_are_damaged_are_not_used_and_not_replaced(tmp_path: Path) -> None:
    await keys_on(FileDocuments(tmp_path)).open()
    path = tmp_path / f"{DOCUMENT}.json"
    before = path.read_bytes()
    path.chmod(0o640)
    with pytest.raises(CannotOpen, match="chmod 600"):
        await keys_on(FileDocuments(tmp_path)).open()
    path.chmod(0o600)
    path.write_bytes(before[:-9])
    with pytest.raises(CannotOpen, match="restore them from a backup"):
        await keys_on(FileDocuments(tmp_path)).open()
    assert path.read_bytes() == before[:-9]


# In Redis


async def test_all_nodes_on_one_redis_sign_with_the_same_key(tmp_path: Path) -> None:
    with running_redis(one_server) as server:
        async with (
            running(tmp_path / "a", store=server.url) as first,
            running(tmp_path / "b", store=server.url) as second,
        ):
            assert (await published(first)).json() == (await published(second)).json()
        assert not list(tmp_path.glob(f"*/{DOCUMENT}*"))
        assert server.ask("PTTL", f"palatine:{{document:{DOCUMENT}}}") == -1
        listed = await palatine("keys", "--rotate", "--store", server.url)
        assert (listed.exit_code, listed.output.count("UTC")) == (0, 3)


@contextmanager
def both_kinds(tmp_path: Path) -> Iterator[list[Callable[[], Any]]]:
    with running_redis(one_server) as server:
        yield [lambda: at(FileDocuments(tmp_path / "data")), lambda: at_redis(server.url)]


async def at(documents: Documents) -> tuple[Documents, Any]:
    async def nothing() -> None:
        pass

    return documents, nothing


async def at_redis(url: str) -> tuple[Documents, Any]:
    store = await RedisStore.open(url)
    return store.documents, store.close


async def test_a_document_is_replaced_only_if_it_is_as_expected(tmp_path: Path) -> None:
    with both_kinds(tmp_path) as kinds:
        for opened_kind in kinds:
            documents, close = await opened_kind()
            assert await documents.read("x") is None
            assert not await documents.replace("x", b"old", b"new")
            assert await documents.replace("x", None, b"old")
            assert not await documents.replace("x", None, b"new")
            assert await documents.replace("x", b"old", b"new")
            assert await documents.read("x") == b"new"
            await close()


async def test_nodes_that_start_together_agree_on_one_key(tmp_path: Path) -> None:
    with both_kinds(tmp_path) as kinds:
        for opened_kind in kinds:
            documents, close = await opened_kind()
            nodes = [keys_on(documents) for _ in range(4)]
            await asyncio.gather(*(node.open() for node in nodes))
            rings = [await node.load_ring() for node in nodes]
            assert [len(ring.keys) for ring in rings] == [1] * 4
            assert len({ring.keys[0].public for ring in rings}) == 1
            await asyncio.gather(*(node.rotate() for node in nodes))
            await nodes[0].open()
            assert len((await nodes[0].load_ring()).keys) == 5
            await close()


async def test_keys_that_a_store_has_lost_are_stored_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signing_keys, "FRESH", 0)
    documents, path = FileDocuments(tmp_path), tmp_path / f"{DOCUMENT}.json"
    running_node, late_node = keys_on(documents, lambda: 10), keys_on(documents, lambda: 20)
    await running_node.open()
    (key,) = (await running_node.load_ring()).keys
    path.unlink()
    assert (await running_node.load_ring()).keys == [key]
    assert path.exists()
    path.unlink()
    await late_node.open()
    old, new = (await running_node.load_ring()).keys
    assert (old.public, old.until, old.private) == (key.public, 20, None)
    assert new == (await late_node.load_ring()).key_in_use


async def test_while_the_store_does_not_answer_records_are_signed_with_the_key_that_is_known(tmp_path: Path) -> None:
    class Broken(FileDocuments):
        is_broken = False

        async def decode_record(self, name: str) -> bytes | None:
            if self.is_broken:
                raise Unavailable
            return await super().read(name)

    documents, now = Broken(tmp_path), 0
    keys = keys_on(documents, lambda: now)
    await keys.open()
    known = (await keys.load_ring()).keys
    documents.is_broken, now = True, 10**6
    assert (await keys.load_ring()).keys == known
    assert await keys.load_signer()


async def test_more_keys_than_are_published_are_refused(tmp_path: Path) -> None:
    ring = KeyRing()
    for number in range(100):
        ring = ring.with_new_key(number)
    with pytest.raises(BadKeys, match="100 keys"):
        ring.with_new_key(100)


# Servers that are asked for their keys


@contextmanager
def answering(answer: Callable[[socket], None]) -> Iterator[str]:
    """A server that does this with every connection."""

    class Handler(BaseRequestHandler):
        def handle(self) -> None:
            self.request.recv(4096)
            with suppress(OSError):  # whoever asked is gone
                answer(self.request)

    class Server(ThreadingTCPServer):
        daemon_threads, block_on_close = True, False

    with Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()


def replies(content: bytes) -> Callable[[socket], None]:
    return lambda connection: connection.sendall(content)


def drips(connection: socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nx: ")
    while True:
        connection.sendall(b"x")
        threading.Event().wait(0.02)


def floods(connection: socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
    while True:
        connection.sendall(b"x" * 65_536)


HOSTILE = {
    "redirects": (replies(b"HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\n\r\n"), "it answered 302"),
    "has none": (replies(b"HTTP/1.1 404 Not Found\r\n\r\n"), "it answered 404"),
    "talks nonsense": (replies(b"SSH-2.0-OpenSSH_9.6\r\n"), "an unreadable answer"),
    "hangs up": (replies(b""), "answer"),
    "sends no JSON": (replies(b"HTTP/1.1 200 OK\r\n\r\n<html>"), "no keys that can be read"),
    "sends deep JSON": (replies(b"HTTP/1.1 200 OK\r\n\r\n" + b"[" * 60_000), "no keys that can be read"),
    "sends half": (replies(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"), "no keys that can be read"),
    "sends endless headers": (replies(b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 10_000), "an unreadable answer"),
    "drips": (drips, "did not answer within"),
    "floods": (floods, "take more than 64 KiB"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_server_that_does_not_answer_well_is_named_in_one_line(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(key_fetch, "WITHIN", 1.0)
    path = tmp_path / "game.palatine"
    path.write_bytes(encode_record(talkative_record()))
    answer, words = HOSTILE[name]
    with answering(answer) as url:
        result = CliRunner().invoke(COMMANDS, ["verify", str(path), "--server", url], env={"COLUMNS": "200"})
    assert (result.exit_code, words in result.output) == (2, True), result.output
    assert result.output.count("\n") == 1


@pytest.mark.parametrize("server", ["file:///etc/passwd", "ftp://play.example", "https://", "http://127.0.0.1:1"])
def test_what_is_no_server_is_said_in_one_line(server: str, tmp_path: Path) -> None:
    path = tmp_path / "game.palatine"
    path.write_bytes(encode_record(talkative_record()))
    result = CliRunner().invoke(COMMANDS, ["verify", str(path), "--server", server], env={"COLUMNS": "200"})
    assert (result.exit_code, result.output.count("\n")) == (2, 1), result.output
