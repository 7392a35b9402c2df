"""How long clients take to hold what the store holds, and who is behind."""

from __future__ import annotations

from collections.abc import AsyncIterator
from math import inf
from pathlib import Path
from time import monotonic

import msgspec
import pytest
from chaos.arrivals import count_due, find_arrival, measure_delays
from chaos.checker import DIVERGED, HistoryChecker
from chaos.observations import Ack, FinalView, HeldVersion, Observations
from store.contract import A_SUMMARY, key_of

from palatine_protocol import digest
from palatine_server.store import Append, append_and_wait
from palatine_server.store.hash_chain import link, origin
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import LogEntry, TableSnapshot

TABLE, ADA, BOB = "T", "ada", "bob"
FAULT = 100.0  # seconds on the monotonic clock, as the other moments
WITHIN = 3.0
GRACE = 3.0
NOTHING = digest.of_viewer(digest.of_board(None), None)
PLACED = 100.4


def entry(version: int, user: str, at: float) -> LogEntry:
    do = "act" if user else "lapse"
    digests = [NOTHING + version] * 3
    return LogEntry(
        version=version, at=round(1000 * at), user=user, did={"do": do}, seat=0, hands=[[], []], digests=digests
    )


LOG = [entry(1, ADA, 99.0), entry(2, BOB, PLACED), entry(3, "", PLACED + GRACE)]


def end(*held: HeldVersion, at: float = 200.0) -> FinalView:
    version = held[-1].version
    return FinalView(TABLE, ADA, 0, version, NOTHING + version, at=at, held=[*held])


def at(moment_of: LogEntry) -> float:
    return moment_of.at / 1000


def measure(*ends: FinalView) -> float:
    return max(measure_delays(ends, LOG, FAULT, at))


PUNCTUAL = end(HeldVersion(1, True, 99.1), HeldVersion(2, False, 100.5), HeldVersion(3, False, 103.5))


# What is measured


def test_an_entry_of_the_house_is_measured_from_its_commit_and_not_from_the_fault() -> None:
    assert measure(PUNCTUAL) == pytest.approx(0.5)


def test_a_client_that_is_behind_with_what_players_did_is_found() -> None:
    late = end(HeldVersion(1, True, 99.1), HeldVersion(2, False, 103.4), HeldVersion(3, False, 103.5))
    assert measure(PUNCTUAL, late) == pytest.approx(3.4)


def test_a_client_that_is_behind_with_what_the_house_did_is_found() -> None:
    late = end(HeldVersion(1, True, 99.1), HeldVersion(2, False, 100.5), HeldVersion(3, False, 107.0))
    assert measure(PUNCTUAL, late) == pytest.approx(3.6)


def test_a_client_that_never_held_the_last_entry_of_a_player_is_found() -> None:
    assert measure(PUNCTUAL, end(HeldVersion(1, True, 99.1))) == inf


def test_another_history_is_not_what_the_store_holds() -> None:
    lost = [HeldVersion(1, True, 99.1), HeldVersion(2, False, 99.2), HeldVersion(3, False, 99.3)]
    assert find_arrival(lost, 2) == 99.2
    assert find_arrival([*lost, HeldVersion(3, True, 105.0)], 2) == 105.0
    assert find_arrival([*lost, HeldVersion(1, True, 104.0), HeldVersion(2, False, 104.5)], 2) == 104.5


def test_a_fault_after_the_commit_counts_from_the_fault() -> None:
    assert max(measure_delays([PUNCTUAL], LOG, 103.45, at)) == pytest.approx(0.05)


# What a client must hold at the end


@pytest.mark.parametrize(("asked_at", "due"), [(103.5, 2), (106.3, 2), (106.5, 3)])
def test_what_the_house_has_just_added_is_not_due_yet(asked_at: float, due: int) -> None:
    assert count_due(LOG, asked_at, at, WITHIN) == due


def test_what_players_did_is_always_due() -> None:
    assert count_due(LOG[:2], PLACED, at, WITHIN) == 2


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Yield a store whose last entry the server has just added by itself."""
    store = await SqliteStore.open(tmp_path)
    page = TableSnapshot(version=0, info={}, board=None, hands=[None, None], hidden={})
    await store.create(TABLE, msgspec.msgpack.encode(page), A_SUMMARY, key_of("create"))
    head, now = origin(TABLE), await store.now()
    for version, user in ((1, ADA), (2, "")):
        stored = msgspec.msgpack.encode(
            LogEntry(
                version=version,
                at=now,
                user=user,
                did={"do": "act", "action": {}} if user else {"do": "lapse"},
                seat=0,
                hands=[[], []],
                digests=[NOTHING] * 3,
            )
        )
        await append_and_wait(store, Append(TABLE, head, stored))
        head = link(head, stored)
    yield store
    await store.close()


@pytest.mark.parametrize(
    ("version", "asked_after", "diverged"),
    [(1, 0.0, 0), (1, 10.0, 1), (2, 10.0, 0), (0, 0.0, 1)],
    ids=["has time", "had time", "holds it", "lacks what a player did"],
)
async def test_the_judge_gives_clients_time_only_for_what_the_house_adds(
    store: SqliteStore, version: int, asked_after: float, diverged: int
) -> None:
    now = monotonic()
    seen = FinalView(TABLE, ADA, 0, version, NOTHING, at=now + asked_after, held=[HeldVersion(version, True, now)])
    memory = Observations(acks=[Ack(TABLE, ADA, 1, "act", {}, now, now)], ends=[seen])
    judgement = await HistoryChecker(store, [memory], since=now, within=WITHIN).check()
    assert judgement.violations[DIVERGED] == diverged
