"""What every store must keep to. A module that tests a store takes everything from here and defines `open_store`."""

from __future__ import annotations

import gc
import time
from asyncio import CancelledError, create_task, gather, sleep
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from functools import partial
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from palatine_server.store import (
    Append,
    ArchivedGame,
    Committed,
    Duplicate,
    Gone,
    Head,
    IdReused,
    LogSpan,
    OnOutcome,
    Outcome,
    RequestKey,
    Stale,
    Store,
    StoredTable,
    Summary,
    Unavailable,
    append_and_wait,
)
from palatine_server.store.hash_chain import UNKNOWN, link, origin

Open = Callable[[], Awaitable[Store]]  # opens the same data again each time it is called
FAR = 10_000

A_SUMMARY = Summary(
    game="between_two_castles",
    status="open",
    visibility="public",
    host="ada",
    host_name="Ada",
    created=1_000,
    users=["ada", None],
    names=["Ada", None],
    terms={"clock": {"move": 60}, "reserved": [1]},
)


@pytest.fixture
async def store(open_store: Open) -> AsyncIterator[Store]:
    opened = await open_store()
    yield opened
    await opened.close()


def summary_of(**changes: Any) -> Summary:
    return replace(A_SUMMARY, **changes)


def key_of(request: str, *, user: str = "ada", content: bytes = b"content") -> RequestKey:
    return RequestKey(user, request, content)


async def begin(store: Store, table: str = "T", **changes: Any) -> None:
    """Create a table whose first snapshot is b"0"."""
    for known in [known for known in HEADS if known[0] == table]:
        del HEADS[known]
    assert await store.create(table, b"0", summary_of(**changes), key_of(f"create {table}")) == table


class Ending:
    """Equals every outcome of a kind at a version, whatever the hash of its head."""

    def __init__(self, kind: type[Committed | Stale], version: int) -> None:
        self.kind, self.version = kind, version

    def __eq__(self, other: object) -> bool:
        return type(other) is self.kind and other.version == self.version  # type: ignore[attr-defined]

    __hash__ = None  # type: ignore[assignment]


committed, stale = partial(Ending, Committed), partial(Ending, Stale)


def chain(*entries: bytes, table: str = "T") -> Head:
    """The head of a table with these entries."""
    head = origin(table)
    for entry in entries:
        head = link(head, entry)
    return head


def stored(
    version: int, snapshot: bytes, entries: Sequence[bytes], before: Sequence[bytes] = (), table: str = "T"
) -> StoredTable:
    """A table with these entries after its snapshot, and those before it."""
    start, end = chain(*before, table=table), chain(*before, *entries, table=table)
    assert start.version == version
    return StoredTable(snapshot, LogSpan(start, list(entries), end))


async def entries_of(store: Store, table: str = "T", after: int = 0, upto: int = FAR) -> list[bytes]:
    return (await store.read(table, after, upto)).entries


async def versions_of(store: Store, tables: Sequence[str]) -> dict[str, int]:
    return {table: head.version for table, head in (await store.heads(tables)).items()}


HEADS: dict[tuple[str, int], Head] = {}  # by table and version: what `add` has added, or is about to


def head_at(table: str, version: int) -> Head:
    """The head of a table at a version, as far as tests have added to it; otherwise one that never was."""
    return origin(table) if version == 0 else HEADS.get((table, version), Head(version, b"never"))


def appending(table: str, expected: int, entry: bytes, **more: Any) -> Append:
    """An entry after a version of a table."""
    head = head_at(table, expected)
    HEADS.setdefault((table, expected + 1), link(head, entry))
    return Append(table, head, entry, **more)


def note(table: str, outcome: Outcome | Unavailable) -> None:
    if isinstance(outcome, Committed | Stale):
        HEADS[table, outcome.version] = outcome.head


async def add(store: Store, expected: int, entry: bytes = b"entry", *, table: str = "T", **more: Any) -> Outcome:
    """Append an entry after a version, and wait; whatever is not named stays out of it."""
    outcome = await append_and_wait(store, appending(table, expected, entry, **more))
    note(table, outcome)
    return outcome


def add_soon(
    store: Store, expected: int, on_outcome: OnOutcome, entry: bytes = b"entry", *, table: str = "T", **more: Any
) -> None:
    """Append an entry after a version, and do not wait."""

    def told(outcome: Outcome | Unavailable) -> None:
        note(table, outcome)
        on_outcome(outcome)

    store.append(appending(table, expected, entry, **more), told)


