"""The store in Redis: the contract on one server, with sentinels and on a cluster; opening, hints, keys, the index."""

from __future__ import annotations

import logging
import signal
import ssl
import subprocess
from asyncio import CancelledError, all_tasks, create_task, gather, sleep, timeout, to_thread
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis.crc import key_slot
from store.contract import *  # noqa: F403 (the whole contract is tested here)
from store.contract import (
    A_SUMMARY,
    FAR,
    Open,
    add,
    add_soon,
    becomes,
    becomes_true,
    begin,
    chain,
    committed,
    entries_of,
    key_of,
    milliseconds,
    shown,
    stale,
    stored,
    summary_of,
    versions_of,
)
from store.redis_servers import SAFE, Cluster, Sentinelled, Server, Wire, one_server, running

from palatine_server.store import (
    Append,
    CannotOpen,
    Committed,
    Duplicate,
    Gone,
    Outcome,
    Overloaded,
    Retention,
    Stale,
    Store,
    Unavailable,
    append_and_wait,
)
from palatine_server.store.contract import WEEK
from palatine_server.store.redis import Damaged, RedisStore, head_cache, index, pipeline, rights
from palatine_server.store.redis import store as redis_store
from palatine_server.store.redis.resp_protocol import RespProtocol
from palatine_server.store.redis.topology import (
    Address,
    ConnectOptions,
    Sentinels,
    TcpConnection,
    TlsConnection,
    read_url,
)
from palatine_server.store.redis.topology import Cluster as Nodes

PREFIXES = (f"test{number}" for number in count())


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    with running(one_server) as server:
        yield server


@pytest.fixture(scope="session")
def sentinelled() -> Iterator[Sentinelled]:
    with running(Sentinelled) as servers:
        yield servers


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with running(Cluster) as servers:
        yield servers


@pytest.fixture
def prefix() -> str:
    """Data of its own for each test."""
    return next(PREFIXES)


@pytest.fixture(params=["server", "sentinelled", "cluster"])
def open_store(request: pytest.FixtureRequest, prefix: str) -> Open:
    servers = request.getfixturevalue(request.param)
    durability = "replicas=1" if request.param == "sentinelled" else "fsync"
    return lambda: RedisStore.open(servers.url, durability=durability, prefix=prefix)


@pytest.fixture
async def one(server: Server, prefix: str) -> AsyncIterator[RedisStore]:
    """A store with one table on one server; its index is not rebuilt unless a test does it."""
    server.ask("SET", f"{prefix}:{{index}}:rebuilt", "")
    opened = await RedisStore.open(server.url, prefix=prefix)
    await begin(opened)
    yield opened
    await opened.close()


@pytest.fixture
async def other(server: Server, prefix: str, one: RedisStore) -> AsyncIterator[RedisStore]:
    """Another node on the same data."""
    opened = await RedisStore.open(server.url, prefix=prefix)
    yield opened
    await opened.close()


async def keeps_working(store: Store) -> None:
    """Everything a store is asked for."""
    assert await store.create("T", b"0", summary_of(deadline=5), key_of("create")) == "T"
    assert await add(store, 0, b"one", request=key_of("r"), summary=A_SUMMARY, snapshot=b"1") == committed(1)
    assert await add(store, 1, request=key_of("r")) == Duplicate(1)
    assert await store.find_request("T", key_of("r")) == Duplicate(1)
    assert await store.load("T") == stored(1, b"1", [], [b"one"])
    assert await entries_of(store) == [b"one"]
    assert await versions_of(store, ["T"]) == {"T": 1}
    assert await shown(store) == await shown(store, "ada") == ["T"]
    assert await store.due(FAR) == []
    assert await store.find_creation(key_of("create")) == "T"
    await store.revoke("eve", milliseconds() + 60_000)
    assert await store.list_revoked(FAR) == {"eve"}


# Opening


async def test_a_socket_will_do(prefix: str) -> None:
    with running(lambda directory: Server(directory, **SAFE, unixsocket="socket")) as server:
        store = await RedisStore.open(f"unix://{server.directory}/socket?db=3", prefix=prefix)
        await keeps_working(store)
        assert server.ask("DBSIZE", db=3) > 0
        await store.close()


