"""Redis dies, stops, forgets its replicas or hands over: nothing acknowledged is lost, and nothing happens twice.

PALATINE_REDIS_KILLS=100 makes a long run of it.
"""

from __future__ import annotations

import os
import signal
from asyncio import TaskGroup, create_task, gather, sleep, timeout, to_thread
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from typing import TypeVar

import pytest
from redis.crc import key_slot
from store.contract import (
    A_SUMMARY,
    add,
    add_soon,
    becomes,
    becomes_true,
    begin,
    committed,
    entries_of,
    key_of,
    shown,
    stored,
    summary_of,
    versions_of,
)
from store.redis_servers import SAFE, Cluster, FollowedCluster, Sentinelled, Server, Wire, one_server, running, until

from palatine_server.store import Committed, Duplicate, IdReused, Outcome, Stale, Store, Unavailable
from palatine_server.store.hash_chain import Head, link
from palatine_server.store.redis import RedisStore, index, pipeline
from palatine_server.store.redis.index import IndexRow
from palatine_server.store.redis.server_setup import CODE
from palatine_server.store.redis.topology import Sentinels, SlotRange, read_url

T = TypeVar("T")
PREFIXES = (f"test{number}" for number in count())
KILLS = int(os.environ.get("PALATINE_REDIS_KILLS", "4"))
TABLES = [f"table {number}" for number in range(4)]
WRITERS = 3  # at each table, so that they get in each other's way


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(one_server) as server:
        yield server


@pytest.fixture(scope="module")
def sentinelled() -> Iterator[Sentinelled]:
    with running(Sentinelled) as servers:
        yield servers


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    with running(Cluster) as servers:
        yield servers


class Load:
    """Writers who try each request again until they know what became of it, and remember what they were told."""

    def __init__(self, *nodes: Store) -> None:
        self._nodes = nodes
        self.acknowledged: dict[tuple[str, str], int] = {}  # table and request: version, 0 if it was not told
        self.outcomes: Counter[str] = Counter()
        self.is_over = False

    async def begin(self) -> None:
        for table in TABLES:
            await begin(self._nodes[0], table)

    async def run(self) -> None:
        """Write until it is over."""
        async with TaskGroup() as writers:
            for table in TABLES:
                for writer in range(WRITERS):
                    writers.create_task(self._write(table, f"{table}, writer {writer}"))

    async def _write(self, table: str, name: str) -> None:
        expected = 0
        for number in count():
            if self.is_over:
                return
            expected = await self._request(table, f"{name}, {number}", expected)
            await sleep(0.002)  # otherwise the others would never have a turn

    async def _request(self, table: str, request: str, expected: int) -> int:
        """Have one request carried out, by any node, and return where the log ends then as far as is known."""
        for node in range(10_000):
            outcome = await self._try(self._nodes[node % len(self._nodes)], table, request, expected)
            if isinstance(outcome, Committed | Duplicate):
                self.acknowledged[table, request] = outcome.version
                return expected + 1
            if isinstance(outcome, Stale):
                expected = outcome.version
        raise AssertionError(f"{request} was never carried out")

    async def _try(self, node: Store, table: str, request: str, expected: int) -> Outcome | None:
        try:
            words = request.encode()
            outcome = await add(node, expected, words, table=table, request=key_of(request))
        except Unavailable:
            self.outcomes["Unavailable"] += 1
            await sleep(0.05)
            return None
        self.outcomes[type(outcome).__name__] += 1
        return outcome

    async def progress(self, more: int = 50) -> None:
        """Wait until so many more requests are acknowledged."""
        aim = len(self.acknowledged) + more
        while len(self.acknowledged) < aim:
            await sleep(0.01)

    async def check(self, store: Store) -> None:
        """Each acknowledged request is in its log, in its place and once, and nothing else is there twice."""
        assert self.acknowledged
        logs = {table: await entries_of(store, table) for table in TABLES}
        for (table, request), version in self.acknowledged.items():
            assert logs[table].count(request.encode()) == 1
            assert version in (0, logs[table].index(request.encode()) + 1)
        for table, log in logs.items():
            assert len(set(log)) == len(log)
            assert await store.load(table) == stored(0, b"0", log, table=table)