async def shown(store: Store, user: str | None = None, limit: int = 200) -> list[str]:
    return [table for table, _ in await store.tables(user=user, limit=limit)]


async def becomes(is_so: Callable[[], Awaitable[Any]]) -> None:
    """Wait for something that takes a moment."""
    for _ in range(500):
        if await is_so():
            return
        await sleep(0.01)
    raise AssertionError("it did not happen in 5 seconds")


async def becomes_true(is_so: Callable[[], bool]) -> None:
    async def asked() -> bool:
        return is_so()

    await becomes(asked)


# Create, append, load, read


async def test_create_begins_at_version_0(store: Store) -> None:
    await begin(store)
    assert await store.load("T") == stored(0, b"0", [])


async def test_append_stores_entry_after_entry(store: Store) -> None:
    await begin(store)
    assert [await add(store, version, b"%d" % version) for version in range(3)] == [committed(n) for n in (1, 2, 3)]
    assert await store.load("T") == stored(0, b"0", [b"0", b"1", b"2"])


async def test_append_keeps_bytes_as_they_are(store: Store) -> None:
    await begin(store)
    entries = [b"", b"\0\xff\r\n", bytes(range(256)) * 400]
    for version, entry in enumerate(entries):
        await add(store, version, entry, request=key_of(str(version)))
        assert await add(store, version, b"", request=key_of(str(version))) == Duplicate(version + 1)
    assert await entries_of(store) == entries


async def test_tables_do_not_mix(store: Store) -> None:
    for table in "AB":
        await begin(store, table)
    await add(store, 0, b"a", table="A", request=key_of("r"))
    await add(store, 0, b"b", table="B", request=key_of("s"))
    assert [await entries_of(store, table) for table in "AB"] == [[b"a"], [b"b"]]


async def test_read_gives_what_lies_between_as_far_as_it_exists(store: Store) -> None:
    await begin(store)
    for version in range(5):
        await add(store, version, b"%d" % (version + 1), snapshot=b"s")
    assert await entries_of(store, "T", 1, 3) == [b"2", b"3"]
    assert await entries_of(store, "T", 3, 2**64) == [b"4", b"5"]
    assert await entries_of(store, "T", 0, 5) == [b"1", b"2", b"3", b"4", b"5"]
    for after, upto in ((5, 9), (2**64, 2**65), (3, 2)):
        assert await entries_of(store, "T", after, upto) == []


async def test_unknown_table_is_gone(store: Store) -> None:
    assert await add(store, 0, table="nowhere", request=key_of("r")) == Gone()
    assert await store.load("nowhere") is None
    assert await entries_of(store, "nowhere") == []


async def test_snapshot_replaces_the_older_one_and_the_log_stays_whole(store: Store) -> None:
    await begin(store)
    for version in range(5):
        await add(store, version, b"%d" % (version + 1), snapshot=b"after %d" % (version + 1) if version % 2 else None)
    assert await store.load("T") == stored(4, b"after 4", [b"5"], [b"1", b"2", b"3", b"4"])
    assert await entries_of(store) == [b"1", b"2", b"3", b"4", b"5"]


# Callbacks


async def test_append_calls_back_once_and_not_before_it_has_returned(store: Store) -> None:
    await begin(store)
    told = list[Outcome | Unavailable]()
    add_soon(store, 0, told.append, request=key_of("r"))
    assert told == []
    await becomes_true(lambda: told == [committed(1)])
    assert await add(store, 0, request=key_of("r")) == Duplicate(1)
    await sleep(0.05)
    assert told == [committed(1)]


async def test_append_tells_every_kind_of_outcome(store: Store) -> None:
    await begin(store)
    told = list[Outcome | Unavailable]()
    add_soon(store, 0, told.append, b"one", request=key_of("r"), snapshot=b"1")
    await becomes_true(lambda: len(told) == 1)
    add_soon(store, 1, told.append, request=key_of("r"))
    add_soon(store, 1, told.append, request=key_of("r", content=b"other"))
    add_soon(store, 1, told.append, b"two")
    add_soon(store, 1, told.append, b"two again")
    await becomes_true(lambda: len(told) == 5)
    add_soon(store, 0, told.append, table="nowhere")
    await becomes_true(lambda: len(told) == 6)
    assert sorted(map(repr, told[1:5])) == sorted(map(repr, [Duplicate(1), IdReused(), *ends(b"one", b"two")]))
    assert told[5] == Gone()
    assert await store.load("T") == stored(1, b"1", [b"two"], [b"one"])