async def test_tls_is_spoken_and_certificates_are_checked(server: Server, prefix: str, tmp_path: Path) -> None:
    paths = ["-keyout", tmp_path / "key", "-out", tmp_path / "crt"]
    words = ["-x509", "-nodes", "-newkey", "rsa:2048", "-subj", "/CN=x", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run(["openssl", "req", *words, *paths], check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "crt", tmp_path / "key")
    async with Wire(server.port, tls) as wire:
        with pytest.raises(CannotOpen, match="certificate"):
            await RedisStore.open(wire.url)
        store = await RedisStore.open(f"{wire.url}?ssl_ca_certs={tmp_path / 'crt'}", prefix=prefix)
        await keeps_working(store)
        await store.close()


async def test_a_user_needs_no_more_rights_than_listed(server: Server, prefix: str) -> None:
    server.ask("ACL", "SETUSER", prefix, ">pass word", *rights(prefix))
    url = f"redis://{prefix}:pass%20word@127.0.0.1:{server.port}/2"
    store, other = [await RedisStore.open(url, prefix=prefix) for _ in range(2)]
    hints = list[tuple[str, int]]()
    await keeps_working(store)
    await other.load("T")
    other.follow(lambda *hint: hints.append(hint))
    await store._index.rebuild()

    async def is_hinted() -> bool:
        head = (await versions_of(store, ["T"]))["T"]
        assert await add(store, head) == committed(head + 1)
        return bool(hints)

    await becomes(is_hinted)
    assert server.ask("ACL", "LOG") == []
    await store.close()
    await other.close()


async def test_what_cannot_be_checked_is_a_warning(
    server: Server, prefix: str, caplog: pytest.LogCaptureFixture
) -> None:
    server.ask("ACL", "SETUSER", prefix, ">word", *rights(prefix), "-config|get")
    store = await RedisStore.open(f"redis://{prefix}:word@127.0.0.1:{server.port}", prefix=prefix)
    assert [record.levelno for record in caplog.records] == [logging.WARNING]
    assert "cannot be checked" in caplog.text
    await keeps_working(store)
    await store.close()
    server.ask("ACL", "LOG", "RESET")


@pytest.mark.parametrize(
    ("setting", "sentence"),
    [
        ({"appendfsync": "everysec"}, "must say: appendfsync always"),
        ({"appendonly": "no"}, "must say: appendonly yes"),
        ({"maxmemory": "100mb", "maxmemory_policy": "allkeys-lru"}, "must say: maxmemory-policy noeviction"),
    ],
)
async def test_a_server_that_may_lose_something_is_refused(setting: dict[str, str], sentence: str) -> None:
    careless = {**SAFE, **setting}
    with running(lambda directory: Server(directory, **careless)) as server, pytest.raises(CannotOpen, match=sentence):
        await RedisStore.open(server.url)


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        ("redis://127.0.0.1:1", r"connecting to 127\.0\.0\.1:1"),
        ("unix:///nowhere", "nowhere"),
        ("http://127.0.0.1", "begins with redis://"),
        ("redis://127.0.0.1:port", "cannot be read"),
        ("redis+sentinel://127.0.0.1:1", "service is missing"),
        ("redis+sentinel://127.0.0.1:1,127.0.0.1:2/house", "0 of 2 sentinels know a primary for 'house'"),
        ("redis+cluster://127.0.0.1:1,127.0.0.1:2", "no node of the cluster"),
    ],
)
async def test_a_url_that_leads_nowhere_is_refused_in_plain_words(url: str, sentence: str) -> None:
    with pytest.raises(CannotOpen, match=sentence):
        await RedisStore.open(url, patience=0)


async def test_a_wrong_password_is_refused_and_not_repeated(server: Server) -> None:
    with pytest.raises(CannotOpen, match="username-password") as raised:
        await RedisStore.open(f"redis://somebody:secret@127.0.0.1:{server.port}")
    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("setting", [{"durability": "hope"}, {"durability": "replicas=0"}, {"prefix": "a{b}"}])
async def test_a_setting_that_makes_no_sense_is_refused(server: Server, setting: dict[str, str]) -> None:
    with pytest.raises(CannotOpen, match=r"is 'fsync' or|is made of letters"):
        await RedisStore.open(server.url, **setting)


async def test_a_replica_is_no_primary(sentinelled: Sentinelled) -> None:
    replica = next(server for server in sentinelled.servers if server is not sentinelled.primary)
    with pytest.raises(CannotOpen, match="is a replica"):
        await RedisStore.open(replica.url, patience=0)


