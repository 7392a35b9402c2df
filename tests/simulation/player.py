"""A simulated player: the real client session, driven by random decisions.

It reconnects to random nodes, repeats open requests, also over other nodes, leaves decisions to the deadline, and
sometimes sends requests that must be refused.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from palatine_client import events
from palatine_client.events import ProblemKind
from palatine_client.session import NEW, Session, State
from palatine_client.view import View
from palatine_protocol.codec import JSON, MSGPACK, for_client
from palatine_protocol.errors import Code
from palatine_protocol.messages import (
    Act,
    AddBot,
    Agree,
    AnyRequest,
    Clock,
    Create,
    Created,
    Done,
    Hello,
    Leave,
    Rollback,
    Sit,
    Start,
    Undo,
    Unwatch,
    Watch,
)
from palatine_protocol.offers import drawn

from .fake_socket import FakeSocket
from .virtual_loop import process_context

if TYPE_CHECKING:
    from .node import SimulatedNode
    from .scenario import Scenario

SILENT_BEATS = 3  # as in the real client
COME_BACK = 0.3  # maximal seconds before a reconnect
GREETING_TIME = 1.5
LET_LAPSE = 0.9  # rate of lapsing offers that the player does not answer


class SimulatedPlayer:
    """A player or a spectator."""

    def __init__(self, scenario: Scenario, user: str, rng: Random, *, is_host: bool = False, sits: bool = True) -> None:
        self.scenario, self.user, self.rng, self.loop = scenario, user, rng, scenario.loop
        self.is_host, self.sits = is_host, sits
        self.subprotocol = JSON if rng.random() < 0.1 else MSGPACK
        self.context = process_context(user)
        self.token = scenario.token_signer.create_token(user, user=user)[0]
        self.session = Session(self.token, prefix=user, subprotocol=self.subprotocol)
        self.codec = for_client(self.subprotocol)
        self.socket: FakeSocket | None = None
        self.is_away = False
        self.pending: dict[str, AnyRequest] = {}
        self.done: list[AnyRequest] = []  # requests that were acknowledged
        self.newest, self.newest_fork = -1, ""  # the newest version shown, and its fork
        self._left_to_the_clock: int | None = None
        self._retires = scenario.faults_end - (rng.random() * 4 if scenario.plan.retire else 0)
        for begin in (self._connect, self._tick, self._beat):
            self._later(0.1, begin)

    def _later(self, longest: float, call: Any, *given: Any) -> None:
        self.loop.call_later(longest * self.rng.random(), call, *given, context=self.context)

    def happens(self, share: float) -> bool:
        return self.rng.random() < share

    # The connection

    def _connect(self) -> None:
        if self.socket is None and not self.is_away:
            self.socket = FakeSocket(self.scenario, self, self._node())
            self.loop.call_later(GREETING_TIME, self._give_up, self.socket, context=self.context)

    def _node(self) -> SimulatedNode:
        nodes = self.scenario.nodes
        if self.scenario.plan.is_split and self.happens(0.9):
            return nodes[0 if self.sits else -1]
        return self.rng.choice(nodes)

    def _give_up(self, socket: FakeSocket) -> None:
        if socket is self.socket and self.session.state is not State.WELCOMED:
            self.disconnect()

    def handle_open(self, socket: FakeSocket) -> None:
        if socket is self.socket:
            self.session.connection_made()
            self._flush()

    def handle_close(self, socket: FakeSocket) -> None:
        if socket is self.socket:
            self.socket = None
            self.session.connection_lost()
            self._later(COME_BACK, self._connect)

    def disconnect(self) -> None:
        """Close the connection and, unless away, open another one."""
        if self.socket:
            socket = self.socket
            socket.disconnect()
            self.handle_close(socket)

    def go_away(self) -> None:
        self.is_away = True
        self.disconnect()

    def come_back(self) -> None:
        self.is_away = False
        self._later(COME_BACK, self._connect)

    def _flush(self) -> None:
        frames = self.session.take_frames()
        for frame in frames if self.socket else ():
            assert self.socket
            self.socket.send(frame)

    def _beat(self) -> None:
        self.loop.call_later(self.scenario.settings.heartbeat / 2, self._beat, context=self.context)
        self.session.beat()
        if self.session.silent_beats >= SILENT_BEATS:
            self.disconnect()
        self._flush()

    # Events

    def handle_frame(self, socket: FakeSocket, frame: Any) -> None:
        if socket is not self.socket:
            return
        for event in self.session.receive(frame):
            self._take(event)
        self._flush()

    def _take(self, event: events.Event) -> None:
        match event:
            case events.Replied(request, reply):
                self._replied(request, reply)
            case events.Postponed(request_id, _):
                self.loop.call_later(self.rng.uniform(0.05, 0.5), self._again, request_id, context=self.context)
            case events.TableChanged(_, version):
                self._shown(version)
            case events.TableLost(_, refused):
                self.scenario.checker.report("table_lost", f"{self.user}: {refused.code}")
            case events.Problem(ProblemKind.WENT_BACK) if self.scenario.checker.lost:
                self.scenario.trace.reach("client: went back")
            case events.Problem(kind, sentence):
                self.scenario.checker.report("problem", f"{self.user}: {kind}: {sentence}")
            case events.HelloRefused(refused, True):
                self.scenario.checker.report("turned_away", f"{self.user}: {refused.code}")

    def _replied(self, request: AnyRequest, reply: Any) -> None:
        self.pending.pop(request.id, None)
        if isinstance(request, Act) and getattr(reply, "code", "") == Code.NOT_YOUR_TURN:
            self._insist(request)
        if isinstance(reply, Done) and not isinstance(request, Unwatch):
            self.done.append(request)
        if isinstance(reply, Created):
            self.scenario.table = reply.table

    def _insist(self, request: Act) -> None:
        """Send a request that came too early again and again, until it is carried out."""
        self._left_to_the_clock = request.offer
        for _ in range(6):
            self._later(1.5, self._echo, request)

    def _again(self, request_id: str) -> None:
        self.session.resend(request_id)
        self._flush()

    def _shown(self, version: int) -> None:
        fork = self.view.fork if self.view else ""
        if version < self.newest and self.scenario.checker.is_stored(self.newest, self.newest_fork):
            self.scenario.checker.report("went_back", f"{self.user} was at {self.newest} and is shown {version}")
        self.newest, self.newest_fork = version, fork

    # Decisions

    def _tick(self) -> None:
        if self.loop.time() >= self._retires:
            return
        self._later(self.scenario.plan.haste, self._tick)
        if self.happens(self.scenario.plan.hops):
            self.disconnect()
        elif not self.is_away:
            self._decide()
            self._flush()

    def _decide(self) -> None:
        table, view = self.scenario.table, self.view
        if not table:
            if self.is_host and not self.pending:
                self._ask(self._create())
        elif view is None:
            self._ask(Watch(id=NEW, table=table))
        elif view.info is None or view.version is None:
            return
        elif self.happens(self.scenario.plan.unwatch * 0.3):
            self._ask(Unwatch(id=NEW, table=table))
            self.newest = -1  # a new subscription may show an older version of another node
        elif not self.sits:
            return
        elif view.info.status == "open":
            self._sit_and_start(table, view)
        elif view.info.status == "playing":
            self._play(table, view)

    @property
    def view(self) -> View | None:
        return self.session.tables.get(self.scenario.table)

    def _create(self) -> Create:
        plan = self.scenario.plan
        seats, clock = plan.seats + plan.bots, plan.clock
        if plan.grace is not None:
            clock = replace(clock or Clock(), grace=plan.grace)
        return Create(id=NEW, game=plan.game, seats=seats, clock=clock, seed=self.scenario.seed_of_game)

    def _sit_and_start(self, table: str, view: View) -> None:
        assert view.info
        if self._is_asking(Sit, AddBot, Start):
            return
        if view.seat is None:
            self._ask(Sit(id=NEW, table=table))
        elif self.is_host and view.info.seats.count(None) == 0:
            self._ask(Start(id=NEW, table=table))
        elif self.is_host and sum(bool(seat and seat.bot) for seat in view.info.seats) < self.scenario.plan.bots:
            self._ask(AddBot(id=NEW, table=table, policy="greedy" if self.happens(0.5) else "random"))

    def _play(self, table: str, view: View) -> None:
        assert view.info
        plan, seat = self.scenario.plan, view.seat
        sitting = None if seat is None else view.info.seats[seat]
        if sitting is None or self._is_asking(Sit, Leave):
            return
        if sitting.bot:
            self._ask(Sit(id=NEW, table=table))
        elif self.happens(plan.mischief * 0.5):
            self._try_something(table, view)
        elif self.happens(plan.leave * 0.3):
            self._ask(Leave(id=NEW, table=table))
        elif plan.take_back and self._takes_back(table, view):
            pass
        elif view.can_undo and self.happens(plan.undo):
            self._ask(Undo(id=NEW, table=table))
        else:
            self._act(table, view)

    def _takes_back(self, table: str, view: View) -> bool:
        """Propose a take-back, or answer a proposal."""
        assert view.info
        assert view.version is not None
        proposal = view.info.rollback
        if self._is_asking(Act, Undo, Rollback, Agree):
            return False
        if proposal and view.seat not in proposal.agreed:
            self._ask(Agree(id=NEW, table=table, agree=self.happens(0.9)))
        elif not proposal and self.happens(self.scenario.plan.take_back):
            self._ask(Rollback(id=NEW, table=table, to=max(0, view.version - self.rng.randrange(6))))
        else:
            return False
        return True

    def _act(self, table: str, view: View) -> None:
        """Answer the offer, or leave it to the deadline."""
        offer = view.offer
        if not offer or not offer.choices or self._is_asking(Act, Undo) or self._left_to_the_clock == offer.id:
            return
        is_lapsing = any(choice.do == "ready" for choice in offer.choices)
        if self.happens(LET_LAPSE if is_lapsing else self.scenario.plan.silence):
            self._left_to_the_clock = offer.id
        else:
            self._ask(Act(id=NEW, table=table, offer=offer.id, action=drawn(offer.choices, self.rng.randrange)))

    # Wrong requests must be refused, and repeated ones must get their first reply.
    def _try_something(self, table: str, view: View) -> None:
        offer, kind = view.offer, self.rng.choice((0, 1, 2, 2, 2, 3, 4))
        action: dict[str, Any] = {"do": "drop", "pebbles": 1}
        if offer and offer.choices:
            action = drawn(offer.choices, self.rng.randrange)
        current = offer.id if offer else 0
        if kind == 0 and current:
            self._ask(Act(id=NEW, table=table, offer=current - 1, action=action))
        elif kind == 1:
            self._ask(Act(id=NEW, table=table, offer=current, action={"do": "drop", "pebbles": 99}))
        elif kind == 2:
            self._ask(Act(id=NEW, table=table, offer=current, action=action))
        elif kind == 3 and self.done:
            self._echo(self.rng.choice(self.done))
        elif self.done:
            forged = self.rng.choice(self.done)
            self._echo(Act(id=forged.id, table=table, offer=current, action=action))

    def _is_asking(self, *kinds: type[AnyRequest]) -> bool:
        return any(isinstance(request, kinds) for request in self.pending.values())

    def _ask(self, request: AnyRequest) -> None:
        self.session.request(request)
        self.pending[request.id] = request
        share = 0.3 if isinstance(request, Create) else self.scenario.plan.echoes
        if not isinstance(request, Watch | Unwatch) and self.happens(share):
            self._echo(request)

    def _echo(self, request: AnyRequest) -> None:
        frame = self.codec.encode(request)
        self._later(0.2, DuplicateSender, self, frame.decode() if self.codec.is_text else frame)


class DuplicateSender:
    """A second connection of a player, which repeats a request and ignores the reply."""

    def __init__(self, player: SimulatedPlayer, frame: bytes | str) -> None:
        self.user, self.subprotocol, self.context, self._frame = player.user, player.subprotocol, player.context, frame
        hello = player.codec.encode(Hello(id="echo", token=player.token))
        self._hello = hello.decode() if player.codec.is_text else hello
        self._socket = FakeSocket(player.scenario, self, player.rng.choice(player.scenario.nodes))
        player.loop.call_later(player.rng.uniform(0.2, 2), self._socket.disconnect, context=player.context)

    def handle_open(self, socket: FakeSocket) -> None:
        socket.send(self._hello)
        socket.send(self._frame)

    def handle_frame(self, socket: FakeSocket, frame: Any) -> None:
        pass

    def handle_close(self, socket: FakeSocket) -> None:
        pass