def ends(*entries: bytes) -> list[Outcome]:
    head = chain(*entries)
    return [Committed(head), Stale(head)]


async def test_append_tells_the_outcomes_of_a_table_in_the_order_of_its_appends(store: Store) -> None:
    for table in "AB":
        await begin(store, table)
    told = list[tuple[str, int]]()
    for version in range(40):
        for table in "AB":
            add_soon(store, version, lambda outcome, at=(table, version + 1): told.append(at), table=table)  # type: ignore[misc]
    await becomes_true(lambda: len(told) == 80)
    for table in "AB":
        assert [version for name, version in told if name == table] == list(range(1, 41))
        assert await entries_of(store, table) == [b"entry"] * 40


async def test_a_callback_may_append_at_once(store: Store) -> None:
    await begin(store)
    told = list[Outcome | Unavailable]()

    def go_on(outcome: Outcome | Unavailable) -> None:
        told.append(outcome)
        if len(told) < 10:
            add_soon(store, len(told), go_on)

    add_soon(store, 0, go_on)
    await becomes_true(lambda: told == [committed(version) for version in range(1, 11)])


async def test_a_caller_who_is_cancelled_does_not_cancel_the_append(store: Store) -> None:
    await begin(store)
    waiting = create_task(add(store, 0, request=key_of("r")))
    await sleep(0)
    waiting.cancel()
    with pytest.raises(CancelledError):
        await waiting

    async def is_stored() -> bool:
        return await store.find_request("T", key_of("r")) == Duplicate(1)

    await becomes(is_stored)


async def test_closing_calls_back_for_all_that_waits(open_store: Open) -> None:
    store, told = await open_store(), list[Outcome | Unavailable]()
    await begin(store)
    for version in range(50):
        add_soon(store, version, told.append)
    await store.close()
    assert len(told) == 50
    number = told.count(committed(50)) and 50
    add_soon(store, 50, told.append)
    assert len(told) == 50
    await becomes_true(lambda: len(told) == 51)
    assert type(told[50]) is Unavailable
    again = await open_store()
    assert len(await entries_of(again)) >= number
    await again.close()


async def test_appends_leave_no_garbage_for_the_collector(store: Store) -> None:
    await begin(store)
    told = list[Outcome | Unavailable]()
    for version in range(20):  # connections are made, and whatever else is made once
        add_soon(store, version, told.append, request=key_of(f"first {version}"))
    await becomes_true(lambda: len(told) == 20)
    gc.collect()
    gc.disable()
    try:
        for number in range(10):
            for version in range(20 + 80 * number, 100 + 80 * number):
                add_soon(store, version, told.append, request=key_of(str(version)), summary=A_SUMMARY)
                add_soon(store, version, told.append, request=key_of(str(version)))  # repeated
            add_soon(store, 0, told.append)  # stale
            await becomes_true(lambda number=number: len(told) == 20 + 161 * (number + 1))  # type: ignore[misc]
        kinds = Counter(type(outcome) for outcome in told)
        told.clear()
        gc.set_debug(gc.DEBUG_SAVEALL)
        gc.collect()
        found = Counter(type(each).__name__ for each in gc.garbage)
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert kinds == {Committed: 820, Duplicate: 800, Stale: 10}
    # 1,630 appends leave nothing; looking up who is primary leaves some objects of redis-py each time.
    assert sum(found.values()) < 100, found.most_common(10)


# Compare and append


@pytest.mark.parametrize("expected", [-1, 1, 3, 2**64])
async def test_append_elsewhere_than_at_the_end_is_stale(store: Store, expected: int) -> None:
    await begin(store)
    await add(store, 0)
    await add(store, 1)
    assert await add(store, expected) == stale(2)
    assert await entries_of(store) == [b"entry"] * 2


async def test_of_200_at_once_one_is_committed_and_the_others_are_stale(store: Store) -> None:
    await begin(store)
    outcomes = await gather(*(add(store, 0, b"%d" % n, request=key_of(str(n))) for n in range(200)))
    assert outcomes.count(committed(1)) == 1
    assert outcomes.count(stale(1)) == 199
    assert await entries_of(store) == [b"%d" % outcomes.index(committed(1))]


async def test_racers_who_try_again_all_arrive_once_and_without_gaps(store: Store) -> None:
    await begin(store)

    async def race(entry: bytes) -> int:
        outcome: Outcome = Stale(chain())
        while isinstance(outcome, Stale):
            outcome = await add(store, outcome.version, entry)
        assert isinstance(outcome, Committed)
        return outcome.version

    versions = await gather(*(race(b"%d" % n) for n in range(30)))
    assert sorted(versions) == list(range(1, 31))
    assert await entries_of(store) == [b"%d" % versions.index(version) for version in range(1, 31)]