async def test_a_server_that_starts_late_is_waited_for(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    server = one_server(tmp_path)
    opening = create_task(RedisStore.open(server.url, patience=60))
    try:
        await becomes(lambda: _is_true("cannot be used yet: " in caplog.text))
        await to_thread(server.start)
        store = await opening
        await keeps_working(store)
        await store.close()
    finally:
        server.kill()


async def test_a_server_that_never_starts_is_given_up() -> None:
    async with timeout(5):
        with pytest.raises(CannotOpen, match=r"connecting to 127\.0\.0\.1:1"):
            await RedisStore.open("redis://127.0.0.1:1", patience=0.1)


async def test_what_cannot_get_better_is_not_waited_for(server: Server) -> None:
    async with timeout(30):
        with pytest.raises(CannotOpen, match="username-password"):
            await RedisStore.open(f"redis://somebody:secret@127.0.0.1:{server.port}", patience=3600)
        with running(lambda directory: Server(directory)) as careless, pytest.raises(CannotOpen, match="must say"):
            await RedisStore.open(careless.url, patience=3600)


async def test_who_stops_opening_leaves_nothing_behind() -> None:
    before = all_tasks()
    opening = create_task(RedisStore.open("redis://127.0.0.1:1", patience=3600))
    await becomes(lambda: _is_true(len(all_tasks() - before) > 1))
    opening.cancel()
    with pytest.raises(CancelledError):
        await opening
    assert all_tasks() - before == set()


async def test_functions_that_vanish_are_loaded_again(server: Server, one: RedisStore) -> None:
    server.ask("FUNCTION", "FLUSH")
    with pytest.raises(Unavailable, match="not found"):
        await add(one, 0)
    assert await add(one, 0) == committed(1)


# Keys


async def test_keys_of_a_table_share_a_slot_and_a_moment_to_expire(
    server: Server, one: RedisStore, prefix: str
) -> None:
    for version in range(3):
        await add(one, version, request=key_of(str(version)), snapshot=b"s")
        keys = server.ask("KEYS", f"{prefix}:{{table:*")
        assert len(keys) == 2
        assert len({key_slot(key) for key in keys}) == 1
        assert len({server.ask("PEXPIRETIME", key) for key in keys}) == 1
        assert server.ask("PTTL", keys[0]) > (WEEK - 10) * 1000


async def test_a_table_that_has_not_begun_is_gone_sooner(server: Server, prefix: str) -> None:
    store = await RedisStore.open(server.url, prefix=prefix, keep=Retention(empty=60, waiting=600, begun=6_000))

    def seconds() -> int:
        """For how long the table is kept, and all of it alike."""
        ends = {server.ask("PEXPIRETIME", key) for key in server.ask("KEYS", f"{prefix}:{{table:*")}
        assert len(ends) == 1
        return round((ends.pop() - milliseconds()) / 1000)

    await begin(store, users=[None])
    assert 55 < seconds() <= 60
    await add(store, 0, request=key_of("sit"), summary=summary_of(users=["ada"]))
    assert 590 < seconds() <= 600
    await add(store, 1, summary=summary_of(users=[None]))
    assert 55 < seconds() <= 60
    server.ask("PEXPIRE", store._keys.table("T"), 5_000)
    await store.touch("T", summary_of(users=[None]))
    assert 55 < seconds() <= 60
    await add(store, 2, summary=summary_of(status="playing", users=["ada"]))
    assert 5_990 < seconds() <= 6_000
    await store.touch("T", summary_of(users=[None]))  # by a node that has not heard of the beginning
    assert 5_990 < seconds() <= 6_000
    await store.touch("nowhere", A_SUMMARY)
    assert await store.load("nowhere") is None
    await store.close()


async def test_a_game_with_a_slow_clock_is_kept_and_listed_as_long_as_it_runs(server: Server, prefix: str) -> None:
    store = await RedisStore.open(server.url, prefix=prefix, keep=Retention.uniform(60))
    await begin(store)
    late = milliseconds() + 9_000_000
    await add(store, 0, summary=summary_of(status="playing", users=["ada"], visibility="private", deadline=late))
    await begin(store, "another", users=["ada"])
    assert sorted(await shown(store, "ada")) == ["T", "another"]
    for key in (*store._keys.all_of("T")[:2], store._keys.user("ada")):
        assert server.ask("PEXPIRETIME", key) > late, key
    await store.close()


async def test_what_an_older_node_replied_is_kept_as_long_as_the_rest(server: Server, one: RedisStore) -> None:
    server.ask("HSET", one._keys.replies("T"), "request", "reply")
    await add(one, 0)
    ends = {server.ask("PEXPIRETIME", name) for name in one._keys.all_of("T")}
    assert len(ends) == 1
    assert ends.pop() > 0


async def test_the_time_of_a_table_is_renewed_only_when_some_of_it_has_gone_by(server: Server, prefix: str) -> None:
    server.ask("SET", f"{prefix}:{{index}}:rebuilt", "")
    store = await RedisStore.open(server.url, prefix=prefix, keep=Retention.uniform(60))

    def looked() -> str:
        """How often the server was asked how much time is left."""
        return server.info("commandstats")["cmdstat_pttl"].partition(",")[0]

    await begin(store)
    await add(store, 0, request=key_of("first"), summary=A_SUMMARY)
    await store._index.write_pending()  # which looks too
    before = looked()
    for version in range(1, 10):
        await add(store, version, request=key_of(str(version)), summary=A_SUMMARY)
    assert looked() == before
    end = server.ask("PEXPIRETIME", store._keys.table("T"))
    await sleep(0.4)  # more than half a hundredth
    await add(store, 10, request=key_of("late"), summary=A_SUMMARY)
    assert looked() != before
    assert {server.ask("PEXPIRETIME", key) - end > 300 for key in store._keys.all_of("T")[:2]} == {True}
    await store.close()


async def test_a_time_that_another_node_has_shortened_is_given_back(server: Server, prefix: str) -> None:
    keep = Retention(empty=60, waiting=600, begun=6_000)
    one, other = [await RedisStore.open(server.url, prefix=prefix, keep=keep) for _ in range(2)]
    begun, empty = summary_of(status="playing"), summary_of(users=[None])
    await begin(one)
    await add(one, 0, summary=begun)
    await add(other, 1, summary=empty)
    assert server.ask("PTTL", one._keys.table("T")) <= 60_000
    await add(one, 2, summary=begun)
    assert all(server.ask("PTTL", key) > 5_900_000 for key in one._keys.all_of("T")[:2])
    await one.close()
    await other.close()


async def test_a_time_that_a_touch_has_lengthened_is_what_the_next_entry_says(server: Server, prefix: str) -> None:
    store = await RedisStore.open(server.url, prefix=prefix, keep=Retention(empty=60, waiting=600, begun=6_000))
    empty = summary_of(users=[None])
    await begin(store)
    for version in range(2):
        await add(store, version, summary=empty)
        assert server.ask("PTTL", store._keys.table("T")) <= 60_000
        await store.touch("T", summary_of(status="playing"))
        assert server.ask("PTTL", store._keys.table("T")) > 5_900_000
    await store.close()


async def test_a_table_nobody_touches_is_gone_as_a_whole(server: Server, prefix: str) -> None:
    store = await RedisStore.open(server.url, prefix=prefix, keep=Retention.uniform(0.3))
    await begin(store, deadline=5)
    await add(store, 0, request=key_of("r"))

    async def is_gone() -> bool:
        return await store.load("T") is None

    await becomes(is_gone)
    assert await add(store, 1, request=key_of("r")) == Gone()
    assert await entries_of(store) == await shown(store) == await shown(store, "ada") == await store.due(9) == []
    keys = [key.decode() for key in server.ask("KEYS", f"{prefix}:*")]
    assert keys == [f"{prefix}:{{index}}:rebuilt"]
    await store.close()


async def test_revocations_are_gone_with_the_last_of_them(server: Server, one: RedisStore) -> None:
    now = milliseconds()
    for subject, seconds in {"ada": 60, "bob": 90, "eve": 30}.items():
        await one.revoke(subject, now + seconds * 1000)
    assert server.ask("PEXPIRETIME", one._keys.revoked) == now + 90_000
    await one.revoke("bob", now + 120_000)
    assert server.ask("PEXPIRETIME", one._keys.revoked) == now + 120_000


async def test_strange_names_of_tables_and_users_harm_nobody(open_store: Open) -> None:
    store = await open_store()
    for table in ("", "}", "{}", "a}b{c", "*", "\0\r\n", "ü" * 300):
        assert await store.load(table) is None
        await begin(store, table, host=table, users=[table])
        assert await add(store, 0, table=table, request=key_of(table, user=table)) == committed(1)
        assert table in await shown(store, table)
        assert await versions_of(store, [table]) == {table: 1}
    with pytest.raises(UnicodeEncodeError):
        await store.load("\ud800")
    await store.close()


async def test_an_id_for_two_tables_is_a_mistake_of_ours(one: RedisStore) -> None:
    with pytest.raises(ValueError, match="table T exists already"):
        await one.create("T", b"0", A_SUMMARY, key_of("another"))


async def test_a_creation_that_was_cut_short_is_completed(server: Server, prefix: str, one: RedisStore) -> None:
    await one.create("U", b"0", A_SUMMARY, key_of("c"))
    server.ask("DEL", f"{prefix}:{{table:U}}")
    assert await one.find_creation(key_of("c")) is None
    assert await one.create("V", b"0", A_SUMMARY, key_of("c")) == "U"
    assert await one.load("U") == stored(0, b"0", [], table="U")
    assert await one.load("V") is None


# Several nodes


async def test_nodes_append_in_turn(one: RedisStore, other: RedisStore) -> None:
    for version in range(0, 6, 2):
        assert await add(one, version, b"one") == committed(version + 1)
        assert await add(other, version + 1, b"other") == committed(version + 2)
    assert await one.load("T") == stored(0, b"0", [b"one", b"other"] * 3)


async def test_of_two_nodes_one_is_committed_and_the_other_stale(one: RedisStore, other: RedisStore) -> None:
    await other.load("T")
    for version in range(20):
        outcomes = await gather(add(one, version, b"one"), add(other, version, b"other"))
        assert sorted(outcomes, key=repr) == [committed(version + 1), stale(version + 1)]


async def test_a_summary_is_stored_again_when_another_node_has_changed_it(one: RedisStore, other: RedisStore) -> None:
    before, after = summary_of(deadline=1), summary_of(deadline=9)
    await add(one, 0, summary=before)
    await add(other, 1, summary=after)
    await add(one, 2, summary=before)
    await add(one, 3, summary=before)
    assert await one.due(1) == ["T"]
    assert await other.tables() == [("T", before)]


async def test_what_a_node_added_and_a_failover_has_lost_is_not_what_is_stored(server: Server, one: RedisStore) -> None:
    keys, late = one._keys.all_of("T")[:2], milliseconds() + 9_000_000
    backup = [server.ask("DUMP", key) for key in keys[:1]]
    await add(one, 0, b"lost", summary=summary_of(deadline=late))
    server.ask("DEL", *keys)
    server.ask("RESTORE", keys[0], 0, *backup)
    other = await RedisStore.open(server.url, prefix=one._keys.uptime.partition(":")[0])
    assert await add(other, 0, b"other", summary=summary_of(deadline=5)) == committed(1)
    assert await append_and_wait(one, Append("T", chain(b"lost"), b"two")) == Stale(chain(b"other"))
    assert await add(one, 1, summary=summary_of(deadline=late)) == committed(2)
    assert await other.tables() == [("T", summary_of(deadline=late))]
    await other.close()


# Hints


async def test_hints_arrive_at_other_nodes(open_store: Open) -> None:
    one, other = await open_store(), await open_store()
    hints = list[tuple[str, int]]()
    other.follow(lambda *hint: hints.append(hint))
    for table in "ABC":
        await begin(one, table)
        await other.load(table)

    async def are_heard() -> bool:
        heads = await versions_of(one, "ABC")
        await gather(*(add(one, head, table=table) for table, head in heads.items()))
        return {table for table, _ in hints} == {"A", "B", "C"}

    await becomes(are_heard)
    await add(one, (await versions_of(one, "A"))["A"], table="A")
    last = ("A", (await versions_of(one, "A"))["A"])

    async def is_heard() -> bool:
        return last in hints

    await becomes(is_heard)
    await one.close()
    await other.close()


async def test_a_node_that_nobody_else_hears_sends_no_hints(server: Server, one: RedisStore, other: RedisStore) -> None:
    hints, version = list[tuple[str, int]](), 0
    one.follow(lambda *hint: None)
    await becomes(lambda: is_subscribed(server, one))

    async def publishes() -> bool:
        """Whether the next entry is hinted at."""
        nonlocal version
        before = calls(server, "spublish")
        version += 1
        await add(one, version - 1)
        await one.now()  # behind the hint
        return calls(server, "spublish") > before

    await becomes(lambda: _is_not(publishes()))
    other.follow(lambda *hint: hints.append(hint))
    await other.load("T")

    async def is_heard() -> bool:
        return await publishes() and bool(hints)

    await becomes(is_heard)
    assert ("T", 0) not in hints


async def test_a_node_does_not_hear_its_own_echo(server: Server, one: RedisStore, other: RedisStore) -> None:
    hints = list[tuple[str, int]]()
    one.follow(lambda *hint: hints.append(hint))
    await becomes(lambda: is_subscribed(server, one))
    for version in range(3):
        await add(one, version)
    await add(other, 3)
    await becomes(lambda: _is_true(("T", 4) in hints))  # an echo would have come before
    assert hints == [("T", 1), ("T", 2), ("T", 3), ("T", 4)]


async def test_heads_find_what_a_lost_hint_has_missed(server: Server, one: RedisStore, other: RedisStore) -> None:
    hints = await missed_hint(server, one, other)
    assert await versions_of(other, ["T"]) == {"T": 1}
    assert hints == []
    await becomes(lambda: is_subscribed(server, other))
    await add(one, 1)
    await becomes(lambda: _is_true(("T", 2) in hints))


async def test_who_can_hear_again_finds_out_what_he_has_missed(
    server: Server, one: RedisStore, other: RedisStore
) -> None:
    hints = await missed_hint(server, one, other)
    assert hints == []
    await becomes(lambda: _is_true(hints == [("T", 1)]))


async def test_a_table_nobody_asks_for_is_heard_no_longer(
    server: Server, one: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    one.follow(lambda *hint: None)
    await becomes(lambda: is_subscribed(server, one))
    monkeypatch.setattr(head_cache, "IDLE", -1.0)
    one._cache.forget_idle()
    await becomes(lambda: _is_not(is_subscribed(server, one)))
    assert await add(one, 0) == committed(1)


async def missed_hint(server: Server, one: RedisStore, other: RedisStore) -> list[tuple[str, int]]:
    """One adds an entry while the other cannot hear of it; what the other hears from then on."""
    hints = list[tuple[str, int]]()
    other.follow(lambda *hint: hints.append(hint))
    await other.load("T")
    await becomes(lambda: is_subscribed(server, other))
    await becomes_true(lambda: other._catching_up is not None and other._catching_up.done())
    server.ask("CLIENT", "KILL", "TYPE", "pubsub")
    await add(one, 0)
    return hints


async def is_subscribed(server: Server, store: RedisStore) -> bool:
    return bool(server.ask("PUBSUB", "SHARDNUMSUB", store._keys.hints("T"))[1])


async def _is_true(value: bool) -> bool:
    return value


async def _is_not(answer: Awaitable[bool]) -> bool:
    return not await answer


# The index


async def test_what_a_dead_node_did_not_write_is_found_when_the_index_is_rebuilt(
    one: RedisStore, other: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(one._index, "queue_row", lambda *row: None)
    await begin(one, "U", users=["eve"])
    await add(one, 0, summary=summary_of(deadline=5, users=["bob"]))
    assert await shown(other, "eve") == ["T"]
    assert await other.due(5) == []
    await other._index.rebuild()
    assert sorted(await shown(other, "eve")) == ["T", "U"]
    assert await shown(other, "bob") == ["U", "T"]
    assert await other.due(5) == ["T"]


async def test_tables_that_are_gone_leave_the_index_when_they_are_met(
    server: Server, one: RedisStore, prefix: str
) -> None:
    for table in "UVW":
        await begin(one, table, deadline=5, visibility="private")
    server.ask("DEL", *(f"{prefix}:{{table:{table}}}" for table in "UVW"))
    assert await one.due(5) == []
    assert await shown(one, "ada") == ["T"]
    assert server.ask("HKEYS", f"{prefix}:{{index}}:versions") == [b"T"]
    assert server.ask("ZRANGE", f"{prefix}:{{index}}:user:ada", 0, -1) == [b"T"]


async def test_tables_that_are_gone_leave_the_index_when_it_is_rebuilt(
    server: Server, one: RedisStore, prefix: str
) -> None:
    await begin(one, "U")
    await one._index.write_pending()
    server.ask("DEL", f"{prefix}:{{table:U}}")
    await one._index.rebuild()
    assert server.ask("HKEYS", f"{prefix}:{{index}}:versions") == [b"T"]


async def test_what_only_a_newer_node_can_read_stays_in_the_index(server: Server, one: RedisStore) -> None:
    await begin(one, "U")
    await one._index.write_pending()
    name = one._keys.table("U")
    summary = server.ask("HGET", name, "summary")
    server.ask("HSET", name, "summary", "newer")
    assert await shown(one) == ["T"]
    await one._index.rebuild()
    server.ask("HSET", name, "summary", summary)
    assert sorted(await shown(one)) == ["T", "U"]


async def test_rebuilding_goes_through_many_tables(open_store: Open) -> None:
    store = await open_store()
    await gather(*(begin(store, f"T{number}", created=number) for number in range(700)))
    before = await store.tables(limit=1_000)
    for key in store._keys.index:
        await store._servers.ask(
            key, "ZREM" if key != store._keys.versions else "HDEL", key, *(row[0] for row in before)
        )
    assert await shown(store) == []
    await store._index.rebuild()
    assert await store.tables(limit=1_000) == before
    await store.close()


async def test_one_node_rebuilds_for_all(server: Server, one: RedisStore, other: RedisStore, prefix: str) -> None:
    await other._index.write_pending()
    server.ask("DEL", f"{prefix}:{{index}}:open", f"{prefix}:{{index}}:versions")
    await other._index.rebuild_if_due()  # it is not: somebody did when it was opened
    assert await shown(other) == []
    server.ask("DEL", f"{prefix}:{{index}}:rebuilt")
    await other._index.rebuild_if_due()
    assert await shown(other) == ["T"]


async def test_housekeeping_goes_on_after_it_broke(
    server: Server, prefix: str, one: RedisStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(redis_store, "ROUND", 0.01)
    await one._index.write_pending()
    server.ask("HSET", one._keys.versions, "T", "scribble")
    server.ask("DEL", one._keys.rebuilt)
    other = await RedisStore.open(server.url, prefix=prefix)
    await becomes(lambda: _is_true("housekeeping broke" in caplog.text))
    server.ask("DEL", *one._keys.index, one._keys.rebuilt)
    await becomes(lambda: _is_true(server.ask("HKEYS", one._keys.versions) == [b"T"]))
    await other.close()


async def test_the_index_is_written_after_that_broke(
    server: Server, one: RedisStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(index, "PAUSE", 0.01)
    one._index.queue_row("T", index.IndexRow(1, summary_of(created=None)))  # which cannot be sent
    await becomes(lambda: _is_true("writing the index broke" in caplog.text))
    one._index.queue_row("T", index.IndexRow(1, A_SUMMARY))
    await becomes(lambda: _is_true(server.ask("HGET", one._keys.versions, "T") == b"1"))


async def test_who_is_late_does_not_turn_the_index_back(one: RedisStore, other: RedisStore) -> None:
    await add(one, 0, summary=summary_of(deadline=9))
    late = dict(one._index._unwritten)
    await one._index.write_pending()
    await add(other, 1, summary=summary_of(deadline=5))
    await other._index.write_pending()
    one._index._unwritten = late
    assert await one.due(5) == ["T"]
    assert await other.due(4) == []


async def test_an_index_that_is_ahead_of_a_table_is_turned_back(
    server: Server, one: RedisStore, other: RedisStore
) -> None:
    await add(one, 0, summary=summary_of(deadline=5))
    await one._index.write_pending()
    server.ask("HSET", one._keys.versions, "T", 99)  # as after a failover that has lost the entries
    server.ask("ZREM", one._keys.due, "T")
    assert await other.due(5) == []
    await other._index.rebuild()
    assert await other.due(5) == ["T"]
    assert server.ask("HGET", one._keys.versions, "T") == b"1"


async def test_whoever_plays_for_ever_collects_no_tables_that_are_gone(server: Server, one: RedisStore) -> None:
    for number in range(60):
        await begin(one, f"old {number}", created=number, users=["eve"])
    await begin(one, "left", created=100, users=["eve"])
    await add(one, 0, table="left", summary=summary_of(created=100, users=["bob"]))
    await begin(one, "new", created=200, users=["eve"])
    await one._index.write_pending()
    server.ask("DEL", *(one._keys.table(f"old {number}") for number in range(60)))
    for _ in range(2):
        await one._index.rebuild()
    assert server.ask("ZRANGE", one._keys.user("eve"), 0, -1) == [b"new"]
    assert server.ask("ZRANGE", one._keys.open, 0, -1) == [b"left", b"new", b"T"]
    assert server.ask("HLEN", one._keys.versions) == 3


# Whoever does not wait


async def test_a_look_at_the_heads_does_not_make_what_was_added_since_unknown(one: RedisStore) -> None:
    await add(one, 0)
    told = list[Outcome | Unavailable]()
    looking = create_task(one.heads(["T"]))
    [(pipeline, _)] = one._servers._pipelines.values()
    async with timeout(5):
        while not any(b"peek" in command.command for command in pipeline._waiting):
            await sleep(0)
    add_soon(one, 1, told.append)  # in the same batch, behind the look
    assert await looking == {"T": chain(b"entry")}
    await becomes_true(lambda: told == [committed(2)])
    add_soon(one, 2, told.append)  # it is known where the log ends
    await becomes_true(lambda: told == [committed(2), committed(3)])


async def test_whoever_breaks_over_a_commit_keeps_nobody_waiting(
    one: RedisStore, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(table: str, version: int) -> None:
        raise ZeroDivisionError

    told = list[Outcome | Unavailable]()
    await add(one, 0)
    one._followers.append(broken)
    add_soon(one, 1, told.append, request=key_of("r"))
    await becomes_true(lambda: len(told) == 1)
    assert isinstance(told[0], Unavailable)
    assert "ZeroDivisionError" in caplog.text
    one._followers.clear()
    assert await add(one, 1, request=key_of("r")) == Duplicate(2)


async def test_append_waits_until_it_is_known_who_is_primary(one: RedisStore) -> None:
    told = list[Outcome | Unavailable]()
    one._servers.mark_stale()
    add_soon(one, 0, told.append)
    add_soon(one, 1, told.append)
    assert told == []
    await becomes_true(lambda: told == [committed(1), committed(2)])


async def test_append_to_a_damaged_table_is_told_so(server: Server, one: RedisStore) -> None:
    told = list[Outcome | Unavailable]()
    assert await add(one, 0) == committed(1)
    server.ask("HSET", one._keys.table("T"), "chain", "x" * 32)
    with pytest.raises(Damaged):
        await one.load("T")
    add_soon(one, 1, told.append)
    assert told == []
    await becomes_true(lambda: [type(outcome) for outcome in told] == [Damaged])
    assert server.ask("XLEN", one._keys.log("T")) == 1


async def test_append_never_raises(one: RedisStore, caplog: pytest.LogCaptureFixture) -> None:
    told = list[Outcome | Unavailable]()
    add_soon(one, 0, told.append, request=key_of("\ud800"))
    assert told == []
    await becomes_true(lambda: [type(outcome) for outcome in told] == [Unavailable])
    assert "UnicodeEncodeError" in caplog.text


async def test_append_is_told_of_a_full_queue_and_of_a_closed_store(
    one: RedisStore, other: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MOST_WAITING", 2)
    told = list[Outcome | Unavailable]()
    for _ in range(4):
        add_soon(one, 0, told.append)
    await becomes_true(lambda: len(told) == 4)
    assert [type(outcome) for outcome in told] == [Overloaded, Overloaded, Committed, Stale]
    await one.close()
    add_soon(one, 1, told.append)
    await becomes_true(lambda: len(told) == 5)
    assert type(told[4]) is Unavailable
    assert await versions_of(other, ["T"]) == {"T": 1}


async def test_append_tells_in_the_turn_in_which_the_reply_is_read(
    server: Server, prefix: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, seen = list[bytes](), list[list[bytes]]()
    received = RespProtocol.data_received

    def read(protocol: RespProtocol, data: bytes) -> None:
        reading.append(data)
        received(protocol, data)
        reading.clear()

    monkeypatch.setattr(RespProtocol, "data_received", read)
    store = await RedisStore.open(server.url, prefix=prefix)
    await begin(store)
    add_soon(store, 0, lambda _: seen.append([*reading]))
    await becomes_true(lambda: bool(seen))
    assert seen == [[b":1\r\n"]]
    await store.close()


async def test_who_breaks_over_an_outcome_harms_no_other(one: RedisStore, caplog: pytest.LogCaptureFixture) -> None:
    def breaks(outcome: Outcome | Unavailable) -> None:
        raise ZeroDivisionError(outcome)

    told = list[Outcome | Unavailable]()
    add_soon(one, 0, breaks)
    add_soon(one, 0, told.append)
    await becomes_true(lambda: told == [stale(1)])
    assert "ZeroDivisionError" in caplog.text
    add_soon(one, 1, told.append)
    await becomes_true(lambda: told == [stale(1), committed(2)])


async def test_a_server_that_hangs_when_the_store_is_closed_leaves_nobody_untold(server: Server, prefix: str) -> None:
    store = await RedisStore.open(server.url, prefix=prefix)
    await begin(store)
    await store._index.write_pending()
    told = list[Outcome | Unavailable]()
    server.signal(signal.SIGSTOP)
    try:
        add_soon(store, 0, told.append)
        await sleep(0.01)
        add_soon(store, 0, told.append)  # it waits for the reply to the first one
        await store.close()
    finally:
        server.signal(signal.SIGCONT)
    assert [str(outcome) for outcome in told] == ["the connection to Redis was closed"] * 2


# Waiting


async def test_what_waits_is_sent_together(server: Server, one: RedisStore) -> None:
    for number in range(100):
        await begin(one, f"T{number}")
    await one._index.write_pending()
    before = int(server.info("stats")["total_reads_processed"])
    assert await gather(*(add(one, 0, table=f"T{number}") for number in range(100))) == [committed(1)] * 100
    assert int(server.info("stats")["total_reads_processed"]) - before < 20  # the connections that ask for it included


async def test_what_waits_is_appended_in_few_calls(server: Server, one: RedisStore) -> None:
    tables = [f"T{number}" for number in range(100)]
    for table in tables:
        await begin(one, table)
    await one._index.write_pending()
    before = calls(server, "fcall")
    assert await gather(*(add(one, 0, table=table) for table in tables)) == [committed(1)] * 100
    assert calls(server, "fcall") - before == 2  # of 64 and 36
    assert calls(server, "xadd") >= 100


def calls(server: Server, command: str) -> int:
    """How often the server has carried a command out."""
    return int(server.info("commandstats").get(f"cmdstat_{command}", "calls=0,").split("=")[1].split(",")[0])


async def test_an_error_of_one_table_spoils_no_other_in_the_same_call(server: Server, one: RedisStore) -> None:
    for table in "UVW":
        await begin(one, table)
    server.ask("SET", one._keys.log("U"), "no stream")
    server.ask("SET", one._keys.table("V"), "no hash")
    protocol = next(iter(one._servers._pipelines.values()))[0]._protocol
    appends = [add(one, 0, table=table, request=key_of("r")) for table in ("T", "U", "V", "nowhere", "W")]
    outcomes = await gather(*appends, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Committed, Unavailable, Unavailable, Gone, Committed]
    assert "WRONGTYPE" in str(outcomes[1])
    assert await one.find_request("U", key_of("r")) is None
    assert next(iter(one._servers._pipelines.values()))[0]._protocol is protocol, "the connection is kept"


async def test_who_stops_waiting_disturbs_nobody(one: RedisStore) -> None:
    tasks = [create_task(add(one, version, request=key_of(str(version)))) for version in range(3)]
    await sleep(0)
    tasks[1].cancel()
    outcomes = await gather(*tasks, return_exceptions=True)
    assert isinstance(outcomes[1], CancelledError)
    assert await add(one, 9, request=key_of("0")) == Duplicate(1)


async def test_closing_finishes_what_waits(one: RedisStore, other: RedisStore) -> None:
    tasks = [create_task(add(one, 0, request=key_of(str(number)))) for number in range(50)]
    await sleep(0)
    await one.close()
    assert (await gather(*tasks)).count(committed(1)) == 1
    assert await versions_of(other, ["T"]) == {"T": 1}


async def test_a_full_queue_refuses_at_once(one: RedisStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "MOST_WAITING", 5)
    outcomes = await gather(*(add(one, 0) for _ in range(8)), return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [Committed, *[Stale] * 4, *[Overloaded] * 3]


# Tampering


Tampering = Callable[[Server, str], None]


def rewrite(server: Server, key: str, rows: list[Any]) -> None:
    """Put other entries into the log."""
    server.ask("DEL", key)
    for number, fields in rows:
        server.ask("XADD", key, number, *fields)


def log(server: Server, table: str) -> list[Any]:
    return list(server.ask("XRANGE", f"{table}:log", "-", "+"))


def edit_entry(number: int) -> Tampering:
    def edit(server: Server, table: str) -> None:
        rows = log(server, table)
        rows[number - 1][1][1] = b"forged"
        rewrite(server, f"{table}:log", rows)

    return edit


def swap_entries(server: Server, table: str) -> None:
    rows = log(server, table)
    rows[3][1], rows[4][1] = rows[4][1], rows[3][1]
    rewrite(server, f"{table}:log", rows)


def add_entry(server: Server, table: str) -> None:
    server.ask("XADD", f"{table}:log", "6-0", "entry", "forged", "head", "x" * 32)


TAMPERINGS: dict[str, Tampering] = {
    "an entry was edited": edit_entry(4),
    "the last entry was edited": edit_entry(5),
    "two entries were swapped": swap_entries,
    "an entry was added": add_entry,
    "an entry is missing": lambda server, table: server.ask("XDEL", f"{table}:log", "4-0"),
    "the last entry is missing": lambda server, table: server.ask("XDEL", f"{table}:log", "5-0"),
    "the log is missing": lambda server, table: server.ask("DEL", f"{table}:log"),
    "the snapshot was edited": lambda server, table: server.ask("HSET", table, "snapshot", "forged"),
    "the snapshot is missing": lambda server, table: server.ask("HDEL", table, "snapshot"),
    "the snapshot is said to be older": lambda server, table: server.ask("HSET", table, "snapshot_version", "2"),
    "the head was edited": lambda server, table: server.ask("HSET", table, "chain", "x" * 32),
    "the head is missing": lambda server, table: server.ask("HDEL", table, "chain"),
    "the version was edited": lambda server, table: server.ask("HSET", table, "version", "4"),
    "the version is missing": lambda server, table: server.ask("HDEL", table, "version"),
    "the version is no number": lambda server, table: server.ask("HSET", table, "version", "many"),
}


@pytest.mark.parametrize("tampering", TAMPERINGS)
async def test_a_table_that_was_tampered_with_is_not_served_until_it_is_repaired(
    server: Server, one: RedisStore, other: RedisStore, tampering: str
) -> None:
    for version in range(5):
        await add(
            one, version, b"%d" % version, summary=summary_of(deadline=5), snapshot=b"s" if version == 2 else None
        )
    keys = one._keys.all_of("T")[:2]
    backup = [server.ask("DUMP", key) for key in keys]
    TAMPERINGS[tampering](server, keys[0])
    for _ in range(2):
        with pytest.raises(Damaged, match="table T"):
            await other.load("T")
    with pytest.raises(Damaged):
        await add(other, 5)
    assert await other.due(5) == []
    for key, words in zip(keys, backup, strict=True):
        server.ask("RESTORE", key, 0, words, "REPLACE")
    assert await other.load("T") == stored(3, b"s", [b"3", b"4"], [b"0", b"1", b"2"])
    assert await add(other, 5) == committed(6)


async def test_what_was_edited_before_the_snapshot_is_found_when_it_is_read(server: Server, one: RedisStore) -> None:
    for version in range(5):
        await add(one, version, b"%d" % version, snapshot=b"s" if version == 3 else None)
    edit_entry(2)(server, one._keys.table("T"))
    for after in (0, 1):
        with pytest.raises(Damaged, match="entry 2"):
            await one.read("T", after, 5)
    server.ask("XDEL", one._keys.log("T"), "2-0")
    with pytest.raises(Damaged, match="entry 2"):
        await one.read("T", 2, 5)


async def test_a_damaged_table_harms_no_other(server: Server, one: RedisStore) -> None:
    for table in "UV":
        await begin(one, table, deadline=5)
    server.ask("HSET", one._keys.table("U"), "summary", "strange")
    server.ask("SET", one._keys.table("V"), "strange")
    assert await shown(one) == ["T"]
    assert await one.due(5) == []
    assert await versions_of(one, "TUV") == {"T": 0, "U": 0}
    with pytest.raises(Unavailable):
        await one.load("V")
    assert await add(one, 0) == committed(1)


async def test_what_cannot_be_added_to_the_log_was_not_replied_to(server: Server, one: RedisStore) -> None:
    await add(one, 0, request=key_of("r"))
    add_entry(server, one._keys.table("T"))  # the log ends later than the table says
    for _ in range(2):
        with pytest.raises(Unavailable, match="equal or smaller"):
            await add(one, 1, request=key_of("s"))
    assert await one.find_request("T", key_of("s")) is None
    assert await one.find_request("T", key_of("r")) == Duplicate(1)
    assert await versions_of(one, ["T"]) == {"T": 1}


async def test_a_request_whose_entry_was_edited_is_not_known(server: Server, one: RedisStore) -> None:
    await add(one, 0, request=key_of("r"))
    server.ask("HSET", one._keys.table("T"), '["ada","r"]', "forged")
    with pytest.raises(Damaged):
        await one.find_request("T", key_of("r"))


# What a URL says

LOGIN = {"username": "ada", "password": "a word"}
OTHER = {"username": "eve", "password": "a+b"}
NOBODY = {"username": None, "password": None}


@pytest.mark.parametrize(
    ("url", "kind", "options", "sentinel"),
    [
        ("redis+sentinel://a:1,b/house", TcpConnection, {}, NOBODY),
        ("rediss+sentinel://a:1,b/house", TlsConnection, {}, NOBODY),
        ("rediss+sentinel://ada:a%20word@a:1,b/house/2", TlsConnection, {**LOGIN, "db": 2}, NOBODY),
        ("redis+sentinel://a:1,b/house?sentinel_password=a%2Bb", TcpConnection, {}, {**OTHER, "username": None}),
        ("redis+sentinel://a:1,b/house?sentinel_username=eve&sentinel_password=a%2Bb", TcpConnection, {}, OTHER),
        (
            "rediss+sentinel://ada:a%20word@a:1,b/house/2?sentinel_username=eve&ssl_ca_certs=%2Fca&sentinel_password=a%2Bb",
            TlsConnection,
            {**LOGIN, "db": 2, "ssl_ca_certs": "/ca"},
            {**OTHER, "ssl_ca_certs": "/ca"},
        ),
    ],
)
def test_a_url_says_how_to_reach_sentinels_and_whom_they_name(
    url: str, kind: type, options: dict[str, Any], sentinel: dict[str, Any]
) -> None:
    connect_options, directory = read_url(url)
    assert connect_options == ConnectOptions(kind, options)
    assert isinstance(directory, Sentinels)
    assert directory._connect_options == ConnectOptions(kind, {**sentinel, "db": 0})
    assert (directory._sentinels, directory._service) == ([Address("a", 1), Address("b", 26379)], "house")


@pytest.mark.parametrize(
    ("url", "kind", "options"),
    [
        ("redis+cluster://a:1,[::1]", TcpConnection, {}),
        ("rediss+cluster://a:1,[::1]", TlsConnection, {}),
        ("rediss+cluster://ada:a%20word@a:1,[::1]", TlsConnection, LOGIN),
        ("rediss+cluster://ada:a%20word@a:1,[::1]/?ssl_ca_certs=/ca", TlsConnection, {**LOGIN, "ssl_ca_certs": "/ca"}),
    ],
)
def test_a_url_says_how_to_reach_a_cluster(url: str, kind: type, options: dict[str, Any]) -> None:
    connect_options, directory = read_url(url)
    assert isinstance(directory, Nodes)
    assert connect_options == directory._connect_options == ConnectOptions(kind, options)
    assert directory._nodes == [Address("a", 1), Address("::1", 6379)]
