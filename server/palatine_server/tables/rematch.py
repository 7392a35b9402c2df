"""A rematch: another table for the same players, created once however many of them ask for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from palatine_protocol.messages import Created

from ..store import RequestKey
from .creation import announce_rematch, create_rematch
from .requests import TableRequest
from .storage.committer import Commit
from .storage.persistence import build_summary, encode, make_id

if TYPE_CHECKING:
    from .table import Table


async def open_rematch(table: Table, request: TableRequest) -> None:
    """Create a table for the rematch, or find the one that another player's request created."""
    table.state.must_be_over(request.user)
    clock, store = table.services.clock, table.services.store
    new = create_rematch(table.state, clock())
    key = RequestKey("", f"rematch {table.id}", b"")
    name = await store.create(make_id(), encode(new.take_snapshot()), build_summary(new), key)
    assert isinstance(name, str)
    reply = Created(re=request.message.id, table=name)
    if table.state.info.next == name:
        table.reply(request, reply)
    else:  # the table is new, or the one of an earlier request has expired
        table.append(Commit(announce_rematch(table.state, name, clock()), request, None, reply))
