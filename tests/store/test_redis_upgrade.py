"""Old and new nodes on one Redis: what old nodes stored is found, and they cannot spoil what new nodes store.

The functions of old nodes are those of version 0.1.0, kept beside its stored tables.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from store.contract import A_SUMMARY, add, chain, entries_of, key_of, stored
from store.redis_servers import Server, one_server, running

from palatine_protocol.messages import Done, Invitation
from palatine_server.store import Append, Committed, Duplicate, IdReused, Stale, append_and_wait
from palatine_server.store.hash_chain import Head, link, origin, seal
from palatine_server.store.redis import RedisStore

OLD_FUNCTIONS = Path(__file__).parents[1] / "fixtures/stored/0.1.0-1eec13c/functions.lua"
encode = msgspec.msgpack.encode


@pytest.fixture
def server() -> Iterator[Server]:
    with running(one_server) as server:
        server.ask("FUNCTION", "LOAD", OLD_FUNCTIONS.read_text().replace("VERSION", "old"))
        yield server


@pytest.fixture
async def store(server: Server) -> AsyncIterator[RedisStore]:
    store = await RedisStore.open(server.url)
    yield store
    await store.close()


class OldNode:
    """Creates, appends and loads as nodes of version 0.1.0 do."""

    def __init__(self, server: Server, store: RedisStore) -> None:
        self._server, self._keys = server, store._keys.all_of("T")

    def create(self) -> None:
        head = origin("T")
        given = ("request", head.hash, seal(head, b"0"), b"0", msgspec.json.encode(A_SUMMARY), 60_000)
        self._server.ask("FCALL", "palatine_create_old", 3, *self._keys, *given)

    def append(self, head: Head, entry: bytes, request: str = "", reply: Any = None) -> Any:
        after = link(head, entry)
        name = msgspec.json.encode(("ada", request)) if request else ""
        record = encode((b"content", encode(reply))) if request else ""
        given = (head.version, head.hash, after.version, after.hash, entry, name, record, 60_000, "", "")
        return self._server.ask("FCALL", "palatine_append_old", 3, *self._keys, *given)

    def load(self) -> Any:
        return self._server.ask("FCALL_RO", "palatine_load_old", 3, *self._keys)


@pytest.fixture
def old(server: Server, store: RedisStore) -> OldNode:
    node = OldNode(server, store)
    node.create()
    return node


async def test_a_request_that_an_old_node_carried_out_is_known(store: RedisStore, old: OldNode) -> None:
    assert old.append(chain(), b"one", "r", Done(re="r", table="T", version=1)) == b"committed"
    long = Done(re="s" * 300, table="T", version=2)
    assert old.append(chain(b"one"), b"two", "s", long) == b"committed"
    for request, version in (("r", 1), ("s", 2)):
        assert await store.find_request("T", key_of(request)) == Duplicate(version)
        assert await store.find_request("T", key_of(request, content=b"other")) == IdReused()
        for expected in (0, 2):
            assert await add(store, expected, request=key_of(request)) == Duplicate(version)
    assert await store.find_request("T", key_of("never")) is None
    append = Append("T", chain(b"one", b"two"), b"three", key_of("t"))
    assert await append_and_wait(store, append) == Committed(chain(b"one", b"two", b"three"))
    assert await store.find_request("T", key_of("t")) == Duplicate(3)
    assert await store.find_request("T", key_of("r")) == Duplicate(1)


async def test_an_invitation_that_an_old_node_renewed_is_found_in_the_log(store: RedisStore, old: OldNode) -> None:
    reply = Invitation(re="r", table="T", invitation="open sesame")
    old.append(chain(), b"one")
    old.append(chain(b"one"), b"two: open sesame", "r", reply)
    assert await store.find_request("T", key_of("r")) == Duplicate(2)
    append = Append("T", chain(), b"three", key_of("r"))
    assert await append_and_wait(store, append) == Duplicate(2)


async def test_an_old_node_can_neither_load_a_table_nor_append_to_it_once_a_new_node_has_appended(
    store: RedisStore, old: OldNode
) -> None:
    old.append(chain(), b"one", "r", Done(re="r", table="T", version=1))
    new = Append("T", chain(b"one"), b"format 2", key_of("s"))
    assert await append_and_wait(store, new) == Committed(chain(b"one", b"format 2"))
    for head in (chain(b"one"), chain(), chain(b"one", b"other"), chain(b"one", b"format 2")):
        stale = [b"stale", b"2", None]  # the head is missing, which an old node takes for damage
        assert old.append(head, b"three", "s", Done(re="s", table="T", version=3)) == stale
    fields, _ = old.load()
    assert fields[:2] == [b"2", None]
    assert await entries_of(store) == [b"one", b"format 2"]
    assert await store.heads(["T"]) == {"T": chain(b"one", b"format 2")}


async def test_an_old_node_can_neither_load_nor_append_to_a_table_that_a_new_node_created(
    store: RedisStore, server: Server
) -> None:
    await store.create("T", b"0", A_SUMMARY, key_of("create"))
    old = OldNode(server, store)
    assert old.append(chain(), b"one")[0] == b"stale"
    assert old.load()[0][1] is None


async def test_a_new_node_that_is_behind_an_old_one_is_stale(store: RedisStore, old: OldNode) -> None:
    old.append(chain(), b"one")
    append = Append("T", chain(), b"other", key_of("s"))
    assert await append_and_wait(store, append) == Stale(chain(b"one"))
    assert await store.load("T") == stored(0, b"0", [b"one"])
    append = Append("T", chain(b"one"), b"other", key_of("s"))
    assert await append_and_wait(store, append) == Committed(chain(b"one", b"other"))
