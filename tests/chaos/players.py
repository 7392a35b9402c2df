"""Players who play game after game through all faults, and record what they observed.

A player uses the client library, which checks every version and every digest; the player records each problem that it
finds. Sometimes it sends copies of a request over extra connections, which must all get the same reply.
"""

from __future__ import annotations

import asyncio
from asyncio import Task
from collections import Counter, defaultdict, deque
from collections.abc import Coroutine
from contextlib import suppress
from random import Random
from time import monotonic
from typing import Any, TypeVar

from chaos.balancer import LoadBalancer
from chaos.observations import (
    DUPLICATE,
    NONE,
    SNAPSHOT,
    TAIL,
    Ack,
    FinalView,
    HeldVersion,
    Observations,
    UnknownOutcome,
)
from server_fixture import MSGPACK, Peer
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from palatine_client import Client, Table
from palatine_client.events import Event, Problem, ProblemKind, TableChanged, TableLost, Welcomed
from palatine_client.exceptions import ActionRefused, Disconnected, RequestRefused, UnexpectedReply
from palatine_client.session import AFTER_RECONNECTING, RETRY_LATER, State
from palatine_protocol import digest
from palatine_protocol.messages import Act, AnyReply, AnyRequest, Clock, Contribute, Done, Refused, Sit, Start
from palatine_protocol.offers import drawn

GAME = "between_two_castles"  # all players choose at once, and neighbours build together
ECHOED = 0.1  # share of the actions that are sent more than once
MOST_ECHOES = 3
MOST_HELD = 64  # held versions that a client records for each table
ECHO_WITHIN = 15.0  # seconds; a node may be paused for ten
LOST = (ConnectionClosed, InvalidHandshake, OSError, TimeoutError, EOFError, AssertionError)
Change = Sit | Contribute | Start | Act
LOG_NAMES = {Sit: "sit", Contribute: "entropy_added", Start: "start", Act: "act"}  # names in the log
T = TypeVar("T")


class PlayStopped(Exception):  # noqa: N818 (the normal end of every run)
    """The run has ended: send no new requests."""


class ObservationLog:
    """What the players of this process observed."""

    def __init__(self) -> None:
        self.observed = Observations()
        self.reached: Counter[str] = Counter()
        self.refused = 0
        self.replied_at = monotonic()  # when the last reply came

    def problem(self, sentence: str) -> None:
        self.observed.problems.append(sentence)