# Repetition


async def test_a_repeated_append_is_told_its_first_version_also_when_the_log_went_on(store: Store) -> None:
    await begin(store)
    assert await add(store, 0, b"one", request=key_of("r")) == committed(1)
    for expected in (0, 1, 7):
        assert await add(store, expected, b"two", request=key_of("r")) == Duplicate(1)
    await add(store, 1, b"three")
    assert await add(store, 2, b"two", request=key_of("r")) == Duplicate(1)
    assert await entries_of(store) == [b"one", b"three"]


async def test_the_same_request_50_times_at_once_is_carried_out_once(store: Store) -> None:
    await begin(store)
    outcomes = await gather(*(add(store, 0, request=key_of("r")) for _ in range(50)))
    assert outcomes.count(committed(1)) == 1
    assert outcomes.count(Duplicate(1)) == 49


async def test_another_request_under_the_same_id_is_refused(store: Store) -> None:
    await begin(store)
    await add(store, 0, request=key_of("r"))
    assert await add(store, 1, request=key_of("r", content=b"other")) == IdReused()
    assert await entries_of(store) == [b"entry"]


async def test_ids_of_different_users_have_nothing_to_do_with_each_other(store: Store) -> None:
    await begin(store)
    assert await add(store, 0, request=key_of("r", user="ada")) == committed(1)
    assert await add(store, 1, request=key_of("r", user="bob", content=b"other")) == committed(2)


async def test_what_has_no_key_is_never_a_repetition(store: Store) -> None:
    await begin(store)
    assert [await add(store, version) for version in range(2)] == [committed(1), committed(2)]


async def test_a_stale_request_has_not_used_its_id(store: Store) -> None:
    await begin(store)
    await add(store, 0)
    assert await add(store, 0, request=key_of("r")) == stale(1)
    assert await add(store, 1, request=key_of("r", content=b"other")) == committed(2)


async def test_repeated_create_returns_the_table_it_made_first(store: Store) -> None:
    key = key_of("c")
    assert await store.create("T", b"0", A_SUMMARY, key) == "T"
    await add(store, 0)
    assert await store.create("U", b"other", summary_of(status="other"), key) == "T"
    assert await store.create("V", b"0", A_SUMMARY, key_of("c", content=b"other")) == IdReused()
    assert await store.load("T") == stored(0, b"0", [b"entry"])
    assert await store.tables() == [("T", A_SUMMARY)]


async def test_the_same_create_20_times_at_once_makes_one_table(store: Store) -> None:
    made = await gather(*(store.create(f"T{n}", b"0", A_SUMMARY, key_of("c")) for n in range(20)))
    assert await shown(store) == [made[0]]
    assert set(made) == {made[0]}


async def test_created_tells_a_repeated_create_without_trying(store: Store) -> None:
    assert await store.find_creation(key_of("c")) is None
    await store.create("T", b"0", A_SUMMARY, key_of("c"))
    assert await store.find_creation(key_of("c")) == "T"
    assert await store.find_creation(key_of("c", content=b"other")) == IdReused()
    assert await store.find_creation(key_of("c", user="bob")) is None
    await add(store, 0, request=key_of("r"))
    assert await store.find_creation(key_of("r")) is None


async def test_tables_that_are_over_are_shown_to_those_who_played_only(store: Store) -> None:
    await begin(store, users=["ada", None])
    await add(store, 0, summary=summary_of(status="over", users=["ada", None]))
    assert await shown(store) == []
    assert await shown(store, "ada") == ["T"]


async def test_ones_own_tables_are_shown_however_many_newer_ones_there_are(store: Store) -> None:
    await begin(store, "own", created=1, host="eve")
    for number in range(3):
        await begin(store, f"other {number}", created=2 + number)
    assert "own" in await shown(store, "eve", limit=2)


async def test_find_request_tells_a_repetition_without_trying(store: Store) -> None:
    await begin(store)
    assert await store.find_request("T", key_of("r")) is None
    await add(store, 0, request=key_of("r"))
    assert await store.find_request("T", key_of("r")) == Duplicate(1)
    assert await store.find_request("T", key_of("r", content=b"other")) == IdReused()
    assert await store.find_request("T", key_of("r", user="bob")) is None
    assert await store.find_request("nowhere", key_of("r")) is None


