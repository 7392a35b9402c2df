"""The public view of a table: what a spectator sees now, with the spectators' delay. Pictures show it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from palatine_protocol.messages import AtTable, Info, Reply, Snapshot

from ..storage.loader import open_delayed
from ..viewers.delayed_viewers import is_delayed
from ..viewers.updates import PUBLIC, build_snapshot

if TYPE_CHECKING:
    from ..requests import TableRequest
    from ..table import Table


class ShowPublicView(AtTable):
    """A request of the server itself: it comes from no client, and admits the same users as `watch`."""

    invitation: str = ""


class PublicView(Reply):
    """The answer: the snapshot of a spectator. It is the same for all users, those at the table too."""

    snapshot: Snapshot


async def show_public_view(table: Table, request: TableRequest) -> None:
    """Reply with the public view of a table."""
    await table.history.must_be_the_stores()
    if is_delayed(table.state):
        await open_delayed(table)
        snapshot = table.broadcaster.delayed.seen_by(None)
    else:
        snapshot = build_snapshot(table.id, table.state, PUBLIC)
    snapshot.info = msgspec.convert(snapshot.info, Info)  # the server keeps it as plain data
    table.reply(request, PublicView(re=request.message.id, snapshot=snapshot))
