"""Erasure of a user: their name, chat, seats, webhook, identities and tokens go; the games stay verifiable.

In a running game a bot plays on. A finished game goes to the archive, where the record keeps the hashes of the erased
texts, so that its signature is still valid; then its table is removed, because the entries of its log hold names. A
running table is removed in the same way when its game is over. What a user wrote as a spectator expires with its table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from palatine_protocol import messages

from ..gateway.tokens import LONGEST_DAYS
from ..store import Summary, Unavailable
from ..tables.handlers.erasure import EraseUser
from ..tables.requests import TableRequest
from ..tables.storage.persistence import make_id
from ..webhooks import Registrations

if TYPE_CHECKING:
    from .app import AppState

MOST_ROUNDS = 100  # of 200 tables each


async def erase_user(state: AppState, user: str) -> None:
    """Erase a user. If the server stops in between, erasing them again goes on where it stopped."""
    await state.revoke(user, LONGEST_DAYS)
    for _ in range(MOST_ROUNDS):
        tables = await list_own_tables(state, user)
        if not tables:
            break
        for table, summary in tables:
            await erase_from_table(state, user, table, summary)
    await state.archive.erase_user(user)
    await Registrations(state.store, state.directory.clock).remove(user)
    await state.identities.forget(user)
    await state.move_codes.forget(user)
    await forget_in_chat(state, user)


async def forget_in_chat(state: AppState, user: str) -> None:
    """Forget what the Discord app remembers of a user, if it is a route of this server."""
    from .chat_notes import ChatNotes  # imported late: only this needs the chat

    await ChatNotes(state.store).forget_user(user)


async def list_own_tables(state: AppState, user: str) -> list[tuple[str, Summary]]:
    """Return tables at which a user sits or is the host."""
    return [(table, row) for table, row in await state.store.tables(user=user) if user in row.members]


async def erase_from_table(state: AppState, user: str, table: str, summary: Summary) -> None:
    """Erase a user from a table; remove the table if its game is over, or if nobody else sits there."""
    if summary.status == "over":
        await state.archive.archive_table(table)
    elif summary.status != "open" or summary.members != {user}:
        await ask_to_erase(state, user, table)
        return
    await state.store.remove(table)
    state.directory.close_removed(table)


async def ask_to_erase(state: AppState, user: str, table: str) -> None:
    """Let the table write the entry that erases the user; raise Unavailable if it cannot do so now."""
    request = TableRequest(user, "", EraseUser(id=make_id(), table=table), lambda reply: None, is_admin=True)
    await state.directory.ask(request)
    if isinstance(request.answered, messages.Refused):
        raise Unavailable(f"the user cannot be erased from a table now: {request.answered.code}")