# Heads: a version alone does not say which history it belongs to


async def test_read_tells_the_heads_before_and_after_the_entries(store: Store) -> None:
    await begin(store)
    for version in range(4):
        await add(store, version, b"%d" % version)
    for after, upto in ((0, FAR), (1, 3), (2, 2), (4, FAR)):
        span = await store.read("T", after, upto)
        upto = min(max(upto, after), 4)
        assert span.start == chain(*(b"%d" % version for version in range(after)))
        assert span.end == chain(*(b"%d" % version for version in range(upto)))
    assert await store.read("T", 5, FAR) == LogSpan(UNKNOWN, [], UNKNOWN)
    assert await store.read("nowhere", 1, FAR) == LogSpan(UNKNOWN, [], UNKNOWN)


async def test_append_to_another_history_is_stale_also_at_the_same_version(store: Store) -> None:
    await begin(store)
    await add(store, 0, b"one")
    for other in (chain(b"other"), Head(1, b""), chain(b"one", table="U")):
        assert await append_and_wait(store, Append("T", other, b"two")) == Stale(chain(b"one"))
    assert await append_and_wait(store, Append("T", chain(b"one"), b"two")) == Committed(chain(b"one", b"two"))
    assert await entries_of(store) == [b"one", b"two"]


# Following


async def test_heads_are_the_newest_versions_as_far_as_tables_exist(store: Store) -> None:
    for table in "ABC":
        await begin(store, table)
    for version in range(3):
        await add(store, version, table="A", snapshot=b"s")
    await add(store, 0, table="B")
    assert await store.heads(["A", "C", "nowhere", 'no"where']) == {
        "A": chain(*[b"entry"] * 3, table="A"),
        "C": chain(table="C"),
    }
    assert await store.heads([]) == {}


async def test_followers_are_told_what_was_committed_when_it_can_be_read(store: Store) -> None:
    hints: list[tuple[str, int]] = []
    await begin(store)
    store.follow(lambda table, version: hints.append((table, version)))
    await add(store, 0, request=key_of("r"))
    await add(store, 1)
    await add(store, 1)
    await add(store, 2, request=key_of("r"))
    assert set(hints) == {("T", 1), ("T", 2)}
    assert await store.heads(["T"]) == {"T": chain(b"entry", b"entry")}


# The list of tables


async def test_tables_show_the_summary_and_what_became_of_it(store: Store) -> None:
    await begin(store)
    later = summary_of(
        status="playing", host_name="Ada 🏰", users=[None, "bob", None], names=["B", "Bob", None], deadline=7
    )
    await add(store, 0, summary=later)
    await add(store, 1)
    assert await store.tables() == [("T", later)]


async def test_tables_come_newest_first_and_no_more_than_asked_for(store: Store) -> None:
    for table, created in {"B": 2_000, "D": 4_000, "A": 1_000, "C": 3_000}.items():
        await begin(store, table, created=created)
    assert await shown(store) == ["D", "C", "B", "A"]
    assert await shown(store, limit=2) == await shown(store, "ada", limit=2) == ["D", "C"]


async def test_private_tables_are_shown_to_host_and_seats_only(store: Store) -> None:
    await begin(store, "open", created=1)
    await begin(store, "hosted", created=2, visibility="private", host="eve", users=["ada", None])
    await begin(store, "seated", created=3, visibility="private", host="ada", users=["ada", "eve"])
    await begin(store, "closed", created=4, visibility="private", host="ada", users=[None, "bob"])
    assert await shown(store) == await shown(store, "stranger") == ["open"]
    assert await shown(store, "eve") == ["seated", "hosted", "open"]
    assert await shown(store, "ada") == ["closed", "seated", "hosted", "open"]


async def test_tables_follow_who_sits_down_and_who_leaves(store: Store) -> None:
    await begin(store, visibility="private", host="ada", users=[None, None])
    assert await shown(store, "eve") == []
    await add(store, 0, summary=summary_of(visibility="private", users=["eve", "bob"]))
    assert await shown(store, "eve") == await shown(store, "bob") == ["T"]
    await add(store, 1, summary=summary_of(visibility="private", users=["bob", "ada"]))
    assert await shown(store, "eve") == []
    assert await shown(store, "bob") == await shown(store, "ada") == ["T"]


async def test_a_table_can_become_private_and_public(store: Store) -> None:
    await begin(store)
    await add(store, 0, summary=summary_of(visibility="private"))
    assert await shown(store) == []
    await add(store, 1, summary=A_SUMMARY)
    assert await shown(store) == ["T"]


