"""`palatine forget`: erase a user, with their name and chat, from all tables, records and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ..options import DEFAULT, SERVER_PANEL, AdminToken, OwnDataDirectory, ServerUrl, StoreUrl
from ..output import print_line

if TYPE_CHECKING:
    from ...settings import Settings


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=SERVER_PANEL)(forget)


def forget(
    user: Annotated[str, typer.Argument(metavar="USER", help="The id of the user, as `palatine whoami` shows it.")],
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: OwnDataDirectory = DEFAULT.data,
    store: StoreUrl = DEFAULT.store,
) -> None:
    """Erase a user: name, chat, seats, webhook, logins and tokens. Finished games stay, and can be verified.

    While a server keeps its tables in a file, only that server can do it: name it with --server, and put an
    administrator's token into PALATINE_ADMIN_TOKEN. With a Redis, --store is enough.
    """
    import json

    import anyio

    from ...web.admin_client import post_as_admin
    from ...web.preflight import explain_failures, merge_settings

    with explain_failures():
        if server:
            body = json.dumps({"user": user}).encode()
            post_as_admin(server, admin_token, "/v1/erasures", body, "application/json", timeout=300)
        else:
            anyio.run(_erase_in_store, merge_settings(data=data, store=store, metrics_port=0), user)
    print_line(f"The server knows nothing of {user} now.")


async def _erase_in_store(settings: Settings, user: str) -> None:
    from ...store import CannotOpen
    from ...web.app import create_app
    from ...web.erasure import erase_user

    app = create_app(settings)
    try:
        async with app.router.lifespan_context(app):
            await erase_user(app.state.shared, user)
    except CannotOpen as why:
        raise CannotOpen(f"{why}; or let that server do it, with --server URL") from None
