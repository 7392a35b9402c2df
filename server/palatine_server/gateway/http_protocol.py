"""The HTTP protocol of a connection: uvicorn's, with deadlines that it lacks.

The protocol cuts a connection whose request does not arrive in time, or whose client does not read its answer in time.
A connection whose client has read its answer stays open for another request, and is then closed in an orderly way.
A request for a websocket hands the transport over to the protocol in `websocket.py`.
"""

from __future__ import annotations

from asyncio import TimerHandle, Transport
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from .transport import abort

REQUEST_WITHIN = 4.0  # seconds for a request, with its head and its body, and again for taking the answer
# Seconds for which a connection waits for its next request; every answer says so. They are more than the four seconds
# for which Node's `fetch` keeps a connection without that word. The client must close first: otherwise its next request
# meets a connection that is just being closed, and a POST is not sent again. Node closes a second before the time that
# it is told, but its clock has a resolution of a second; so the server waits longer than it says.
KEEP_ALIVE = 10
KEEP_ALIVE_GRACE = 5


class HttpProtocol(H11Protocol):
    """uvicorn's HTTP protocol with deadlines."""

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._deadline: TimerHandle | None = None
        self._is_idle = self._is_heard = self._is_gone = False
        self._set_deadline(self.cut)

    def cut(self) -> None:
        """End the connection at once."""
        if not self._is_gone:
            self._is_gone = True
            abort(self.transport)

    def _cut_slow_reader(self) -> None:
        """End the connection if the client has not read its answer; otherwise it waits for the next request."""
        if self.transport.get_write_buffer_size():
            self.cut()

    def _set_deadline(self, action: Callable[[], None]) -> None:
        """Restart the deadline, for a request to arrive or for the client to read its answer."""
        self._clear_deadline()
        self._deadline = self.loop.call_later(REQUEST_WITHIN, action)

    def _clear_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def data_received(self, data: bytes) -> None:
        if self._is_idle:
            self._is_idle = False
            self._set_deadline(self.cut)
        super().data_received(data)
        if not self._is_heard and self._is_our_turn():
            self._is_heard = True
            self._clear_deadline()

    def _is_our_turn(self) -> bool:
        """Return whether the connection waits only for the application: the whole request is here, and not answered."""
        is_open = self.cycle is not None and not self.cycle.response_complete and not self.flow.write_paused
        return is_open and self.conn.their_state in (h11.DONE, h11.MUST_CLOSE)

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._deadline is None:
            self._set_deadline(self.cut)

    def on_response_complete(self) -> None:
        self._is_heard = False
        self._is_idle = not self.conn.trailing_data[0]  # the next request may have begun to arrive
        self._set_deadline(self._cut_slow_reader if self._is_idle else self.cut)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the transport over with the parsed request; uvicorn would encode the request as bytes again."""
        self._clear_deadline()
        self.connections.discard(self)
        protocol: Any = self.ws_protocol_class
        protocol(self.config, self.server_state, self.app_state).upgrade(self.transport, self.scope)

    def connection_lost(self, exc: Exception | None) -> None:
        self._is_gone = True
        self._clear_deadline()
        super().connection_lost(exc)