async def test_due_are_the_tables_whose_deadline_is_not_after_this_time(store: Store) -> None:
    for table, deadline in {"A": 300, "B": None, "C": 100, "D": 200}.items():
        await begin(store, table, deadline=deadline, visibility="private")
    assert await store.due(99) == []
    assert sorted(await store.due(200)) == ["C", "D"]
    assert len(await store.due(1_000, limit=2)) == 2
    assert sorted(await store.due(2**50)) == ["A", "C", "D"]


async def test_due_follows_the_summary(store: Store) -> None:
    await begin(store, deadline=100)
    await add(store, 0, summary=summary_of(deadline=500))
    assert (await store.due(499), await store.due(500)) == ([], ["T"])
    await add(store, 1, summary=summary_of(deadline=None))
    assert await store.due(2**50) == []


# Revocations


def milliseconds() -> int:
    return time.time_ns() // 1_000_000


async def test_who_is_revoked_stays_so_until_it_may_be_forgotten(store: Store) -> None:
    now = milliseconds()
    assert await store.list_revoked(now) == frozenset()
    await store.revoke("ada", now + 60_000)
    await store.revoke("token 🏰", now + 90_000)
    assert await store.list_revoked(now) == await store.list_revoked(now + 59_999) == {"ada", "token 🏰"}
    assert await store.list_revoked(now + 60_000) == {"token 🏰"}
    assert await store.list_revoked(now + 90_000) == frozenset()


async def test_who_is_revoked_twice_is_forgotten_at_the_later_time(store: Store) -> None:
    now = milliseconds()
    await store.revoke("ada", now + 60_000)
    await store.revoke("ada", now + 30_000)
    assert await store.list_revoked(now + 59_999) == {"ada"}
    await store.revoke("ada", now + 90_000)
    assert await store.list_revoked(now + 89_999) == {"ada"}


async def test_whoever_may_be_forgotten_takes_no_room(store: Store) -> None:
    now = milliseconds()
    await store.revoke("long ago", now - 1)
    await store.revoke("ada", now + 60_000)
    assert await store.list_revoked(0) == {"ada"}


async def test_all_who_are_revoked_are_found_however_many(store: Store) -> None:
    subjects, now = [f"user {number}" for number in range(3_000)], milliseconds()
    await gather(*(store.revoke(subject, now + 60_000) for subject in subjects))
    assert await store.list_revoked(now) == set(subjects)


# Closing and opening again


async def test_opened_again_everything_is_there(open_store: Open) -> None:
    store = await open_store()
    await begin(store, visibility="private", deadline=5)
    await add(store, 0, b"one", request=key_of("r"), snapshot=b"after 1")
    await add(store, 1, b"two")
    await store.revoke("eve", milliseconds() + 60_000)
    await store.close()
    again = await open_store()
    assert await again.load("T") == stored(1, b"after 1", [b"two"], [b"one"])
    assert await entries_of(again) == [b"one", b"two"]
    assert await add(again, 2, request=key_of("r")) == Duplicate(1)
    assert await again.create("U", b"0", A_SUMMARY, key_of("create T")) == "T"
    assert await again.tables(user="ada") == [("T", summary_of(visibility="private", deadline=5))]
    assert await again.due(5) == ["T"]
    assert await again.find_creation(key_of("create T")) == "T"
    assert await again.list_revoked(FAR) == {"eve"}
    await again.close()


async def test_closed_it_is_unavailable_and_may_be_closed_again(open_store: Open) -> None:
    store = await open_store()
    await begin(store)
    await store.close()
    await store.close()
    changes = add(store, 0), store.revoke("eve", FAR), store.set_note("key", b"", 1), store.claim_key("key", 1)
    for question in (
        *changes,
        store.load("T"),
        store.read("T", 0, 1),
        store.tables(),
        store.due(1),
        store.list_revoked(0),
    ):
        with pytest.raises(Unavailable):
            await question


# Anything, in any order


class Model:
    """A table as a list: what the store must do, in the simplest words."""

    def __init__(self) -> None:
        self.entries: list[bytes] = []
        self.requests: dict[tuple[str, str], tuple[bytes, int]] = {}

    def append(self, expected: int, entry: bytes, key: RequestKey | None) -> Outcome:
        if key and (key.user, key.id) in self.requests:
            known, first = self.requests[key.user, key.id]
            return Duplicate(first) if known == key.hash else IdReused()
        if expected != len(self.entries):
            return stale(len(self.entries))
        self.entries.append(entry)
        if key:
            self.requests[key.user, key.id] = key.hash, len(self.entries)
        return committed(len(self.entries))


