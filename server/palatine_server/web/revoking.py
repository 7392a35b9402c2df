"""`palatine revoke`: a token or a user is shut out, in the store, from where every node learns of it."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Annotated, NoReturn

import anyio
import typer
from rich.console import Console

from ..games.kit import Refused
from ..gateway.identity import LONGEST_DAYS, Identities, secret_of
from ..settings import Settings
from ..store import CannotOpen, Unavailable
from .app import open_store
from .asking import AdminToken, ServerUrl, ask

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
    try:
        if server:
            body = json.dumps({"subject": subject, "days": days}).encode()
            ask(server, admin_token, "/v1/revocations", body, "application/json")
        else:
            anyio.run(_revoke_here, Settings(data=data, store=store), subject, days)
    except Refused as why:
        _give_up(why.sentence)
    except CannotOpen as why:
        _give_up(f"{why}; or let that server do it, with --server URL")
    except (Unavailable, OSError) as why:
        _give_up(str(why) or "the store does not answer")


def _give_up(sentence: str) -> NoReturn:
    Console(stderr=True).print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(1)


async def _revoke_here(settings: Settings, subject: str, days: int) -> None:
    identities = Identities(secret_of(settings.data), time.time)
    store = await open_store(settings)
    try:
        await store.revoke(*identities.revocation(subject, days))
    finally:
        await store.close()
