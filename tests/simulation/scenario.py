"""A scenario: the participants and faults of one seed, run to the end and then checked."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from random import Random
from typing import Any
from unittest.mock import patch

import anyio
from anyio import to_thread
from msgspec import Struct
from msgspec.structs import replace

from palatine_client.session import State
from palatine_client.view import View
from palatine_server.games.kit import Game
from palatine_server.games.registry import GAMES
from palatine_server.gateway.tokens import TokenSigner
from palatine_server.settings import Settings
from palatine_server.store import Summary
from palatine_server.tables import directory
from palatine_server.tables.presence import local
from palatine_server.tables.viewers.updates import Perspective, build_offer, build_waiting

from . import fault_plan
from .checker import LATEST, Finding, InvariantChecker
from .fake_socket import FakeSocket
from .fault_plan import FaultPlan
from .game import PEBBLES
from .memory_store import TableLog
from .node import SimulatedNode
from .oracle import as_json, ends
from .player import SimulatedPlayer
from .store_proxy import SharedStore
from .trace import Trace
from .versions import NEXT_FORMAT, THIS, mixed_versions
from .virtual_loop import BEGIN, LoopStuck, VirtualLoop, process_context, run

PLAY, QUIET = 8.0, 7.0  # seconds with faults, and then without
SETTLED = 2.0  # seconds after which every client must hold a durable entry
CALM: dict[str, Any] = dict.fromkeys(
    ("cuts", "unheard", "unanswered", "twice", "lost_hints", "doubled_hints", "false_hints"), 0
)
USUAL: dict[str, Any] = {"heartbeat": 2, "hello_within": 2.0, "write_stall": 1.0, "allow_seeds": True}
GENEROUS: dict[str, Any] = dict.fromkeys(("burst", "rate", "joins_per_minute"), 1000000)


DAMAGED_TABLE = "damaged"
DAMAGED_SUMMARY = Summary(
    game=PEBBLES.name,
    status="playing",
    visibility="private",
    host="nobody",
    host_name="Nobody",
    created=0,
    users=[],
    names=[],
    deadline=0,
)


class SimulationReport(Struct, frozen=True, kw_only=True):
    """The report of a simulation."""

    seed: int
    finding: Finding | None
    trace: Trace
    plan: FaultPlan
    entries: int
    reached: Counter[str]


class Scenario:
    """The participants and the state of one simulation."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self.loop, self.seed = loop, seed
        self.trace = Trace(loop.time)
        self.network_rng, self.fault_rng, self.disk_rng = (
            self._random("network"),
            self._random("fate"),
            self._random("disk"),
        )
        self.plan = fault_plan.create_fault_plan(seed, self._random("weather"), self._random("clock jumps"))
        self.original_plan = replace(self.plan)
        self.games: dict[str, Game] = {**GAMES, PEBBLES.name: PEBBLES}
        self.settings = Settings(**USUAL, **GENEROUS, connections_per_user=0, **self.plan.settings)
        self.token_signer = TokenSigner("secret", loop.time)
        self.store = SharedStore(loop, self.plan, self._random("store"), self.trace)
        if self.plan.has_damaged_table:
            self.store.memory.logs[DAMAGED_TABLE] = TableLog(DAMAGED_TABLE, b"", DAMAGED_SUMMARY)
            self.store.damaged.add(DAMAGED_TABLE)
        self.sockets: list[FakeSocket] = []
        self.checker = InvariantChecker(self)
        self.table = ""
        self.seed_of_game = f"{self.fault_rng.getrandbits(256):064x}"
        self.faults_end, self.are_faults_over = BEGIN + PLAY, False
        skews = [self.fault_rng.randint(-self.plan.skew, self.plan.skew) for _ in range(self.plan.nodes)]
        self.nodes = [SimulatedNode(self, f"node-{number}", skew) for number, skew in enumerate(skews)]
        self.players = [self._player(number) for number in range(self.plan.seats + self.plan.spectators)]

    def _random(self, what: str) -> Random:
        return Random(f"{self.seed} {what}")

    def _player(self, number: int) -> SimulatedPlayer:
        user, sits = f"player-{number}", number < self.plan.seats
        return SimulatedPlayer(self, user, self._random(user), is_host=number == 0, sits=sits)

    def handle_exception(self, loop: Any, context: dict[str, Any]) -> None:
        """Report an exception that nothing caught."""
        self.checker.report("exception", repr(context.get("exception") or context["message"]))

    # Run

    async def play(self) -> Finding | None:
        """Run until the first finding or the end."""
        self.loop.set_exception_handler(self.handle_exception)
        self._schedule_faults()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._run_to_end)
            finding = await self.checker.finding
            tasks.cancel_scope.cancel()
        for node in self.nodes:
            await node.stop()
        return finding if finding.invariant else None

    async def _run_to_end(self) -> None:
        await anyio.sleep(PLAY)
        self._heal()
        await anyio.sleep(QUIET)
        self._check_end()
        self.checker.report("", "the end")

    def _schedule_faults(self) -> None:
        faults: list[tuple[int, Callable[[], None]]] = [
            (self.plan.kills, self._kill),
            (self.plan.pauses, self._pause),
            (self.plan.partitions, self._partition),
            (self.plan.failovers, self._fail_over),
            (self.plan.drains, self._drain),
            (self.plan.stalls, self._stall),
            (self.plan.rollbacks, self._roll_back),
        ]
        for number, fault in faults:
            for _ in range(number):
                self._at(self.fault_rng.uniform(0.2, PLAY), fault)
        for _ in range(self.plan.full_disks):
            self._at(self.disk_rng.uniform(0.2, PLAY), self._fill_disk)
        for number in range(len(self.nodes) if self.plan.upgrade else 0):
            self._at(
                self.fault_rng.uniform(0.5, 2.5) if number else self.fault_rng.uniform(4, PLAY), self._upgrade, number
            )
        if self.plan.all_gone:
            for player in self.players:
                self._at(PLAY - self.fault_rng.uniform(0, 2), player.go_away)
                self._at(PLAY + 4.2, player.come_back)

    def _at(self, seconds: float, call: Callable[..., Any], *given: Any) -> None:
        self.loop.call_later(seconds, call, *given, context=process_context("faults"))

    def _kill(self) -> None:
        number = self.fault_rng.randrange(len(self.nodes))
        if not self.are_faults_over and not self.nodes[number].is_dead:
            self.nodes[number].kill()
            self._at(self.fault_rng.uniform(0.05, 1.5), self._restart, number)

    def _drain(self) -> None:
        node = self.fault_rng.choice(self.nodes)
        if not node.is_dead and not node.is_paused:
            self.loop.call_soon(node.drain, context=node.context)
            self._at(0.5, self._kill)

    def _fail_over(self) -> None:
        if self.fault_rng.random() < 0.5:
            self.store.fails_at_next_entry = True
        else:
            self.store.fail_over(self.fault_rng.uniform(0.05, 0.6))

    def _roll_back(self) -> None:
        """Let the store lose the last entries of the game; sometimes restart all nodes, so that none remembers them."""
        oracle, most = self.checker.oracles.get(self.table), self.fault_rng.choice((1, 1, 1, 2, 3, 6))
        versions = range(oracle.head - most, oracle.head) if oracle else ()
        begun = [one for one in versions if one >= 0 and oracle and oracle.page(one).info["status"] != "open"]
        if self.are_faults_over or not begun:
            return
        version = begun[0]
        self.store.roll_back({self.table: version})
        self.checker.roll_back(self.table, version)
        if self.fault_rng.random() < 0.3:
            self.trace.reach("rollback: all nodes restart")
            for number, node in enumerate(self.nodes):
                if not node.is_dead:
                    node.kill()
                self._at(self.fault_rng.uniform(0.05, 0.5), self._restart, number)

    def _fill_disk(self) -> None:
        if not self.are_faults_over:
            self.store.is_full = True
            self.trace.note("store", "the disk is full")
            self._at(self.disk_rng.uniform(0.1, 2), self._make_room)

    def _make_room(self) -> None:
        self.store.is_full = False
        self.trace.note("store", "the disk has room")

    def _restart(self, number: int) -> None:
        old = self.nodes[number]
        if old.is_dead:
            name = f"{old.name.split('.')[0]}.{len(self.sockets)}"
            self.nodes[number] = SimulatedNode(self, name, old.skew, old.version)

    def _upgrade(self, number: int) -> None:
        """Replace a node with one of the later version."""
        old = self.nodes[number]
        if old.version == THIS:
            if not old.is_dead:
                old.kill()
            old.version = self.plan.upgrade
            self.trace.reach(f"upgrade: {old.version}")
            self._at(self.fault_rng.uniform(0.05, 0.5), self._restart, number)

    def _pause(self) -> None:
        node = self.fault_rng.choice(self.nodes)
        if not node.is_dead and not self.are_faults_over:
            node.pause()
            self._at(self.fault_rng.uniform(0.05, 2.5), node.resume)

    def _partition(self) -> None:
        proxy = self.fault_rng.choice(self.nodes).proxy
        proxy.is_cut = True
        self._at(self.fault_rng.uniform(0.1, 2), setattr, proxy, "is_cut", False)

    def _stall(self) -> None:
        open_sockets = [socket for socket in self.sockets if not socket.is_cut]
        if open_sockets and not self.are_faults_over:
            socket = self.fault_rng.choice(open_sockets)
            self.trace.note(socket.name, "stalls")
            socket.stall(self.fault_rng.uniform(0.3, 3))

    def _heal(self) -> None:
        """Stop all faults and all new requests."""
        self.are_faults_over = True
        self.trace.note("faults", "no more faults")
        for name, value in CALM.items():
            setattr(self.plan, name, value)
        self.store.fails_at_next_entry = False
        self._make_room()
        for number, node in enumerate(self.nodes):
            node.resume()
            node.proxy.is_cut = False
            if self.plan.upgrade == NEXT_FORMAT:  # complete the upgrade
                self._upgrade(number)
            self._restart(number)

    # Checks at the end

    def _check_end(self) -> None:
        for name, oracle in self.checker.oracles.items():
            page, now = oracle.page(oracle.head), self.loop.time()
            late = [until for until in ends(page) if until and until / 1000 - self.store.shift + LATEST < now]
            self.checker.require(not late, "overdue", f"{name}: {late} at {now * 1000:.0f}")
            if oracle.book(oracle.head).bots_to_move():
                self.checker.require(now - oracle.times[-1] < LATEST, "idle_bot", f"{name} waits for a bot")
        for player in self.players:
            self._check_player(player)
        for node in self.nodes:
            self._check_node(node)

    def _check_player(self, player: SimulatedPlayer) -> None:
        require, who = self.checker.require, player.user
        require(player.session.state is State.WELCOMED, "connected", f"{who} found no way back")
        require(not player.pending, "answered", f"{who} still waits for {list(player.pending.values())}")
        view, oracle = player.view, self.checker.oracles.get(self.table)
        if not view or not oracle:
            return
        settled = oracle.head_at(self.loop.time() - SETTLED)
        require(view.version is not None and view.version >= settled, "behind", f"{who}: {view.version}, not {settled}")
        if view.version is not None and view.version <= oracle.head and not self.checker.finding.done():
            self._check_view(player, view, oracle)

    def _check_view(self, player: SimulatedPlayer, view: View, oracle: Any) -> None:
        version = view.version
        page, seat, book = oracle.page(version), oracle.seat_of(player.user, version), oracle.book(version)
        told = (view.seat, view.info, view.board, view.hand)
        true = (seat, page.info, page.board, None if seat is None else page.hands[seat])
        self.checker.require(as_json(told) == as_json(true), "equal", f"{player.user} holds another {version}")
        if version != oracle.head:  # offers are sent with the newest entry only
            return
        self.checker.require(as_json(view.waiting) == as_json(build_waiting(book)), "waiting", player.user)
        self.checker.require(
            as_json(view.offer) == as_json(build_offer(book, Perspective(seat, seat is not None))),
            "offered",
            player.user,
        )

    def _check_node(self, node: SimulatedNode) -> None:
        """Check that the node has forgotten all closed connections."""
        if node.hall:
            viewers = [viewer for open_table in node.hall.tables.values() for viewer in open_table.broadcaster.viewers]
            here = set(node.connections)
            gone = sum(viewer not in here for viewer in viewers)
            self.checker.require(not gone, "leak", f"{node.name} tells {gone} who are gone")