@pytest.mark.parametrize("seed", range(3))
async def test_a_store_does_what_a_list_does(store: Store, seed: int) -> None:
    rng, tables = Random(seed), {table: Model() for table in "ABC"}
    for table in tables:
        await begin(store, table)
    for step in range(150):
        table, model = rng.choice(list(tables.items()))
        expected, word = len(model.entries) - rng.choice([0, 0, 0, 1, -1]), b"%d" % step
        key = key_of(f"{table}{rng.randrange(60)}", user=rng.choice(["ada", "bob"]), content=rng.choice([b"x", b"y"]))
        given = key if rng.random() < 0.8 else None
        outcome = await add(store, expected, word, table=table, request=given, snapshot=rng.choice([None, word]))
        assert outcome == model.append(expected, word, given)
    for table, model in tables.items():
        assert await entries_of(store, table) == model.entries
        stored = await store.load(table)
        assert stored
        assert stored.version == len(model.entries)


# The house


async def test_an_outage_is_noticed_by_whoever_opens_the_house_again(store: Store) -> None:
    assert await store.mark_alive(100_000, 15_000) == 0
    assert await store.mark_alive(110_000, 15_000) == 0
    assert await store.mark_alive(410_000, 15_000) == 300_000
    assert await store.mark_alive(410_001, 15_000) == 300_000  # also by the next node
    assert await store.mark_alive(400_000, 15_000) == 300_000  # whose clock may be slow
    assert await store.mark_alive(510_001, 15_000) == 400_000


async def test_a_jump_of_the_time_counts_as_closed_once(store: Store) -> None:
    assert await store.mark_alive(100_000, 15_000) == 0
    assert await store.mark_alive(108_000, 15_000, 7_000) == 7_000
    assert await store.mark_alive(108_500, 15_000, 7_000) == 7_000  # another node noticed the same jump
    assert await store.mark_alive(111_000, 15_000) == 7_000
    assert await store.mark_alive(200_000, 15_000, 80_000) == 7_000 + 89_000  # nobody noted anything for longer


async def test_a_node_that_missed_jumps_of_time_names_their_sum(store: Store) -> None:
    assert await store.mark_alive(100_000, 15_000) == 0
    assert await store.mark_alive(107_500, 15_000, 7_000) == 7_000  # one node; the other one does not hear of it
    assert await store.mark_alive(115_000, 15_000, 14_000, known=0) == 14_000  # the other one, after the next jump
    assert await store.mark_alive(115_200, 15_000, 7_000, known=7_000) == 14_000  # the first one notices that too


async def test_a_time_that_goes_back_is_noted_as_a_moment_of_being_closed(store: Store) -> None:
    assert await store.mark_alive(100_000, 15_000) == 0
    assert await store.mark_alive(60_000, 15_000, -40_000) == 1
    assert await store.mark_alive(65_000, 15_000) == 1
    assert await store.mark_alive(95_000, 15_000) == 1 + 30_000  # it is known again since when nobody was there


async def test_the_store_tells_the_time(store: Store) -> None:
    before = milliseconds()
    now = await store.now()
    assert before - 1 <= now <= milliseconds() + 1
    assert await store.now() >= now


async def test_whispers_are_passed_on_and_not_stored(store: Store) -> None:
    heard: list[tuple[str, bytes]] = []
    store.follow(lambda table, version: None, lambda table, words: heard.append((table, words)))
    await begin(store)
    store.send_ephemeral("T", b"\x00\xffpsst")
    assert heard == [("T", b"\x00\xffpsst")]
    assert await entries_of(store) == []


# TtlKeys


async def test_notes_are_replaced_and_forgotten(store: Store) -> None:
    await store.set_note("here:ada", b"\x00first", 60_000)
    await store.set_note("here:ada", b"second", 60_000)
    await store.set_note("here:bob", b"", 60_000)
    assert await store.read_notes(["here:ada", "here:bob", "here:eve"]) == {"here:ada": b"second", "here:bob": b""}
    await store.set_note("here:ada", b"", 0)
    await store.set_note("here:eve", b"", 0)  # which was never noted
    assert await store.read_notes(["here:ada", "here:eve"]) == {}
    assert await store.read_notes([]) == {}


