"""A guard around uvicorn's websocket protocol, for what it lets through by itself.

A handshake that is not finished in time is cut off, a flood of control frames or fragments too, and the application may
cut a connection at once (`abort` in the scope) when the peer does not read: closing politely would wait for it.
"""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame, Opcode

HANDSHAKE_WITHIN = REQUEST_WITHIN = CLOSE_WITHIN = 5.0  # seconds
MOST_CONTROL_FRAMES = 32  # pings and pongs between two messages
MOST_FRAGMENTS = 64  # of one message


class GuardedWebSocket(WebSocketsSansIOProtocol):
    """uvicorn's protocol, less patient."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._controls = 0
        self._impatience = self.loop.call_later(HANDSHAKE_WITHIN, self._cut_if_no_handshake)

    def _cut_if_no_handshake(self) -> None:
        if not self.handshake_complete and self.transport is not None:
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._impatience.cancel()
        super().connection_lost(exc)

    def handle_ping(self) -> None:
        self._controls += 1
        if self._controls > MOST_CONTROL_FRAMES:
            self.transport.abort()
            return
        super().handle_ping()

    def handle_cont(self, event: Frame) -> None:
        if len(self.frames) >= MOST_FRAGMENTS or (event.opcode is Opcode.CONT and not event.data and not event.fin):
            self.transport.abort()
            return
        super().handle_cont(event)

    def send_receive_event_to_app(self) -> None:
        self._controls = 0
        super().send_receive_event_to_app()

    async def run_asgi(self) -> None:
        self.scope["extensions"]["palatine"] = {"abort": self.transport.abort}
        await super().run_asgi()
