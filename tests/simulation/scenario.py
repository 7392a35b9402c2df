"""One rehearsal: a seed decides who takes part, what goes wrong and when, and at the end everything must be well."""

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
from .checker import LATEST, Finding, Referee
from .fake_socket import Link
from .fault_plan import Weather
from .game import PEBBLES
from .memory_store import Log
from .node import Node
from .oracle import as_json, ends
from .player import Player
from .store_proxy import Depot
from .trace import Trace
from .versions import NEXT_FORMAT, THIS, several_versions
from .virtual_loop import BEGIN, Stuck, VirtualLoop, process, run

PLAY, QUIET = 8.0, 7.0  # seconds with faults, and then without
SETTLED = 2.0  # seconds after which everybody must know what is in the log
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


class Report(Struct, frozen=True, kw_only=True):
    """How a rehearsal went."""

    seed: int
    finding: Finding | None
    trace: Trace
    weather: Weather
    entries: int
    reached: Counter[str]


class Scene:
    """Everything that takes part in one rehearsal."""

    def __init__(self, loop: VirtualLoop, seed: int) -> None:
        self.loop, self.seed = loop, seed
        self.trace = Trace(loop.time)
        self.network, self.fate, self.disk = self._random("network"), self._random("fate"), self._random("disk")
        self.weather = fault_plan.weather_of(seed, self._random("weather"), self._random("clock jumps"))
        self.original_weather = replace(self.weather)
        self.shelf: dict[str, Game] = {**GAMES, PEBBLES.name: PEBBLES}
        self.settings = Settings(**USUAL, **GENEROUS, connections_per_user=0, **self.weather.settings)
        self.token_signer = TokenSigner("secret", loop.time)
        self.depot = Depot(loop, self.weather, self._random("store"), self.trace)
        if self.weather.has_damaged_table:
            self.depot.memory.logs[DAMAGED_TABLE] = Log(DAMAGED_TABLE, b"", DAMAGED_SUMMARY)
            self.depot.damaged.add(DAMAGED_TABLE)
        self.links: list[Link] = []
        self.referee = Referee(self)
        self.table = ""
        self.seed_of_game = f"{self.fate.getrandbits(256):064x}"
        self.curtain, self.is_curtain_down = BEGIN + PLAY, False
        skews = [self.fate.randint(-self.weather.skew, self.weather.skew) for _ in range(self.weather.nodes)]
        self.nodes = [Node(self, f"node-{number}", skew) for number, skew in enumerate(skews)]
        self.players = [self._player(number) for number in range(self.weather.seats + self.weather.spectators)]

    def _random(self, what: str) -> Random:
        return Random(f"{self.seed} {what}")

    def _player(self, number: int) -> Player:
        user, sits = f"player-{number}", number < self.weather.seats
        return Player(self, user, self._random(user), is_host=number == 0, sits=sits)

    def found(self, loop: Any, context: dict[str, Any]) -> None:
        """Nothing may fail without being caught."""
        self.referee.found("exception", repr(context.get("exception") or context["message"]))

    # The play

    async def play(self) -> Finding | None:
        """Until the first finding, or the end."""
        self.loop.set_exception_handler(self.found)
        self._plan()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._to_the_end)
            finding = await self.referee.finding
            tasks.cancel_scope.cancel()
        for node in self.nodes:
            await node.stop()
        return finding if finding.law else None

    async def _to_the_end(self) -> None:
        await anyio.sleep(PLAY)
        self._heal()
        await anyio.sleep(QUIET)
        self._check_the_end()
        self.referee.found("", "the end")

    def _plan(self) -> None:
        troubles: list[tuple[int, Callable[[], None]]] = [
            (self.weather.kills, self._kill),
            (self.weather.pauses, self._pause),
            (self.weather.partitions, self._partition),
            (self.weather.failovers, self._fail_over),
            (self.weather.drains, self._drain),
            (self.weather.stalls, self._stall),
            (self.weather.rollbacks, self._go_back),
        ]
        for number, trouble in troubles:
            for _ in range(number):
                self._at(self.fate.uniform(0.2, PLAY), trouble)
        for _ in range(self.weather.full_disks):
            self._at(self.disk.uniform(0.2, PLAY), self._fill_disk)
        for number in range(len(self.nodes) if self.weather.upgrade else 0):
            self._at(self.fate.uniform(0.5, 2.5) if number else self.fate.uniform(4, PLAY), self._upgrade, number)
        if self.weather.all_gone:
            for player in self.players:
                self._at(PLAY - self.fate.uniform(0, 2), player.go_away)
                self._at(PLAY + 4.2, player.come_back)

    def _at(self, seconds: float, call: Callable[..., Any], *given: Any) -> None:
        self.loop.call_later(seconds, call, *given, context=process("fate"))

    def _kill(self) -> None:
        number = self.fate.randrange(len(self.nodes))
        if not self.is_curtain_down and not self.nodes[number].is_dead:
            self.nodes[number].kill()
            self._at(self.fate.uniform(0.05, 1.5), self._start_again, number)

    def _drain(self) -> None:
        node = self.fate.choice(self.nodes)
        if not node.is_dead and not node.is_paused:
            self.loop.call_soon(node.drain, context=node.context)
            self._at(0.5, self._kill)

    def _fail_over(self) -> None:
        if self.fate.random() < 0.5:
            self.depot.fails_at_next_entry = True
        else:
            self.depot.fail_over(self.fate.uniform(0.05, 0.6))

    def _go_back(self) -> None:
        """The store loses the last entries of the game; sometimes no node lives that remembers them."""
        truth, most = self.referee.truths.get(self.table), self.fate.choice((1, 1, 1, 2, 3, 6))
        versions = range(truth.head - most, truth.head) if truth else ()
        begun = [one for one in versions if one >= 0 and truth and truth.page(one).info["status"] != "open"]
        if self.is_curtain_down or not begun:
            return
        version = begun[0]
        self.depot.go_back({self.table: version})
        self.referee.go_back(self.table, version)
        if self.fate.random() < 0.3:
            self.trace.reach("rollback: all nodes restart")
            for number, node in enumerate(self.nodes):
                if not node.is_dead:
                    node.kill()
                self._at(self.fate.uniform(0.05, 0.5), self._start_again, number)

    def _fill_disk(self) -> None:
        if not self.is_curtain_down:
            self.depot.is_full = True
            self.trace.note("store", "the disk is full")
            self._at(self.disk.uniform(0.1, 2), self._make_room)

    def _make_room(self) -> None:
        self.depot.is_full = False
        self.trace.note("store", "the disk has room")

    def _start_again(self, number: int) -> None:
        old = self.nodes[number]
        if old.is_dead:
            name = f"{old.name.split('.')[0]}.{len(self.links)}"
            self.nodes[number] = Node(self, name, old.skew, old.version)

    def _upgrade(self, number: int) -> None:
        """Replace a node with one of the later version."""
        old = self.nodes[number]
        if old.version == THIS:
            if not old.is_dead:
                old.kill()
            old.version = self.weather.upgrade
            self.trace.reach(f"upgrade: {old.version}")
            self._at(self.fate.uniform(0.05, 0.5), self._start_again, number)

    def _pause(self) -> None:
        node = self.fate.choice(self.nodes)
        if not node.is_dead and not self.is_curtain_down:
            node.pause()
            self._at(self.fate.uniform(0.05, 2.5), node.resume)

    def _partition(self) -> None:
        line = self.fate.choice(self.nodes).line
        line.is_cut = True
        self._at(self.fate.uniform(0.1, 2), setattr, line, "is_cut", False)

    def _stall(self) -> None:
        open_links = [link for link in self.links if not link.is_cut]
        if open_links and not self.is_curtain_down:
            link = self.fate.choice(open_links)
            self.trace.note(link.name, "stalls")
            link.stall(self.fate.uniform(0.3, 3))

    def _heal(self) -> None:
        """From now on nothing goes wrong, and nobody does anything new."""
        self.is_curtain_down = True
        self.trace.note("fate", "the curtain is down")
        for name, value in CALM.items():
            setattr(self.weather, name, value)
        self.depot.fails_at_next_entry = False
        self._make_room()
        for number, node in enumerate(self.nodes):
            node.resume()
            node.line.is_cut = False
            if self.weather.upgrade == NEXT_FORMAT:  # an upgrade comes to its end
                self._upgrade(number)
            self._start_again(number)

    # The end

    def _check_the_end(self) -> None:
        for name, truth in self.referee.truths.items():
            page, now = truth.page(truth.head), self.loop.time()
            late = [until for until in ends(page) if until and until / 1000 - self.depot.shift + LATEST < now]
            self.referee.must(not late, "overdue", f"{name}: {late} at {now * 1000:.0f}")
            if truth.book(truth.head).bots_to_move():
                self.referee.must(now - truth.times[-1] < LATEST, "idle_bot", f"{name} waits for a bot")
        for player in self.players:
            self._check_player(player)
        for node in self.nodes:
            self._check_node(node)

    def _check_player(self, player: Player) -> None:
        must, who = self.referee.must, player.user
        must(player.session.state is State.WELCOMED, "connected", f"{who} found no way back")
        must(not player.pending, "answered", f"{who} still waits for {list(player.pending.values())}")
        view, truth = player.view, self.referee.truths.get(self.table)
        if not view or not truth:
            return
        settled = truth.head_at(self.loop.time() - SETTLED)
        must(view.version is not None and view.version >= settled, "behind", f"{who}: {view.version}, not {settled}")
        if view.version is not None and view.version <= truth.head and not self.referee.finding.done():
            self._check_view(player, view, truth)

    def _check_view(self, player: Player, view: View, truth: Any) -> None:
        version = view.version
        page, seat, book = truth.page(version), truth.seat_of(player.user, version), truth.book(version)
        told = (view.seat, view.info, view.board, view.hand)
        true = (seat, page.info, page.board, None if seat is None else page.hands[seat])
        self.referee.must(as_json(told) == as_json(true), "equal", f"{player.user} holds another {version}")
        if version != truth.head:  # what is to be decided is told for the newest entry only
            return
        self.referee.must(as_json(view.waiting) == as_json(build_waiting(book)), "waiting", player.user)
        self.referee.must(
            as_json(view.offer) == as_json(build_offer(book, Perspective(seat, seat is not None))),
            "offered",
            player.user,
        )

    def _check_node(self, node: Node) -> None:
        """Nobody is remembered who is gone."""
        if node.hall:
            viewers = [viewer for open_table in node.hall.tables.values() for viewer in open_table.broadcaster.viewers]
            here = set(node.connections)
            gone = sum(viewer not in here for viewer in viewers)
            self.referee.must(not gone, "leak", f"{node.name} tells {gone} who are gone")