# Patches: everything that is not deterministic by itself


class ErrorHandler(logging.Handler):
    """Reports errors that the server logs."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.scenario: Scenario | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self.scenario and getattr(record, "table", None) != DAMAGED_TABLE:
            error = record.exc_info[1] if record.exc_info else ""
            self.scenario.checker.report("broke", f"{record.getMessage()}: {error!r}")


@contextmanager
def patched_environment() -> Iterator[ErrorHandler]:
    """Patch ids, threads and logging, so that a simulation depends on its seed alone."""
    handler, ids = ErrorHandler(), Random(0)

    async def think(policy: Any, *given: Any) -> Any:
        await anyio.sleep(0.02)
        return policy(*given)

    logger = logging.getLogger("palatine")
    with ExitStack() as stack:
        stack.enter_context(patch.object(directory, "make_id", lambda: f"{ids.getrandbits(64):016x}"))
        stack.enter_context(patch.object(to_thread, "run_sync", think))
        stack.enter_context(patch.object(local, "AFTER", 500))  # a simulation is too short for the real delay
        stack.enter_context(patch.object(logger, "propagate", False))
        stack.enter_context(mixed_versions())
        logger.addHandler(handler)
        stack.callback(logger.removeHandler, handler)
        yield handler


def simulate(seed: int) -> SimulationReport:
    """Simulate a seed."""
    scenarios: list[Scenario] = []

    async def main(loop: VirtualLoop) -> Finding | None:
        scenarios.append(Scenario(loop, seed))
        handler.scenario = scenarios[0]
        return await scenarios[0].play()

    with patched_environment() as handler:
        try:
            finding = run(main, Random(f"{seed} turns"))
        except LoopStuck as stuck:
            finding = Finding("stuck", str(stuck))
    scenario = scenarios[0]
    entries = sum(oracle.head for oracle in scenario.checker.oracles.values())
    return SimulationReport(
        seed=seed,
        finding=finding,
        trace=scenario.trace,
        plan=scenario.original_plan,
        entries=entries,
        reached=scenario.trace.reached,
    )
