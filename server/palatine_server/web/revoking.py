"""`palatine revoke`: a token or a user is shut out, in the store, from where every node learns of it."""

from __future__ import annotations

import json
import time
import urllib.request
from pathlib import Path
from typing import Annotated, NoReturn
from urllib.error import HTTPError, URLError

import anyio
import typer
from rich.console import Console

from ..games.kit import Refused
from ..gateway.identity import LONGEST_DAYS, Identities, secret_of
from ..settings import Settings
from ..store import CannotOpen, Unavailable
from .app import open_store

DEFAULT = Settings()
WITHIN = 10.0  # seconds for a server to answer


def revoke(
    subject: Annotated[str, typer.Argument(metavar="TOKEN_OR_USER", help="A token that leaked, or the id of a user.")],
    days: Annotated[int, typer.Option(help="For how long.", min=1, max=LONGEST_DAYS)] = LONGEST_DAYS,
    server: Annotated[
        str, typer.Option(metavar="URL", help="Let this running server do it.", envvar="PALATINE_SERVER")
    ] = "",
    admin_token: Annotated[
        str,
        typer.Option(help="What that server knows you by; better in the environment.", envvar="PALATINE_ADMIN_TOKEN"),
    ] = "",
    data: Annotated[Path, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_DATA")] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_STORE")] = DEFAULT.store,
) -> None:
    """Shut a token or a user out. All connections are closed within a second or two, on every node.

    While a server keeps its tables in a file, only that server can do it: name it, and have an administrator's token
    in PALATINE_ADMIN_TOKEN. With a Redis, --store is enough.
    """
    try:
        if server:
            ask(server, admin_token, subject, days)
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


def ask(server: str, admin_token: str, subject: str, days: int) -> None:
    """Let a running server do it."""
    body = json.dumps({"subject": subject, "days": days}).encode()
    headers = {"authorization": f"Bearer {admin_token}", "content-type": "application/json"}
    request = urllib.request.Request(f"{server.rstrip('/')}/v1/revocations", body, headers)  # noqa: S310 (as we are told)
    try:
        urllib.request.urlopen(request, timeout=WITHIN).close()  # noqa: S310
    except HTTPError as refused:
        with refused:
            answer = json.loads(refused.read() or b"{}")
        raise Refused(answer.get("code", "refused"), answer.get("sentence", str(refused))) from None
    except URLError as error:
        raise OSError(f"{server} does not answer: {error.reason}") from None


async def _revoke_here(settings: Settings, subject: str, days: int) -> None:
    identities = Identities(secret_of(settings.data), time.time)
    store = await open_store(settings)
    try:
        await store.revoke(*identities.revocation(subject, days))
    finally:
        await store.close()
