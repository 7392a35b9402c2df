"""The limit of a table's log, and the requests that a full log still accepts.

    0 ... most              everything
    most ... most + 1/4     `act`, `leave`, erasing a user, and what the server does by itself
    beyond                  `leave`, erasing a user, and what the server does by itself

The server must be able to end every game. Bots and clocks only bring a game forward, so the game bounds the number of
their entries. `leave` lets a bot play on at a table without a clock.
"""

from __future__ import annotations

from palatine_protocol.errors import Code
from palatine_protocol.messages import Act, Leave, Request

from ...games.kit import refuse
from ..handlers.erasure import EraseUser

RESERVE = 4  # the reserve is this part of the log


def must_fit(version: int, most: int, request: Request) -> None:
    """Refuse a request whose entry does not fit into a log that ends at this version."""
    is_ending = isinstance(request, Leave | EraseUser) or (
        isinstance(request, Act) and version < most + most // RESERVE
    )
    if version >= most and not is_ending:
        raise refuse(Code.LOG_FULL)
