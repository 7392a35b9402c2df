"""The overview for operators: what this node serves now. It shows nothing hidden and changes nothing."""

from __future__ import annotations

import os
import socket
from itertools import islice
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ...store import Unavailable
from ...tables.table import Table
from .core_routes import must_be_admin, respond_with_json, state_of

MOST_TABLES = 500  # in one answer, those that were used last


async def show_overview(request: Request) -> Response:
    """Answer with the node, the store and the tables that are open on this node; only for administrators."""
    must_be_admin(request)
    state = state_of(request)
    open_tables = list(islice(reversed(state.directory.tables.values()), MOST_TABLES))
    return respond_with_json(
        {
            "node": f"{socket.gethostname()}:{os.getpid()}",  # several processes of one machine are nodes too
            "ready": state.is_ready,
            "connections": len(state.connections),
            "store": await check_store(request),
            "tables": [summarise_table(table) for table in open_tables],
        }
    )


async def check_store(request: Request) -> dict[str, Any]:
    """Return which store this is, and whether it answers."""
    store = state_of(request).store
    kind, trouble = type(store).__name__.removesuffix("Store").lower(), store.trouble()
    try:
        await store.due(0, 1)
    except Unavailable:
        return {"kind": kind, "ok": False, "detail": "the store does not answer"}
    return {"kind": kind, "ok": trouble is None, "detail": trouble.sentence if trouble else ""}


def summarise_table(table: Table) -> dict[str, Any]:
    """Return who sits at a table, whom it waits for, and which lines users reported."""
    state, info = table.state, table.state.info
    names = [seat.name if seat else None for seat in info.seats]
    return {
        "table": table.id,
        "game": info.game,
        "status": info.status,
        "seats": names,
        "waiting": [names[seat] for seat in state.waiting() if info.status == "playing"],
        "reports": [{"line": line.line, "why": line.text} for line in state.secrets.talk if line.reported],
    }