class ChaosPlayer(Client):
    """A client that records acknowledgements and counts how it resumed."""

    def __init__(
        self, balancer: LoadBalancer, name: str, user: str, token: str, notes: ObservationLog, *, may_lose: bool = False
    ) -> None:
        self.may_lose = may_lose  # acknowledged entries may be lost
        super().__init__(balancer.url, token, patience=None, client="chaos", random=Random(name))
        self.name, self.user, self.token, self.notes, self.rng = name, user, token, notes, Random(name)
        self.has_stopped = False
        self.count = 0
        self.waiting: list[AnyRequest] = []  # requests without a reply
        self.checks: set[Task[Any]] = set()
        self.held: dict[str, deque[HeldVersion]] = defaultdict(lambda: deque(maxlen=MOST_HELD))
        self._resumed: dict[str, int] = {}  # resumed tables, and the version held before

    @property
    def is_welcome(self) -> bool:
        return self.session.state is State.WELCOMED

    # Requests

    async def request(self, request: AnyRequest) -> AnyReply:
        """Send a request, and record its acknowledgement."""
        if self.has_stopped:
            raise PlayStopped
        self.count += 1
        self.waiting.append(request)
        request.id, sent = f"{self.name}-{self.count}", monotonic()
        echoes = self._echoes(request) if self._is_echoed(request) else []
        reply: AnyReply | None = None
        try:
            reply = await super().request(request)
        except ActionRefused:
            self._mark(request, self.notes.observed.maybe if echoes else self.notes.observed.refused)
            raise
        finally:
            self.waiting.remove(request)
            self.notes.replied_at = monotonic()
            if echoes:
                self._keep(self._check(request, reply, echoes))
        self._remember(request, reply, sent)
        return reply

    def _is_echoed(self, request: AnyRequest) -> bool:
        return isinstance(request, Act) and self.rng.random() < ECHOED

    def _remember(self, request: AnyRequest, reply: AnyReply, sent: float) -> None:
        if isinstance(reply, Done) and isinstance(request, Change):
            ack = Ack(reply.table, self.user, reply.version, *describe_request(request), sent, monotonic())
            self.notes.observed.acks.append(ack)

    def remember_what_waits(self) -> None:
        """Record the open requests as requests with an unknown outcome."""
        for request in self.waiting:
            self._mark(request, self.notes.observed.maybe)
            self.notes.problem(f"{self.name}, {self.session.state.value}, has no reply to {request}")

    # Echoes: copies of a request. Each is lost, refused for now, or gets the same reply.

    def _echoes(self, request: AnyRequest) -> list[Task[AnyReply | None]]:
        """Send the request several more times at once, to any nodes."""
        return [self._keep(self._echo(request)) for _ in range(self.rng.randint(1, MOST_ECHOES))]

    async def _check(self, request: AnyRequest, reply: AnyReply | None, echoes: list[Task[AnyReply | None]]) -> None:
        """Compare the replies to the echoes; one more echo afterwards must get the same reply."""
        if reply is None:
            await self._wait_and_see(request, echoes)
            return
        for echo in [*await asyncio.gather(*echoes), again := await self._echo(request)]:
            self._compare(request, reply, echo)
        if isinstance(again, Refused) and again.code not in RETRY_LATER | AFTER_RECONNECTING and not self.may_lose:
            self.notes.problem(f"{request.id} was acknowledged, and refused when repeated: {again.code}")

    def _compare(self, request: AnyRequest, reply: AnyReply, echo: AnyReply | None) -> None:
        if echo == reply:
            self.notes.reached[DUPLICATE] += 1
        elif self.may_lose:
            self._note_repetition(request, echo)
        elif isinstance(echo, Done):
            self.notes.problem(f"{request.id} was answered with {reply} and with {echo}")

    def _note_repetition(self, request: AnyRequest, echo: AnyReply | None) -> None:
        """Record a repetition: the store may have lost the entry before its echo came, which then applied it again."""
        if isinstance(echo, Done):
            self._remember(request, echo, monotonic())
        elif echo is None:
            self._mark(request, self.notes.observed.maybe)

    async def _wait_and_see(self, request: AnyRequest, echoes: list[Task[AnyReply | None]]) -> None:
        """Record which echoes of a refused request were applied, at a time when it was possible."""
        for echo in await asyncio.gather(*echoes):
            if isinstance(echo, Done):
                self._remember(request, echo, monotonic())

    def _mark(self, request: AnyRequest, where: list[UnknownOutcome]) -> None:
        if isinstance(request, Change):
            where.append(UnknownOutcome(request.table, self.user, *describe_request(request)))

    def _keep(self, work: Coroutine[Any, Any, T]) -> Task[T]:
        task = asyncio.create_task(work)
        self.checks.add(task)
        task.add_done_callback(self.checks.discard)
        return task

    async def _echo(self, request: AnyRequest) -> AnyReply | None:
        try:
            async with asyncio.timeout(ECHO_WITHIN):
                reply: AnyReply = await self._ask_elsewhere(request)
                return reply
        except LOST:
            return None

    async def _ask_elsewhere(self, request: AnyRequest) -> Any:
        async with connect(f"{self.url}/v1/ws", subprotocols=[MSGPACK], compression=None) as socket:  # type: ignore[list-item]
            peer = Peer(socket, MSGPACK, self.token)
            await peer.hello()
            return await peer.ask(request)

    # Events

    def _handle_event(self, event: Event) -> None:
        match event:
            case Problem(ProblemKind.WENT_BACK) if self.may_lose:
                pass
            case Problem():
                self.notes.problem(f"{self.name}: {event.kind} at {event.table}: {event.sentence}")
            case Welcomed():
                self._resumed = dict(self.session._resumable_versions())
            case TableChanged():
                self.held[event.table].append(HeldVersion(event.version, event.snapshot, monotonic()))
                self._count_resume(event)
            case TableLost():
                self.held[event.table].append(HeldVersion(NONE, True, monotonic()))
        super()._handle_event(event)

    def _count_resume(self, event: TableChanged) -> None:
        held = self._resumed.pop(event.table, None)
        if held is not None and event.version > held:
            self.notes.reached[SNAPSHOT if event.snapshot else TAIL] += 1