# Replies that are lost


@pytest.fixture
async def wire(server: Server) -> AsyncIterator[Wire]:
    async with Wire(server.port) as wire:
        yield wire


@pytest.fixture
async def store(server: Server, wire: Wire) -> AsyncIterator[RedisStore]:
    """A store with one table, on a wire that may be cut; nothing else goes over it while nobody asks."""
    prefix = next(PREFIXES)
    server.ask("SET", f"{prefix}:{{index}}:rebuilt", "")
    opened = await RedisStore.open(wire.url, prefix=prefix)
    await begin(opened)
    await opened._index.write_pending()
    yield opened
    await opened.close()


async def test_a_reply_that_is_lost_after_the_commit_is_given_when_asked_again(wire: Wire, store: RedisStore) -> None:
    wire.cuts = 1
    with pytest.raises(Unavailable):
        await add(store, 0, b"one", request=key_of("r"))
    assert await versions_of(store, ["T"]) == {"T": 1}
    assert await add(store, 0, b"two", request=key_of("r")) == Duplicate(1)
    assert await entries_of(store) == [b"one"]


async def test_a_creation_whose_reply_is_lost_is_done_once(wire: Wire, store: RedisStore) -> None:
    for cuts in (1, 1):
        wire.cuts = cuts
        with pytest.raises(Unavailable):
            await store.create("U", b"0", A_SUMMARY, key_of("c"))
    assert await store.create("V", b"0", A_SUMMARY, key_of("c")) == "U"
    assert await store.create("V", b"0", A_SUMMARY, key_of("c", content=b"other")) == IdReused()
    assert sorted(await shown(store)) == ["T", "U"]


async def test_whoever_was_sent_together_is_told_together(wire: Wire, store: RedisStore) -> None:
    for table in TABLES:
        await begin(store, table)
    await store._index.write_pending()
    wire.cuts = 1
    outcomes = await gather(
        *(add(store, 0, table=name, request=key_of("r")) for name in TABLES), return_exceptions=True
    )
    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 4
    assert [await add(store, 0, table=name, request=key_of("r")) for name in TABLES] == [Duplicate(1)] * 4


async def test_who_does_not_wait_is_told_that_the_line_has_failed(wire: Wire, store: RedisStore) -> None:
    told = list[Outcome | Unavailable]()
    wire.cuts = 1
    add_soon(store, 0, told.append, request=key_of("r"), summary=summary_of(deadline=5))
    await becomes_true(lambda: len(told) == 1)
    assert type(told[0]) is Unavailable
    assert await add(store, 0, request=key_of("r"), summary=summary_of(deadline=5)) == Duplicate(1)
    assert await store.due(5) == ["T"]
    assert len(told) == 1


async def test_who_does_not_wait_is_told_in_time_that_a_server_hangs(
    server: Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "PATIENCE", 0.2)
    told = list[Outcome | Unavailable]()
    server.signal(signal.SIGSTOP)
    try:
        add_soon(store, 0, told.append, request=key_of("r"))
        await becomes_true(lambda: [str(outcome).rpartition(" ")[2] for outcome in told] == ["TimeoutError"])
    finally:
        server.signal(signal.SIGCONT)
    assert await add(store, 0, request=key_of("r")) in (Duplicate(1), committed(1))
    assert len(told) == 1


async def test_what_the_index_was_not_told_it_is_told_later(wire: Wire, store: RedisStore) -> None:
    wire.cuts = 1
    store._index.queue_row("T", IndexRow(1, summary_of(deadline=5)))
    with pytest.raises(Unavailable):
        await store._index.write_pending()
    assert "T" in store._index._unwritten
    assert await add(store, 0, summary=summary_of(deadline=5)) == committed(1)
    assert await store.due(5) == ["T"]


