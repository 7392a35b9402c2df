"""How long the log of a table may become, and what still fits into it when it is full.

    0 ... most              everything
    most ... most + 1/4     `act`, `leave`, and what the server does by itself
    beyond                  `leave`, and what the server does by itself

The server must be able to end a game whatever its players did before: bots and clocks only ever bring it
forward, so that what they write is bounded by the game. `leave` lets a bot play on where no clock runs.
"""

from __future__ import annotations

from palatine_protocol.errors import Code
from palatine_protocol.messages import Act, Leave, Request

from ...games.kit import refuse

RESERVE = 4  # the reserve is this part of the log


def must_fit(version: int, most: int, request: Request) -> None:
    """Refuse a request whose entry does not fit into a log that ends at this version."""
    is_ending = isinstance(request, Leave) or (isinstance(request, Act) and version < most + most // RESERVE)
    if version >= most and not is_ending:
        raise refuse(Code.LOG_FULL)
