"""A websocket without a network: frames travel in order between a client and a node until it is cut."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from contextvars import Context
from typing import TYPE_CHECKING, Any, Protocol

from palatine_protocol.errors import Close

from .checker import SocketState

if TYPE_CHECKING:
    from palatine_server.gateway.connection import Connection

    from .node import SimulatedNode
    from .scenario import Scenario

WINDOW = 8  # frames in flight to a client before the node must wait
TICK = 1e-6  # seconds between two frames at least


class SocketClient(Protocol):
    """The client's side of a socket."""

    user: str
    subprotocol: str
    context: Context

    def handle_open(self, socket: FakeSocket) -> None: ...
    def handle_frame(self, socket: FakeSocket, frame: Any) -> None: ...
    def handle_close(self, socket: FakeSocket) -> None: ...


class NodeEnd:
    """The node's side of a socket, with the methods that its connection calls."""

    def __init__(self, socket: FakeSocket) -> None:
        self._socket = socket

    def pause_reading(self) -> None:
        self._socket.read(False)

    def resume_reading(self) -> None:
        self._socket.read(True)

    def close(self, code: int) -> None:
        self._socket.close_by_node()

    def cut(self) -> None:
        self._socket.cut_by_node()


class FakeSocket:
    """A simulated websocket."""

    def __init__(self, scenario: Scenario, client: SocketClient, node: SimulatedNode) -> None:
        self.scenario, self.client, self.node, self.loop = scenario, client, node, scenario.loop
        scenario.sockets.append(self)
        self.state = SocketState()
        self.name = f"{client.user}~{node.name}#{len(scenario.sockets)}"
        self.is_cut = self.is_stalled = False
        self.connection: Connection | None = None  # on the node's side, once the node has accepted
        self._inbox: deque[bytes] = deque()  # frames that the node has not read yet
        self._is_read = True
        self._is_paused = False
        self._on_the_way = 0
        self._free = {"up": 0.0, "down": 0.0}  # when the last frame of each direction arrives
        self._travel("up", node.context, node.accept, self)

    # The network

    def _travel(self, way: str, context: Context, arrive: Callable[..., None], *given: Any) -> None:
        soonest = self.loop.time() + self.scenario.plan.way * self.scenario.network_rng.random()
        self._free[way] = max(soonest, self._free[way] + TICK)
        self.loop.call_at(self._free[way], arrive, *given, context=context)

    def stall(self, seconds: float) -> None:
        """Delay all further frames."""
        self.is_stalled = True
        for way in self._free:
            self._free[way] = max(self._free[way], self.loop.time()) + seconds

    def cut(self) -> None:
        """Lose all frames in flight; each side notices after a while, the node perhaps never."""
        if self.is_cut:
            return
        self.is_cut = True
        self.scenario.trace.note(self.name, "is cut")
        rng = self.scenario.network_rng
        self.loop.call_later(rng.random() * 0.3, self.client.handle_close, self, context=self.client.context)
        if rng.random() < 0.8:
            self.loop.call_later(rng.random() * 0.3, self._disconnect, context=self.node.context)

    def _maybe_cut(self) -> None:
        if self.scenario.network_rng.random() < self.scenario.plan.cuts:
            self.cut()

    # The client's side

    def send(self, frame: bytes | str) -> None:
        """Send a frame to the node."""
        self._travel("up", self.node.context, self._arrive, frame.encode() if isinstance(frame, str) else frame)
        self._maybe_cut()

    def disconnect(self) -> None:
        """Close the connection from the client's side."""
        if not self.is_cut:
            self.is_cut = True
            self._travel("up", self.node.context, self._disconnect)

    # The node's side

    def open(self, connection: Connection) -> None:
        """Accept the connection."""
        self.connection = connection
        connection.open(self._send)
        self._travel("down", self.client.context, self._open)
        self._ping()

    def _ping(self) -> None:
        """Ping the client, whose websocket answers by itself, until the connection is cut."""
        if not self.is_cut and not self.node.is_dead:
            self._travel("down", self.client.context, self._answer_ping)
            self.loop.call_later(self.scenario.settings.heartbeat / 2, self._ping, context=self.node.context)

    def _answer_ping(self) -> None:
        self._travel("up", self.node.context, self._take_pong)

    def _take_pong(self) -> None:
        if self.connection and not self.is_cut and not self.node.is_dead:
            self.connection.note_alive()

    def _arrive(self, frame: bytes) -> None:
        if not self.is_cut:
            self._inbox.append(frame)
            self._read()

    def _read(self) -> None:
        while self._inbox and self._is_read and self.connection and not self.node.is_dead:
            frame = self._inbox.popleft()
            self.scenario.checker.check_request(self, frame)
            self.connection.receive(frame, self.connection.wire.is_text)

    def _disconnect(self) -> None:
        if self.connection and not self.node.is_dead:
            self.connection.close(Close.GOING_AWAY)

    def read(self, is_read: bool) -> None:
        """Let the node read on, or stop reading."""
        self._is_read = is_read
        if is_read and self._inbox:
            self.loop.call_soon(self._read)

    def close_by_node(self) -> None:
        self._travel("down", self.client.context, self._close)

    def cut_by_node(self) -> None:
        if not self.is_cut:
            self.scenario.trace.reach("cut: by the node")
            self.cut()

    def _send(self, frame: bytes) -> None:
        if self.is_cut or self.node.is_dead:
            return
        text = frame.decode() if self.connection and self.connection.wire.is_text else frame
        self.scenario.checker.check_message(self, text)
        self._on_the_way += 1
        self._travel("down", self.client.context, self._hear, text)
        self._maybe_cut()
        if self._on_the_way >= WINDOW and not self._is_paused and self.connection:
            self._is_paused = True
            self.connection.pause_writing()

    def _open(self) -> None:
        if not self.is_cut:
            self.client.handle_open(self)

    def _hear(self, frame: bytes | str) -> None:
        self._on_the_way -= 1
        if self._is_paused:
            self.loop.call_soon(self._resume, context=self.node.context)
        if not self.is_cut:
            self.client.handle_frame(self, frame)

    def _resume(self) -> None:
        if self._is_paused and self.connection and self._on_the_way < WINDOW and not self.node.is_dead:
            self._is_paused = False
            self.connection.resume_writing()

    def _close(self) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.client.handle_close(self)
