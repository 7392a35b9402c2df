"""Repeated requests: the table repeats its reply to a request that it carried out, and refuses a refused one again.

Before a table refuses a request, it asks the store whether a node has carried the request out already, and whether the
table's own state is the newest. A refusal that rests on an old state could be wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from palatine_protocol.errors import Code
from palatine_protocol.messages import Done

from ..games.kit import Refused, refuse
from ..store import Duplicate, HistoryChanged, IdReused, Outcome, RequestKey
from .model import LogEntry
from .requests import TableRequest
from .storage import loader
from .storage.persistence import read_entries

if TYPE_CHECKING:
    from .table import Table


async def recheck_refusal(table: Table, request: TableRequest, key: RequestKey, why: Refused) -> None:
    """Refuse a request, unless a node has carried it out before or our state is not the newest."""
    if not await _is_settled(table, request, key):
        table.refusals.remember(key, why)
        raise why.with_traceback(None)


async def confirm(table: Table, request: TableRequest, key: RequestKey) -> None:
    """Confirm a request that changes nothing, if our state is the newest; there is nothing to store."""
    if not await _is_settled(table, request, key):
        seat = table.state.seat_of(request.user)
        table.reply(request, Done(re=request.message.id, table=table.id, version=table.state.version, seat=seat))


async def refuse_again(table: Table, request: TableRequest, key: RequestKey) -> None:
    """Refuse a request that this table refused before, unless another node has carried it out meanwhile."""
    if not await answer_repetition(table, request, await table.services.store.find_request(table.id, key)):
        raise table.refusals.reason(key)


async def answer_repetition(table: Table, request: TableRequest, found: Outcome | None) -> bool:
    """Repeat the reply to a request that was carried out before; return whether it was."""
    if isinstance(found, IdReused):
        raise refuse(Code.REQUEST_ID_REUSED)
    if not isinstance(found, Duplicate):
        return False
    table.reply(request, table.reply_to(request, await _read_entry_of(table, request, found.version)))
    return True


async def _is_settled(table: Table, request: TableRequest, key: RequestKey) -> bool:
    """Answer a request that was carried out before, or restart it on a newer state; return whether either was due."""
    if await answer_repetition(table, request, await table.services.store.find_request(table.id, key)):
        return True
    if not (await table.history.read_on()).entries:
        return False
    await loader.reload(table)
    if not table.is_closed:
        table.begin_anew(request)
    return True


async def _read_entry_of(table: Table, request: TableRequest, version: int) -> LogEntry:
    """Return the entry that a request made; raise HistoryChanged if the store has lost it since it was found."""
    entries = await read_entries(table.id, version - 1, version, table.services.store)
    if not entries or entries[0].user != request.user or entries[0].request not in ("", request.message.id):
        raise HistoryChanged(f"table {table.id}: entry {version} is not the one that was found")
    return entries[0]
