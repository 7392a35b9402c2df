"""Requests that come again: what was carried out before is answered as it was then, what was refused is refused again.

Before a table refuses a request, it asks the store whether the request was carried out already, here or at another
node, and whether the table's own state is the newest. A refusal by an old state could be wrong.
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
    """Refuse a request only if it was not carried out before, and if our state is the store's."""
    if not await _is_settled(table, request, key):
        table.refusals.remember(key, why)
        raise why.with_traceback(None)


async def confirm(table: Table, request: TableRequest, key: RequestKey) -> None:
    """Say that it is done, if the newest state is as the request asks; there is nothing to store."""
    if not await _is_settled(table, request, key):
        seat = table.state.seat_of(request.user)
        table.reply(request, Done(re=request.message.id, table=table.id, version=table.state.version, seat=seat))


async def refuse_again(table: Table, request: TableRequest, key: RequestKey) -> None:
    """Refuse what was refused here before, unless another node has carried it out meanwhile."""
    if not await answer_repetition(table, request, await table.services.store.find_request(table.id, key)):
        raise table.refusals.reason(key)


async def answer_repetition(table: Table, request: TableRequest, found: Outcome | None) -> bool:
    """Answer a request that was carried out before as it was answered then; return whether it was."""
    if isinstance(found, IdReused):
        raise refuse(Code.REQUEST_ID_REUSED)
    if not isinstance(found, Duplicate):
        return False
    table.reply(request, table.reply_to(request, await _read_entry_of(table, request, found.version)))
    return True


async def _is_settled(table: Table, request: TableRequest, key: RequestKey) -> bool:
    """Answer a request that was carried out before; let it begin anew if our state is not the newest."""
    if await answer_repetition(table, request, await table.services.store.find_request(table.id, key)):
        return True
    if not (await table.history.read_on()).entries:
        return False
    await loader.reload(table)
    if not table.is_closed:
        table.begin_anew(request)
    return True


async def _read_entry_of(table: Table, request: TableRequest, version: int) -> LogEntry:
    """Read the entry that a request made; the store may have lost it since it said so, and have another one."""
    entries = await read_entries(table.id, version - 1, version, table.services.store)
    if not entries or entries[0].user != request.user or entries[0].request not in ("", request.message.id):
        raise HistoryChanged(f"table {table.id}: entry {version} is not the one that was found")
    return entries[0]
