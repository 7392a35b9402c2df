"""A websocket without a network: frames travel between a client and a node, in order, as long as it is not cut."""

from __future__ import annotations

from asyncio import Future
from collections import deque
from collections.abc import Callable, MutableMapping
from contextvars import Context
from typing import TYPE_CHECKING, Any, Protocol

from starlette.websockets import WebSocket

from .referee import Desk

if TYPE_CHECKING:
    from .node import Node
    from .scene import Scene

WINDOW = 8  # frames on their way to a client before the node must wait
TICK = 1e-6  # the least between two frames


class Caller(Protocol):
    """The client's end."""

    user: str
    subprotocol: str
    context: Context

    def opened(self, link: Link) -> None: ...
    def heard(self, link: Link, frame: Any) -> None: ...
    def closed(self, link: Link) -> None: ...


class Link:
    """One connection."""

    def __init__(self, scene: Scene, caller: Caller, node: Node) -> None:
        self.scene, self.caller, self.node, self.loop = scene, caller, node, scene.loop
        scene.links.append(self)
        self.desk = Desk()
        self.name = f"{caller.user}~{node.name}#{len(scene.links)}"
        self.is_cut = self.is_stalled = False
        self._inbox: deque[dict[str, Any]] = deque([{"type": "websocket.connect"}])
        self._reader: Future[None] | None = None
        self._writer: Future[None] | None = None
        self._on_the_way = 0
        self._free = {"up": 0.0, "down": 0.0}  # when the last frame of each way arrives
        self._travel("up", node.context, node.accept, self)

    # The network

    def _travel(self, way: str, context: Context, arrive: Callable[..., None], *given: Any) -> None:
        soonest = self.loop.time() + self.scene.weather.way * self.scene.network.random()
        self._free[way] = max(soonest, self._free[way] + TICK)
        self.loop.call_at(self._free[way], arrive, *given, context=context)

    def stall(self, seconds: float) -> None:
        """Nothing more arrives for a while."""
        self.is_stalled = True
        for way in self._free:
            self._free[way] = max(self._free[way], self.loop.time()) + seconds

    def cut(self) -> None:
        """Whatever is on its way is lost; each side hears of it in its own time, the node perhaps never."""
        if self.is_cut:
            return
        self.is_cut = True
        self.scene.trace.note(self.name, "is cut")
        rng = self.scene.network
        self.loop.call_later(rng.random() * 0.3, self.caller.closed, self, context=self.caller.context)
        if rng.random() < 0.8:
            self.loop.call_later(rng.random() * 0.3, self._hang_up, context=self.node.context)

    def _cut_by_the_node(self) -> None:
        if not self.is_cut:
            self.scene.trace.reach("cut: by the node")
            self.cut()

    def _maybe_cut(self) -> None:
        if self.scene.network.random() < self.scene.weather.cuts:
            self.cut()

    # The client's end

    def say(self, frame: bytes | str) -> None:
        """Send a frame to the node."""
        kind = "text" if isinstance(frame, str) else "bytes"
        self._travel("up", self.node.context, self._arrive, {"type": "websocket.receive", kind: frame})
        self._maybe_cut()

    def hang_up(self) -> None:
        """The client closes the connection."""
        if not self.is_cut:
            self.is_cut = True
            self._travel("up", self.node.context, self._hang_up)

    # The node's end, as ASGI has it

    def socket(self) -> WebSocket:
        scope = {
            "type": "websocket",
            "path": "/v1/ws",
            "headers": [],
            "subprotocols": [self.caller.subprotocol],
            "extensions": {"palatine": {"cut": self._cut_by_the_node}},
        }
        return WebSocket(scope, self._receive, self._send)

    def _arrive(self, event: dict[str, Any]) -> None:
        if not self.is_cut:
            self._inbox.append(event)
            self._wake()

    def _hang_up(self) -> None:
        self._inbox.append({"type": "websocket.disconnect", "code": 1006})
        self._wake()

    def _wake(self) -> None:
        for waiting in (self._reader, self._writer):
            if waiting and not waiting.done():
                waiting.set_result(None)

    async def _receive(self) -> dict[str, Any]:
        while not self._inbox:
            self._reader = self.loop.create_future()
            await self._reader
        event = self._inbox.popleft()
        if event["type"] == "websocket.receive":
            self.scene.referee.asked(self, event.get("text") or event["bytes"])
        return event

    async def _send(self, event: MutableMapping[str, Any]) -> None:
        kind = event["type"]
        if kind == "websocket.accept":
            self._travel("down", self.caller.context, self._open)
        elif kind == "websocket.close":
            self._travel("down", self.caller.context, self._close)
        else:
            await self._send_frame(event.get("text") or event["bytes"])

    async def _send_frame(self, frame: bytes | str) -> None:
        while self._on_the_way >= WINDOW:
            self._writer = self.loop.create_future()
            await self._writer
        if self.is_cut or self.node.is_dead:
            raise OSError
        self.scene.referee.answered(self, frame)
        self._on_the_way += 1
        self._travel("down", self.caller.context, self._hear, frame)
        self._maybe_cut()

    def _open(self) -> None:
        if not self.is_cut:
            self.caller.opened(self)

    def _hear(self, frame: bytes | str) -> None:
        self._on_the_way -= 1
        self._wake()
        if not self.is_cut:
            self.caller.heard(self, frame)

    def _close(self) -> None:
        if not self.is_cut:
            self.is_cut = True
            self.caller.closed(self)