async def test_notes_have_their_time_and_noting_again_begins_it_anew(store: Store) -> None:
    await store.set_note("short", b"", 1)
    await store.set_note("renewed", b"", 1)
    await store.set_note("renewed", b"", 60_000)

    async def is_forgotten() -> bool:
        return await store.read_notes(["short", "renewed"]) == {"renewed": b""}

    await becomes(is_forgotten)


async def test_notes_outlast_a_restart(open_store: Open) -> None:
    store = await open_store()
    await store.set_note("key", b"value", 60_000)
    assert await store.claim_key("key", 60_000)
    await store.close()
    again = await open_store()
    assert await again.read_notes(["key"]) == {"key": b"value"}
    assert not await again.claim_key("key", 60_000)
    await again.close()


async def test_a_claim_has_one_winner(store: Store) -> None:
    claims = await gather(*(store.claim_key(f"turn {number % 5}", 60_000) for number in range(50)))
    assert sum(claims) == 5
    await store.set_note("turn 5", b"", 60_000)
    assert await store.claim_key("turn 5", 60_000)  # a note is no claim


async def test_a_claim_is_forgotten_in_time(store: Store) -> None:
    assert await store.claim_key("turn", 1)

    async def is_free() -> bool:
        return await store.claim_key("turn", 60_000)

    await becomes(is_free)
    assert not await store.claim_key("turn", 60_000)


# Notes that are added once


async def test_a_note_is_added_once_and_the_first_value_stays(store: Store) -> None:
    assert await store.add_note("who", b"ada", 60_000) == b"ada"
    assert await store.add_note("who", b"berta", 60_000) == b"ada"
    assert await store.read_notes(["who"]) == {"who": b"ada"}
    await store.set_note("who", b"", 0)
    assert await store.add_note("who", b"berta", 60_000) == b"berta"


async def test_of_many_who_add_a_note_at_once_all_get_the_same_value(store: Store) -> None:
    values = await gather(*(store.add_note("who", b"%d" % number, 60_000) for number in range(20)))
    assert len(set(values)) == 1


# The archive


def a_game(table: str = "T", **changes: Any) -> ArchivedGame:
    game = ArchivedGame(table=table, ended=1_000, users=["ada", "berta"], row=b"row", record=b"record" * 1000)
    return replace(game, **changes)


async def test_archive_keeps_a_game_also_when_its_table_is_gone(open_store: Open) -> None:
    store = await open_store()
    await begin(store)
    await store.archive(a_game(), 60_000)
    await store.remove("T")
    await store.close()
    store = await open_store()
    assert await store.load("T") is None
    assert await store.find_archived("T") == a_game()
    assert await store.find_archived("another") is None
    await store.close()


async def test_archive_lists_the_games_of_a_user_newest_first(store: Store) -> None:
    for number in range(5):
        await store.archive(a_game(f"T{number}", ended=1_000 + number, row=b"%d" % number), 60_000)
    await store.archive(a_game("other", users=["clara"]), 60_000)
    assert await store.list_archived("ada", 3) == [("T4", b"4"), ("T3", b"3"), ("T2", b"2")]
    assert await store.list_archived("clara") == [("other", b"row")]
    assert await store.list_archived("nobody") == []


async def test_archive_replaces_a_game_and_forgets_its_former_users(store: Store) -> None:
    await store.archive(a_game(), 60_000)
    await store.archive(a_game(users=["berta"], row=b"erased", record=b"less"), 60_000)
    assert await store.list_archived("ada") == []
    assert await store.list_archived("berta") == [("T", b"erased")]
    assert await store.find_archived("T") == a_game(users=["berta"], row=b"erased", record=b"less")


async def test_archive_forgets_a_game_when_its_time_is_over(store: Store) -> None:
    await store.archive(a_game(), 1)
    await sleep(0.01)  # the time to live itself is what is tested
    assert await store.find_archived("T") is None
    assert await store.list_archived("ada") == []


async def test_archive_finds_the_finished_tables_that_it_lacks(store: Store) -> None:
    await begin(store, "open")
    for table in ("one", "two"):
        await begin(store, table)
        await add(store, 0, b"over", table=table, summary=summary_of(status="over"))
    assert sorted(await store.find_unarchived()) == ["one", "two"]
    await store.archive(a_game("one"), 60_000)
    assert await store.find_unarchived() == ["two"]


async def test_a_removed_table_is_gone_at_once_and_from_every_list(store: Store) -> None:
    await begin(store)
    await store.remove("T")
    await store.remove("T")
    assert await store.load("T") is None
    assert await store.tables(user="ada") == []
    assert await append_and_wait(store, Append("T", origin("T"), b"late")) == Gone()