async def test_an_entry_whose_answer_is_lost_is_in_the_index(wire: Wire, store: RedisStore) -> None:
    wire.cuts = 1
    with pytest.raises(Unavailable):
        await add(store, 0, request=key_of("r"), summary=summary_of(deadline=5))
    assert await add(store, 0, request=key_of("r"), summary=summary_of(deadline=5)) == Duplicate(1)
    assert await store.due(5) == ["T"]


async def test_a_pipeline_is_late_while_a_server_hangs_and_then_it_is_time_to_look(
    server: Server, store: RedisStore
) -> None:
    [pipeline] = await store._servers.find_pipelines()
    await add(store, 0)
    assert not pipeline.is_late()
    server.signal(signal.SIGSTOP)
    try:
        waiting = create_task(add(store, 1))
        await becomes(partial(_now, pipeline.is_late))
        assert store._servers._is_lookup_due()
    finally:
        server.signal(signal.SIGCONT)
    assert await waiting == committed(2)
    assert not pipeline.is_late()


async def test_who_began_to_look_before_a_doubt_does_not_settle_it(
    store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers, looks = store._servers, list[str]()
    spans = servers._directory.read_slot_ranges

    async def look() -> list[SlotRange]:
        looks.append("look")
        if len(looks) == 1:  # the answer is known, and then the connection breaks
            servers.mark_stale()
        return await spans()

    monkeypatch.setattr(servers._directory, "read_slot_ranges", look)
    servers.mark_stale()
    await store.heads(["T"])
    assert looks == ["look", "look"]


async def test_sentinels_who_are_behind_are_not_believed_by_who_knows_better(
    sentinelled: Sentinelled, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, directory = read_url(sentinelled.url)
    assert isinstance(directory, Sentinels)
    [span] = await directory.read_slot_ranges()
    views = await directory._collect_reports()
    ahead = [view._replace(failover=view.failover + 1) for view in views[:2]]
    for answers in (ahead, views[:2], views):
        monkeypatch.setattr(directory, "_collect_reports", partial(_immediately, answers))
        if answers == views[:2]:
            with pytest.raises(Unavailable, match="last failover"):
                await directory.read_slot_ranges()
        else:
            assert (await directory.read_slot_ranges())[0].primary == span.primary


async def _immediately(value: T) -> T:
    return value


async def _now(question: Callable[[], bool]) -> bool:
    return question()


async def test_a_connection_that_was_closed_while_nobody_spoke_is_not_noticed(
    server: Server, store: RedisStore
) -> None:
    for version in range(3):
        server.ask("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
        await sleep(0.05)
        assert await add(store, version) == committed(version + 1)


# A server that stops


async def test_a_server_that_hangs_is_unavailable_in_time(
    server: Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "PATIENCE", 0.2)
    server.signal(signal.SIGSTOP)
    for _ in range(2):
        with pytest.raises(Unavailable):
            await add(store, 0, request=key_of("r"))
    server.signal(signal.SIGCONT)
    monkeypatch.setattr(pipeline, "PATIENCE", 5.0)
    assert await add(store, 0, request=key_of("r")) in (Duplicate(1), committed(1))
    assert len(await entries_of(store)) == 1


async def test_a_server_that_reads_no_more_keeps_no_connection(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    store = await RedisStore.open(server.url, prefix=next(PREFIXES))
    await begin(store)
    await store._index.write_pending()
    before = len(os.listdir("/proc/self/fd"))
    monkeypatch.setattr(pipeline, "PATIENCE", 0.2)
    server.signal(signal.SIGSTOP)
    try:
        with pytest.raises(Unavailable):
            await add(store, 0, b"x" * 20_000_000)
        await becomes(lambda: is_less(len(os.listdir("/proc/self/fd")), before))
    finally:
        server.signal(signal.SIGCONT)
    await store.close()


async def is_less(number: int, before: int) -> bool:
    return number < before


async def test_a_server_that_is_killed_again_and_again_loses_nothing() -> None:
    with running(one_server) as server:
        nodes = [await RedisStore.open(server.url) for _ in range(2)]
        load = Load(*nodes)
        await load.begin()
        async with TaskGroup() as tasks:
            tasks.create_task(load.run())
            for _ in range(KILLS):
                await load.progress()
                await to_thread(server.kill)
                await sleep(0.1)
                await to_thread(server.start)
            await load.progress()
            load.is_over = True
        await load.check(nodes[0])
        assert load.outcomes["Unavailable"] >= KILLS
        assert load.outcomes["Stale"]
        assert sorted(await shown(nodes[1])) == TABLES
        await gather(*(node.close() for node in nodes))


# A server that refuses


async def test_a_server_without_memory_is_unavailable_until_it_has_some(server: Server, store: RedisStore) -> None:
    assert await add(store, 0, b"one") == committed(1)
    server.ask("CONFIG", "SET", "maxmemory", 1)
    try:
        with pytest.raises(Unavailable, match="maxmemory"):
            await add(store, 1, b"two", request=key_of("r"))
        assert await store.load("T") == stored(0, b"0", [b"one"])  # reading needs none
    finally:
        server.ask("CONFIG", "SET", "maxmemory", 0)
    assert await add(store, 1, b"two", request=key_of("r")) == committed(2)


async def test_a_server_that_has_become_a_replica_is_unavailable_until_it_is_primary_again(
    server: Server, store: RedisStore
) -> None:
    server.ask("REPLICAOF", "127.0.0.1", 1)
    for sentence in ("read only replica", "is a replica now"):
        with pytest.raises(Unavailable, match=sentence):
            await add(store, 0, request=key_of("r"))
    server.ask("REPLICAOF", "NO", "ONE")
    assert await add(store, 0, request=key_of("r")) == committed(1)


async def test_a_server_that_still_reads_its_disk_is_unavailable_until_it_has() -> None:
    reasons = set[str]()
    with running(lambda directory: Server(directory, **SAFE, key_load_delay="1")) as server:
        store = await RedisStore.open(server.url)
        await begin(store)
        server.ask("EVAL", "for number = 1, 12000 do redis.call('SET', 'ballast', number) end", 0)
        server.kill()
        server.launch()

        async def is_stored() -> bool:
            try:
                return await add(store, 0, request=key_of("r")) == committed(1)
            except Unavailable as error:
                reasons.add(str(error))
                return False

        await becomes(is_stored)
        assert any("loading" in reason for reason in reasons), reasons
        await store.close()


async def test_nodes_of_another_version_work_on_the_same_server(server: Server, store: RedisStore) -> None:
    assert await add(store, 0) == committed(1)
    server.ask("FUNCTION", "LOAD", CODE.replace("VERSION", "another"))
    assert await add(store, 1) == committed(2)
    keys = store._keys.all_of("T")
    head = server.ask("HGET", keys[0], "chain")
    after = link(Head(2, head), b"other")
    given = ("2", head, "3", after.hash, b"other", "", "", "")
    assert server.ask("FCALL", "palatine_append_another", 2, *keys[:2], *given) == 1
    assert await entries_of(store) == [b"entry", b"entry", b"other"]
    server.ask("FUNCTION", "DELETE", "palatine_another")


async def test_an_index_far_behind_is_written_in_portions(
    server: Server, store: RedisStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MOST_WAITING", 10)
    monkeypatch.setattr(index, "SOME", 4)
    for number in range(30):
        store._index.queue_row(f"T{number}", IndexRow(1, summary_of(deadline=5)))
    await store._index.write_pending()
    assert store._index._unwritten == {}
    assert server.ask("HLEN", store._keys.versions) == 31


# Replicas


async def test_without_replicas_nothing_is_acknowledged_or_shown(sentinelled: Sentinelled) -> None:
    one, other = [await RedisStore.open(sentinelled.url, durability="replicas=1", prefix="stop") for _ in range(2)]
    await begin(one)
    hints = list[tuple[str, int]]()
    await other.load("T")
    other.follow(lambda *hint: hints.append(hint))
    replicas = [server for server in sentinelled.servers if server is not sentinelled.primary]
    for replica in replicas:
        replica.signal(signal.SIGSTOP)
    outcomes = await gather(
        add(one, 0, b"r", request=key_of("r")),
        other.load("T"),
        other.heads(["T"]),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 3
    for replica in replicas:
        replica.signal(signal.SIGCONT)
    load = Load(other)
    while (outcome := await load._try(other, "T", "r", 0)) is None:
        pass
    assert outcome == Duplicate(1)
    assert hints in ([], [("T", 1)])
    await gather(one.close(), other.close())


async def test_failover_loses_nothing() -> None:
    with running(Sentinelled) as servers:
        nodes = [await RedisStore.open(servers.url, durability="replicas=1") for _ in range(2)]
        load = Load(*nodes)
        await load.begin()
        async with TaskGroup() as tasks:
            tasks.create_task(load.run())
            await load.progress()
            first = servers.primary
            await to_thread(first.kill)
            await load.progress()
            assert servers.primary is not first
            await to_thread(first.start)  # it comes back as a primary that does not know yet
            await load.progress(200)
            load.is_over = True
        await load.check(nodes[0])
        assert load.outcomes["Unavailable"]
        await gather(*(node.close() for node in nodes))


async def test_a_primary_that_comes_back_in_the_middle_of_a_failover_acknowledges_nothing() -> None:
    with running(Sentinelled) as servers:
        nodes = [await RedisStore.open(servers.url, durability="replicas=1") for _ in range(2)]
        load = Load(*nodes)
        await load.begin()
        async with TaskGroup() as tasks:
            tasks.create_task(load.run())
            await load.progress()
            first = servers.primary
            first.signal(signal.SIGSTOP)
            others = [server for server in servers.servers if server is not first]
            await to_thread(until, lambda: any(server.is_primary() for server in others), "a failover")
            first.signal(signal.SIGCONT)  # one replica still follows it
            await load.progress(200)
            load.is_over = True
        await becomes(lambda: is_in_step(nodes[0]))
        await load.check(nodes[0])
        await gather(*(node.close() for node in nodes))


async def is_in_step(store: Store) -> bool:
    with suppress(Unavailable):
        await store.heads(TABLES)
        return True
    return False


# A cluster


async def test_tables_are_spread_over_the_cluster(cluster: Cluster) -> None:
    store = await RedisStore.open(cluster.url, prefix="spread")
    for number in range(30):
        await begin(store, f"T{number}")
    tables = [len(server.ask("KEYS", "spread:{table:*}")) for server in cluster.servers]
    assert sum(tables) == 30
    assert min(tables) > 2
    await store.close()


async def test_a_node_of_the_cluster_that_is_killed_loses_nothing(cluster: Cluster) -> None:
    nodes = [await RedisStore.open(cluster.url, prefix="kill") for _ in range(2)]
    load = Load(*nodes)
    await load.begin()
    async with TaskGroup() as tasks:
        tasks.create_task(load.run())
        for server in cluster.servers[:2]:
            await load.progress()
            await to_thread(server.kill)
            await sleep(0.1)
            await to_thread(server.start)
        await to_thread(cluster.settle)
        await load.progress()
        load.is_over = True
    await load.check(nodes[0])
    assert load.outcomes["Unavailable"]
    await gather(*(node.close() for node in nodes))


async def test_a_table_in_the_middle_of_moving_is_unavailable_until_it_has_moved(cluster: Cluster) -> None:
    store = await RedisStore.open(cluster.url, prefix="middle")
    await begin(store)
    assert await add(store, 0, b"one", request=key_of("r")) == committed(1)
    name, log, _ = store._keys.all_of("T")
    with cluster.moving(key_slot(name.encode()), log):
        for _ in range(2):
            with pytest.raises(Unavailable, match="Multiple keys"):
                await add(store, 1, b"two", request=key_of("s"))
            with pytest.raises(Unavailable):  # the key is elsewhere already
                await entries_of(store)
    load = Load(store)
    while (outcome := await load._try(store, "T", "s", 1)) is None:
        pass
    assert outcome == committed(2)
    assert await entries_of(store) == [b"one", b"s"]
    await store.close()


async def test_a_slot_that_moves_takes_its_table_along(cluster: Cluster) -> None:
    one, other = [await RedisStore.open(cluster.url, prefix="move") for _ in range(2)]
    hints = list[tuple[str, int]]()
    await begin(one)
    await other.load("T")
    other.follow(lambda *hint: hints.append(hint))
    assert await add(one, 0, b"one", request=key_of("r")) == committed(1)
    await to_thread(cluster.move, key_slot(b"{table:T}"))
    load, versions = Load(one), count(1)

    async def is_heard() -> bool:
        version = next(versions)
        while await load._try(one, "T", f"{version}", version) is None:
            pass
        return len({version for _, version in hints if version > 1}) > 1  # one may be found by looking, not two

    await becomes(is_heard)
    assert len(await entries_of(other)) == next(versions)
    await gather(one.close(), other.close())


# A cluster with replicas

Attempt = Callable[[], Awaitable[Outcome]]
TOO_LONG = 60.0  # seconds


@pytest.fixture(scope="module")
def followed() -> Iterator[FollowedCluster]:
    with running(FollowedCluster) as servers:
        yield servers


def lose_primary(cluster: FollowedCluster, table: str) -> Server:
    """Kill the primary that has this table, and wait until its replica has taken its place."""
    slot = key_slot(f"{{table:{table}}}".encode())
    [lost] = cluster.primaries_of(slot)
    lost.kill()
    until(lambda: cluster.primaries_of(slot), "a failover in the cluster")
    return lost


async def told(attempt: Attempt) -> Outcome:
    """What becomes of a request that is tried again until it is known."""
    async with timeout(TOO_LONG):
        while True:
            with suppress(Unavailable):
                return await attempt()
            await sleep(0.05)


async def must_be_unconfirmed(attempt: Attempt) -> None:
    """Try until the entry is in the log of a primary without a replica, which must not acknowledge it."""
    said = ""
    async with timeout(TOO_LONG):
        while "0 replicas confirmed" not in said:
            with pytest.raises(Unavailable) as raised:
                await attempt()
            said = str(raised.value)
            await sleep(0.05)


async def goes_on(load: Load, table: str) -> None:
    """Wait until some more requests at this table are acknowledged."""
    aim = acknowledged(load, table) + 20
    while acknowledged(load, table) < aim:
        await sleep(0.01)


def acknowledged(load: Load, table: str) -> int:
    return sum(name == table for name, _ in load.acknowledged)


async def test_a_request_is_done_once_although_its_primary_in_the_cluster_dies(followed: FollowedCluster) -> None:
    store = await RedisStore.open(followed.url, durability="replicas=1", prefix="once")
    await begin(store)
    one = partial(add, store, 0, b"1", request=key_of("one"))
    two = partial(add, store, 1, b"2", request=key_of("two"))
    assert await told(one) == committed(1)
    lost = await to_thread(lose_primary, followed, "T")
    await must_be_unconfirmed(two)
    await to_thread(lost.start)
    assert await told(two) in (Duplicate(2), committed(2))
    await to_thread(followed.settle)
    assert [await told(request) for request in (one, two)] == [Duplicate(1), Duplicate(2)]
    assert await entries_of(store) == [b"1", b"2"]
    await store.close()


async def test_failover_in_a_cluster_loses_nothing(followed: FollowedCluster) -> None:
    nodes = [await RedisStore.open(followed.url, durability="replicas=1", prefix="failover") for _ in range(2)]
    load = Load(*nodes)
    await load.begin()
    async with timeout(TOO_LONG), TaskGroup() as tasks:
        tasks.create_task(load.run())
        await goes_on(load, TABLES[0])
        lost = await to_thread(lose_primary, followed, TABLES[0])
        await to_thread(lost.start)  # it comes back as a replica, and only then anything is acknowledged again
        await goes_on(load, TABLES[0])
        load.is_over = True
    await to_thread(followed.settle)
    await becomes(lambda: is_in_step(nodes[0]))
    await load.check(nodes[0])
    assert load.outcomes["Unavailable"]
    await gather(*(node.close() for node in nodes))
