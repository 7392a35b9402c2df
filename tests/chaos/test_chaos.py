"""Short runs of `palatine chaos`; and its checker finds each kind of violation.

`make chaos` checks recovery times, because it has the machine for itself; here other tests run beside.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncIterator
from io import StringIO
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
import typer
from chaos import namespaces
from chaos.backends import SentinelBackend
from chaos.checker import BROKEN, DIVERGED, LOST, REFUSED, SEEN, TWICE, CheckResult, HistoryChecker
from chaos.clients import ClientProcesses
from chaos.injector import BETWEEN, FaultInjector
from chaos.namespaces import temporary_machines
from chaos.observations import NONE, Ack, FinalView, HeldVersion, Observations, UnknownOutcome
from chaos.plan import DEATHS, KINDS, Fault, create_plan, usual_kinds
from chaos.powercut import PowerCutDisk
from chaos.run import RunOptions, run
from chaos.verdict import OK, VIOLATED, VOID, FaultStats, LatencyStats, Verdict, print_table
from rich.console import Console
from store.contract import A_SUMMARY, key_of
from store.redis_servers import Sentinelled
from typer.testing import CliRunner

from palatine_protocol import digest
from palatine_server.cli.commands import chaos as chaos_command
from palatine_server.store import Append, Store, append_and_wait
from palatine_server.store.hash_chain import link, origin
from palatine_server.store.sqlite import SqliteStore
from palatine_server.tables.model import LogEntry, TableSnapshot

PARTITIONS = ["cut off", "half cut off"]
QUICK: dict[str, Any] = {"tables": 4, "pace": 0.05, "gap": 0.3, "processes": 1}


def nothing_is_lost(verdict: Verdict) -> bool:
    """Check all guarantees except those about seconds."""
    assert not verdict.judgement.examples, verdict.judgement.examples
    assert verdict.equal_after is not None
    assert verdict.broken == 0, verdict.said
    assert not verdict.stuck
    return verdict.judgement.acks >= BETWEEN * sum(fault.times for fault in verdict.faults.values())


# Runs


async def test_two_nodes_on_one_redis_lose_nothing_whatever_happens() -> None:
    kinds = usual_kinds("redis")
    verdict = await run(RunOptions(kills=len(kinds), seed=8, **QUICK))  # each kind comes once
    assert nothing_is_lost(verdict)
    assert verdict.faults.keys() == {*kinds}
    assert verdict.reached["duplicate reply"] > 10
    assert verdict.reached["resume by tail"] > 0


async def test_nodes_that_are_upgraded_one_after_the_other_lose_nothing() -> None:
    options = RunOptions(faults=["upgrade"], kills=1, seed=3, **QUICK)
    assert options.plan()[0].length < 0.5  # with a new format
    verdict = await run(options)
    assert nothing_is_lost(verdict)
    assert verdict.faults["upgrade"].times == 1


async def test_one_node_with_its_file_loses_nothing_when_the_power_is_cut() -> None:
    verdict = await run(RunOptions(store="sqlite", faults=["power"], kills=3, **QUICK))
    assert nothing_is_lost(verdict)
    assert verdict.faults["power"].times == 3


async def test_one_node_with_its_file_loses_nothing_when_the_disk_is_full() -> None:
    verdict = await run(RunOptions(store="sqlite", faults=["disk"], kills=3, **QUICK))
    assert nothing_is_lost(verdict)
    assert verdict.faults["disk"].times == 3
    assert any("the disk is full" in line for line in verdict.said)
    assert any("the disk stores again" in line for line in verdict.said)


@pytest.mark.parametrize(("way", "seed"), [("kill", 1), ("cut off", 4), ("half cut off", 6)])
async def test_a_replica_takes_over_and_nothing_is_lost(way: str, seed: int) -> None:
    if way in PARTITIONS:
        require_machines()
    verdict = await run(RunOptions(store="sentinel", faults=["failover"], kills=1, seed=seed, **QUICK))
    assert nothing_is_lost(verdict)
    assert {name: fault.times for name, fault in verdict.faults.items()} == {f"failover: {way}": 1}


@pytest.mark.parametrize("store", ["redis", "sqlite"])
async def test_a_store_that_goes_back_makes_nobody_diverge(store: str) -> None:
    verdict = await run(RunOptions(store=store, faults=["rollback"], kills=2, **QUICK))
    assert nothing_is_lost(verdict)
    assert verdict.faults["rollback"].times == 2
    assert verdict.judgement.lost > 0
    assert verdict.reached.get("tables that went back", 1) > 0


def require_machines() -> None:
    with temporary_machines(1) as created:
        if not created:
            pytest.skip("network namespaces cannot be created here")


async def test_a_redis_that_syncs_too_rarely_is_found_out() -> None:
    verdict = await run(RunOptions(faults=["power"], kills=3, careless=True, patience=5.0, **QUICK))
    assert verdict.judgement.violations[LOST] > 0
    assert verdict.code == VIOLATED


# The plan


def test_one_seed_makes_one_plan() -> None:
    kinds = [*KINDS]
    assert create_plan(7, kinds, 50, 1.0) == create_plan(7, kinds, 50, 1.0) != create_plan(8, kinds, 50, 1.0)
    assert {fault.kind for fault in create_plan(7, kinds, len(kinds), 1.0)} == {*kinds}


# The injector


class ProgressingClients(ClientProcesses):
    """Clients that have always made enough progress."""

    looks = 0

    @property
    def acks(self) -> int:
        self.looks += 1
        return BETWEEN * self.looks


@pytest.fixture
def injector(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FaultInjector:
    """Return an injector for servers that do not run, where no namespaces can be created."""
    monkeypatch.setattr(namespaces, "can_create_machines", lambda: False)
    monkeypatch.setattr(Sentinelled, "primary", property(lambda servers: servers.servers[0]))
    return FaultInjector(SentinelBackend(tmp_path), [], ProgressingClients([]), 1, 1.0)


@pytest.mark.parametrize("way", DEATHS)
async def test_the_injector_notes_what_cannot_be_made(injector: FaultInjector, way: str) -> None:
    await injector.inject(Fault("failover", 0.0, 0, 0.0, way))
    assert injector.unmade == [way] * (way in PARTITIONS)
    assert [name for name, _ in injector.done] == [f"failover: {'stop' if injector.unmade else way}"]


# The checker

ADA, TABLE = "ada", "T"
NOTHING = digest.of_viewer(digest.of_board(None), None)
ACTS = [Ack(TABLE, ADA, version, "act", {"tile": version}, 0.0, 0.0) for version in (1, 2, 3)]
SEEN_BY_ADA = FinalView(TABLE, ADA, 0, 3, NOTHING)


def entry(version: int) -> bytes:
    did = {"do": "act", "action": {"tile": version}}
    return msgspec.msgpack.encode(
        LogEntry(version=version, at=0, user=ADA, did=did, seat=0, hands=[[]], digests=[NOTHING, NOTHING])
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[SqliteStore]:
    """Yield a store with a log of three actions of Ada."""
    store = await SqliteStore.open(tmp_path)
    page = TableSnapshot(version=0, info={}, board=None, hands=[None], hidden={})
    await store.create(TABLE, msgspec.msgpack.encode(page), A_SUMMARY, key_of("create"))
    head = origin(TABLE)
    for version in (1, 2, 3):
        await append_and_wait(store, Append(TABLE, head, entry(version)))
        head = link(head, entry(version))
    yield store
    await store.close()


async def find_violations(store: Store, acks: list[Ack], *ends: FinalView, **more: Any) -> dict[str, int]:
    """Return the violations that the checker finds."""
    judgement = await HistoryChecker(store, [Observations(acks=acks, ends=[*ends], **more)]).check()
    return {kind: count for kind, count in judgement.violations.items() if count}


async def test_the_checker_has_nothing_to_say_against_what_is_right(store: SqliteStore) -> None:
    assert await find_violations(store, ACTS, SEEN_BY_ADA) == {}


async def test_the_checker_misses_what_was_acknowledged(store: SqliteStore) -> None:
    gone = Ack(TABLE, ADA, 4, "act", {"tile": 4}, 0.0, 0.0)
    assert await find_violations(store, [*ACTS, gone], SEEN_BY_ADA) == {LOST: 1}
    other = Ack(TABLE, ADA, 3, "act", {"tile": 9}, 0.0, 0.0)
    assert await find_violations(store, [*ACTS[:2], other], SEEN_BY_ADA) == {LOST: 1}
    nowhere = Ack("U", ADA, 1, "sit", None, 0.0, 0.0)
    assert await find_violations(store, [*ACTS, nowhere], SEEN_BY_ADA) == {LOST: 1, BROKEN: 1}


async def test_the_checker_sees_what_nobody_acknowledged(store: SqliteStore) -> None:
    assert await find_violations(store, ACTS[:2], SEEN_BY_ADA) == {TWICE: 1}
    assert (
        await find_violations(store, ACTS[:2], SEEN_BY_ADA, maybe=[UnknownOutcome(TABLE, ADA, "act", {"tile": 3})])
        == {}
    )
    assert await find_violations(
        store, ACTS[:2], SEEN_BY_ADA, refused=[UnknownOutcome(TABLE, ADA, "act", {"tile": 3})]
    ) == {REFUSED: 1}


async def test_the_checker_sees_who_holds_something_else(store: SqliteStore) -> None:
    behind, wrong = FinalView(TABLE, ADA, 0, 2, NOTHING), FinalView(TABLE, ADA, 0, 3, NOTHING + 1)
    assert await find_violations(store, ACTS, SEEN_BY_ADA, behind, wrong) == {DIVERGED: 2}


async def test_the_checker_sees_who_holds_another_info(store: SqliteStore) -> None:
    same, other = (FinalView(TABLE, ADA, 0, 3, NOTHING, digest.of_board(info)) for info in ({}, {"paused": True}))
    assert await find_violations(store, ACTS, same, other) == {DIVERGED: 1}


async def test_the_checker_counts_what_a_fault_may_lose_and_lets_versions_come_again(store: SqliteStore) -> None:
    lost = Ack(TABLE, ADA, 3, "act", {"tile": 9}, 0.0, 0.0)
    observed = Observations(acks=[*ACTS, lost, Ack(TABLE, ADA, 4, "act", {}, 0.0, 0.0)], ends=[SEEN_BY_ADA])
    checker = HistoryChecker(store, [observed], may_lose=True)
    checker._play_again = lambda *given: None  # type: ignore[method-assign] (there is no game at this table)
    judgement = await checker.check()
    assert judgement.lost == 2
    assert not any(judgement.violations.values())


async def test_a_table_that_the_store_lost_is_one_that_its_clients_were_told_to_leave(store: SqliteStore) -> None:
    acks = [Ack("U", ADA, 1, "sit", None, 0.0, 0.0)]
    told, untold = (
        FinalView("U", ADA, 0, version, NOTHING, held=[HeldVersion(version, True, 9.0)]) for version in (NONE, 1)
    )
    judgements = [
        await HistoryChecker(store, [Observations(acks=acks, ends=[end])], may_lose=True, since=8.0).check()
        for end in (told, untold)
    ]
    assert [judgement.violations[BROKEN] for judgement in judgements] == [0, 1]
    assert [judgement.lost for judgement in judgements] == [1, 0]
    assert judgements[0].delay == 1.0
    still_there = FinalView(TABLE, ADA, 0, NONE, NOTHING)
    assert await find_violations(store, ACTS, SEEN_BY_ADA, still_there) == {DIVERGED: 1}


async def test_the_checker_repeats_what_a_client_complained_of(store: SqliteStore) -> None:
    assert await find_violations(store, ACTS, SEEN_BY_ADA, problems=["a gap"]) == {SEEN: 1}


# The verdict

FINE = Verdict(
    store="redis",
    nodes=2,
    seed=1,
    seconds=1.0,
    load=0.0,
    faults={"node": FaultStats(1, 0.1)},
    clients=3,
    refused=0,
    judgement=CheckResult(acks=1, violations={LOST: 0}),
    equal_after=0.1,
    within=2.0,
    reached={"duplicate reply": 1},
    unmade=[],
    stuck=False,
    broken=0,
    said=[],
    times=LatencyStats(0.0, 0.0, 0.0, 0.0),
)


@pytest.mark.parametrize(
    ("other", "code"),
    [
        ({}, OK),
        ({"judgement": CheckResult(acks=1, violations={LOST: 1})}, VIOLATED),
        ({"equal_after": 2.1}, VIOLATED),
        ({"equal_after": None}, VIOLATED),
        ({"broken": 1}, VIOLATED),
        ({"stuck": True}, VIOLATED),
        ({"reached": {"duplicate reply": 0}}, VOID),
        ({"faults": {}}, VOID),
        ({"unmade": ["cut off"]}, VOID),
        ({"unmade": ["cut off"], "stuck": True}, VIOLATED),
    ],
)
def test_the_verdict_is_fine_only_if_everything_is(other: dict[str, Any], code: int) -> None:
    verdict = msgspec.structs.replace(FINE, **other)
    assert verdict.code == code
    out = StringIO()
    print_table(Console(file=out, width=100), verdict)
    assert out.getvalue().count(("held", "violated", "void")[code]) == 1


def test_a_void_verdict_says_what_is_missing() -> None:
    other = {"reached": {"duplicate reply": 0}, "faults": {}, "unmade": ["half cut off", "cut off", "cut off"]}
    verdict = msgspec.structs.replace(FINE, judgement=CheckResult(acks=0, violations={}), **other)
    assert FINE.missing == []
    assert verdict.missing == [
        "never happened: duplicate reply; use a longer run",
        "no fault was injected; use a longer run",
        "no request was acknowledged",
        "without network namespaces, which need root, no primary could be cut off or half cut off",
    ]
    out = StringIO()
    print_table(Console(file=out, width=100), verdict)
    assert all(sentence in out.getvalue() for sentence in verdict.missing)


# The power cut

WRITER = """
import os, sys
file = os.open(sys.argv[1], os.O_RDWR | os.O_CREAT)
os.write(file, b"synced")
os.fsync(file)
os.pwrite(file, b"OVER", 0)
os.write(file, b", and not")
if sys.argv[2] == "sync":
    os.fdatasync(file)
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize(("how", "left"), [("sync", [b"OVERed, and not"]), ("no", [b"synced", b"OVERed"])])
def test_a_power_cut_takes_what_was_not_synced(tmp_path: Path, how: str, left: list[bytes]) -> None:
    (tmp_path / "disk").mkdir()
    disk, file = PowerCutDisk(tmp_path / "disk"), tmp_path / "disk" / "file"
    subprocess.run([sys.executable, "-c", WRITER, file, how], env={**os.environ, **disk.environment}, check=False)
    assert file.read_bytes() == b"OVERed, and not"
    disk.cut(Random(1))
    assert any(file.read_bytes().startswith(words) for words in left)
    assert (disk.undone > 0) == (how == "no")


# The command


def test_the_command_is_there_in_a_checkout_and_knows_its_faults() -> None:
    app = typer.Typer()
    app.command("other")(lambda: None)
    chaos_command.add_to(app)
    shown = CliRunner().invoke(app, ["chaos", "--help"])
    assert shown.exit_code == 0
    refused = CliRunner().invoke(app, ["chaos", "--store", "sqlite", "--faults", "redis"])
    assert refused.exit_code == 2
    assert "no fault 'redis' with sqlite" in refused.output


def test_the_command_is_missing_where_the_tests_are_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(chaos_command, "TESTS", tmp_path)
    app = typer.Typer()
    chaos_command.add_to(app)
    assert app.registered_commands == []