# What is not virtual by itself


class Ears(logging.Handler):
    """Hears what the server complains of."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.scene: Scene | None = None

    def emit(self, record: logging.LogRecord) -> None:
        if self.scene and getattr(record, "table", None) != DAMAGED_TABLE:
            error = record.exc_info[1] if record.exc_info else ""
            self.scene.referee.found("broke", f"{record.getMessage()}: {error!r}")


@contextmanager
def stage() -> Iterator[Ears]:
    """Ids from the seed, thoughts on the virtual clock, complaints to the referee."""
    ears, ids = Ears(), Random(0)

    async def think(policy: Any, *given: Any) -> Any:
        await anyio.sleep(0.02)
        return policy(*given)

    logger = logging.getLogger("palatine")
    with ExitStack() as stack:
        stack.enter_context(patch.object(directory, "make_id", lambda: f"{ids.getrandbits(64):016x}"))
        stack.enter_context(patch.object(to_thread, "run_sync", think))
        stack.enter_context(patch.object(local, "AFTER", 500))  # a rehearsal has no time to wait for those who left
        stack.enter_context(patch.object(logger, "propagate", False))
        stack.enter_context(several_versions())
        logger.addHandler(ears)
        stack.callback(logger.removeHandler, ears)
        yield ears


def rehearse(seed: int) -> Report:
    """One rehearsal from its seed."""
    scenes: list[Scene] = []

    async def main(loop: VirtualLoop) -> Finding | None:
        scenes.append(Scene(loop, seed))
        ears.scene = scenes[0]
        return await scenes[0].play()

    with stage() as ears:
        try:
            finding = run(main, Random(f"{seed} turns"))
        except Stuck as stuck:
            finding = Finding("stuck", str(stuck))
    scene = scenes[0]
    entries = sum(truth.head for truth in scene.referee.truths.values())
    return Report(
        seed=seed,
        finding=finding,
        trace=scene.trace,
        weather=scene.original_weather,
        entries=entries,
        reached=scene.trace.reached,
    )
