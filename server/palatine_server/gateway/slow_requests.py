"""Requests that wait for the store: each runs in a task of the node, and is cancelled when its connection ends."""

from __future__ import annotations

import logging
from asyncio import Event
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel

from palatine_protocol import messages
from palatine_protocol.costs import COSTS, REPLAYED_AT_COST
from palatine_protocol.errors import Close, Code
from palatine_protocol.messages import Create, Hello, ListTables, Lost, Reply, Request, Watch

from ..games.kit import Refused, refuse
from ..store import Unavailable
from ..tables.lobby import Filter
from ..tables.requests import build_refusal

if TYPE_CHECKING:
    from .connection import Connection

log = logging.getLogger("palatine.gateway")
SlowHandler = Callable[..., Coroutine[Any, Any, None]]


async def run(connection: Connection, work: SlowHandler, request: Request, scope: anyio.CancelScope) -> None:
    """Run the work of a connection until it is done or cancelled; an unexpected error ends only this connection."""
    with scope:
        try:
            await work(connection, request)
        except Exception:
            log.exception("a request broke")
            connection.end(Close.INTERNAL)


# Lists and new tables


async def answer(connection: Connection, request: ListTables | Create) -> None:
    """Answer a request that is not about one table."""
    try:
        reply = await (create(connection, request) if isinstance(request, Create) else list_tables(connection, request))
    except Refused as why:
        reply = build_refusal(request.id, why)
    except Unavailable:
        reply = build_refusal(request.id, refuse(Code.TRY_AGAIN))
    connection.conclude(reply)


async def list_tables(connection: Connection, request: ListTables) -> Reply:
    """Return the list of tables, and send its changes from then on if the client asks for it."""
    lobby, wanted = connection.directory.lobby, Filter.of(request)
    if request.follow:
        return messages.Tables(re=request.id, tables=await lobby.follow(connection, wanted))
    lobby.leave(connection)
    return messages.Tables(re=request.id, tables=await lobby.list_tables(connection.user, wanted))


async def create(connection: Connection, request: Create) -> Reply:
    """Create a table."""
    known = connection.known
    assert known is not None
    may_seed = connection.settings.allow_seeds or known.kind == "admin"
    return await connection.directory.create(known.id, known.name, request, may_seed=may_seed)


# Tables that are watched again


async def resume(connection: Connection, request: Hello) -> None:
    """Watch the tables that `hello` names, one after the other; after the missed updates comes a push for each."""
    for table, version in request.resume.items():
        await pay(connection, COSTS[Watch])
        await connection.outbox.wait_for_room()
        invitation, fork = request.invitations.get(table, ""), request.forks.get(table, "")
        watch = Watch(id=request.id, table=table, since=version, fork=fork, invitation=invitation)
        answered = Event()
        connection.submit(watch, partial(note_resumption, connection, table, answered), is_resumption=True)
        await answered.wait()
    connection.conclude(None)


def note_resumption(connection: Connection, table: str, answered: Event, reply: Reply) -> None:
    """Note whether a table is watched again; if it is not, report why to the client."""
    connection.note(reply)
    answered.set()
    if isinstance(reply, messages.Refused):
        connection.send(connection.wire.encode(Lost(table=table, code=reply.code, sentence=reply.sentence)))


async def pay(connection: Connection, cost: float) -> None:
    """Charge a cost, and wait until the budget covers it."""
    if wait := connection.budget.owe(cost):
        connection.metrics.count_limit("rate")
        await anyio.sleep(wait)


# Replays


async def replay(connection: Connection, request: Watch) -> None:
    """Send a game that is over again, at the pace that the client asks for, and no faster than it reads."""
    try:
        await anyio.sleep(0)  # the reply comes first
        async for told in connection.directory.replay(request, connection.user):
            await connection.outbox.wait_for_room()
            await anyio.lowlevel.checkpoint_if_cancelled()
            connection.send(connection.wire.encode(told))
            await anyio.sleep(1 / request.pace if request.pace else 0)
            await pay(connection, 1 / REPLAYED_AT_COST)
    except Refused as why:
        connection.lose(request.table, why)
    except Unavailable:
        connection.lose(request.table)
