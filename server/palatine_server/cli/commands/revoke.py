"""`palatine revoke`: revoke a token or a user in the store, from which every node reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..options import DEFAULT, LONGEST_DAYS, SERVER_PANEL, AdminToken, OwnDataDirectory, ServerUrl, StoreUrl

if TYPE_CHECKING:
    from ...settings import Settings


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=SERVER_PANEL)(revoke)


def revoke(
    subject: Annotated[str, typer.Argument(metavar="TOKEN_OR_USER", help="A leaked token, or the id of a user.")],
    days: Annotated[int, typer.Option(help="For how many days.", min=1, max=LONGEST_DAYS)] = LONGEST_DAYS,
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: OwnDataDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
) -> None:
    """Revoke a token or a user. Every node closes their connections within a second or two.

    While a server keeps its tables in a file, only that server can do it: name it with --server, and put an
    administrator's token into PALATINE_ADMIN_TOKEN. With a Redis, --store is enough.
    """
    import json

    import anyio

    from ...web.admin_client import post_as_admin
    from ...web.preflight import explain_failures, merge_settings

    with explain_failures():
        if server:
            body = json.dumps({"subject": subject, "days": days}).encode()
            post_as_admin(server, admin_token, "/v1/revocations", body, "application/json")
        else:
            anyio.run(_revoke_in_store, merge_settings(data=data, store=store), subject, days)


async def _revoke_in_store(settings: Settings, subject: str, days: int) -> None:
    import time

    from ...gateway.tokens import TokenSigner, read_secret
    from ...store import CannotOpen
    from ...web.app import open_store

    token_signer = TokenSigner(read_secret(settings.data), time.time)
    try:
        store = await open_store(settings)
    except CannotOpen as why:
        raise CannotOpen(f"{why}; or let that server do it, with --server URL") from None
    try:
        await store.revoke(*token_signer.build_revocation(subject, days))
    finally:
        await store.close()
