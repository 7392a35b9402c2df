"""`palatine revoke`: a token or a user is shut out, in the store, from where every node learns of it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated

import anyio
import typer

from ..gateway.identity import LONGEST_DAYS, Identities, secret_of
from ..settings import Settings
from ..store import CannotOpen
from .app import open_store
from .asking import AdminToken, ServerUrl, ask
from .checking import in_one_line, settings_with

DEFAULT = Settings()


def revoke(
    subject: Annotated[str, typer.Argument(metavar="TOKEN_OR_USER", help="A token that leaked, or the id of a user.")],
    days: Annotated[int, typer.Option(help="For how long.", min=1, max=LONGEST_DAYS)] = LONGEST_DAYS,
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: Annotated[Path, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_DATA")] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_STORE")] = DEFAULT.store,
) -> None:
    """Shut a token or a user out. All connections are closed within a second or two, on every node.

    While a server keeps its tables in a file, only that server can do it:
    name it, and have an administrator's token in PALATINE_ADMIN_TOKEN. With a
    Redis, --store is enough.
    """
    with in_one_line():
        if server:
            body = json.dumps({"subject": subject, "days": days}).encode()
            ask(server, admin_token, "/v1/revocations", body, "application/json")
        else:
            anyio.run(_revoke_here, settings_with(data=data, store=store), subject, days)


async def _revoke_here(settings: Settings, subject: str, days: int) -> None:
    identities = Identities(secret_of(settings.data), time.time)
    try:
        store = await open_store(settings)
    except CannotOpen as why:
        raise CannotOpen(f"{why}; or let that server do it, with --server URL") from None
    try:
        await store.revoke(*identities.revocation(subject, days))
    finally:
        await store.close()
