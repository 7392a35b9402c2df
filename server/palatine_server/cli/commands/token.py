"""`palatine token`: print a token for a bot, a guest, a service or an administrator."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from ..options import DEFAULT, LONGEST_DAYS, SERVER_PANEL, OwnDataDirectory


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(rich_help_panel=SERVER_PANEL)(token)


def token(
    name: Annotated[str, typer.Argument(help="The name that other players see.")],
    kind: Annotated[
        Literal["guest", "bot", "service", "admin"],
        typer.Option(help="The kind of user. A service makes tokens for users of its own."),
    ] = "bot",
    days: Annotated[int, typer.Option(help="How many days the token is valid.", min=1, max=LONGEST_DAYS)] = 365,
    data: OwnDataDirectory = DEFAULT.data,
) -> None:
    """Print a token for a bot, a service or an administrator. Keep it secret: it lets anybody act as that user."""
    import time

    from ...gateway.tokens import TokenSigner, read_secret
    from ...web.preflight import explain_failures

    with explain_failures():
        secret = read_secret(data)
    typer.echo(TokenSigner(secret, time.time).create_token(name, kind, days)[0])