class PlayerGroup:
    """Players who share one table after the other."""

    def __init__(self, players: list[ChaosPlayer], pace: float, notes: ObservationLog, move: int = 0) -> None:
        self.players, self.pace, self.notes = players, pace, notes
        self.clock = Clock(move=move) if move else None
        self.tables: list[Table] = []
        self.stop = asyncio.Event()
        self.has_ended = False

    async def play(self) -> None:
        """Play game after game until the run stops."""
        try:
            while not self.stop.is_set():
                await self._play_until_lost()
        except* PlayStopped:
            pass
        except* (Disconnected, RequestRefused, UnexpectedReply) as lost:
            self.notes.problem(f"{self.players[0].name} and the other players cannot go on: {lost.exceptions}")
        finally:
            self.has_ended = True

    def stop_playing(self) -> None:
        """Send no new requests; open ones still get their replies."""
        self.stop.set()
        for player in self.players:
            player.has_stopped = True
        for table in self.tables:
            table.wake()

    async def _play_until_lost(self) -> None:
        """Play one game, or the part of it that the store keeps: a seat or the whole table may be lost."""
        try:
            await self._play_once()
        except* RequestRefused:
            if not self.players[0].may_lose:
                raise
            self.tables = []

    async def _play_once(self) -> None:
        self.tables = []
        host = await self.players[0].create(GAME, len(self.players), visibility="public", clock=self.clock)
        self.tables.append(host)
        for player in self.players[1:]:
            self.tables.append(await player.join(host.id))
        for table in self.tables:
            await table.sit()
        await host.start()
        async with asyncio.TaskGroup() as seats:
            for player, table in zip(self.players, self.tables, strict=True):
                seats.create_task(self._sit_and_play(player, table))
        if not self.stop.is_set():
            await self._part()

    async def _part(self) -> None:
        if not self.players[0].may_lose:  # a client that has left does not see a later rollback
            self.remember()
        for table in self.tables:
            await table.unwatch()

    async def _sit_and_play(self, player: ChaosPlayer, table: Table) -> None:
        with suppress(PlayStopped):
            while not (self.stop.is_set() or table.is_over):
                await table.until(lambda: self.stop.is_set() or table.is_over or may_act(table))
                await self._think(player.rng)
                if may_act(table):
                    await self._act(player, table)

    async def _think(self, rng: Random) -> None:
        try:
            async with asyncio.timeout(rng.uniform(0, 2 * self.pace)):
                await self.stop.wait()
        except TimeoutError:
            return

    async def _act(self, player: ChaosPlayer, table: Table) -> None:
        offer, version = table.view.offer, table.version
        assert offer
        assert version is not None
        action = drawn(offer.choices, player.rng.randrange)
        try:
            await table.act(offer.id, action)
        except ActionRefused as refused:
            self.notes.refused += 1
            if not await table.has_advanced(version) and not player.may_lose:
                self.notes.problem(f"{player.name} at {table.id}, {version}: what was offered is refused: {refused}")

    # The end

    def is_equal(self) -> bool:
        """Say whether no request is open and all players hold the same version."""
        quiet = self.has_ended and not any(player.waiting for player in self.players)
        return quiet and len({table.version for table in self.tables} - {None}) <= 1 and self._all_see()

    def _all_see(self) -> bool:
        return all(table.version is not None for table in self.tables)

    def remember(self) -> None:
        """Record each player's last view of the table, and their open requests."""
        for player in self.players:
            player.remember_what_waits()
        for player, table in zip(self.players, self.tables, strict=False):
            seen = digest.of_viewer(digest.of_board(table.board), table.hand)
            is_seen = table.id in player.session.tables and table.version is not None
            version = (table.version or 0) if is_seen else NONE
            info = digest.of_board(table.view._plain_info)
            held = [*player.held.pop(table.id, ())]
            end = FinalView(table.id, player.user, table.seat, version, seen, info, monotonic(), held)
            self.notes.observed.ends.append(end)


def describe_request(request: Change) -> tuple[str, dict[str, Any] | None]:
    """Return what the log says about such a request."""
    return LOG_NAMES[type(request)], request.action if isinstance(request, Act) else None


def may_act(table: Table) -> bool:
    """Say whether the table waits for this player and the client knows their offer."""
    view = table.view
    return bool(view.is_current and view.offer and view.offer.choices and table.must_decide)
