"""`palatine webhook`: let a server notify a URL when it is your turn."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Annotated

import typer

from ...render.translations import detect_language, label
from ..options import DEFAULT_SERVER, PANEL, WHERE, Json, Language, Server

if TYPE_CHECKING:
    from ...webhooks import Webhook, Webhooks

HELP = """
Get an HTTP notification when it is your turn or a game is over, while you are not connected.

[bold not dim]Examples[/]
  [green not dim]palatine webhook set https://hooks.example/me[/]
      For all your tables. Prints the secret that signs every notification.

  [green not dim]palatine webhook set https://hooks.example/chat --table TABLE[/]
      For all players of one table at which you sit.
"""
TableName = Annotated[
    str | None,
    typer.Option(
        "--table", "-t", metavar="TABLE", help="The webhook of this table instead of yours.", rich_help_panel=WHERE
    ),
]


def add_to(app: typer.Typer) -> None:
    webhook = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode="rich")
    webhook.command("set")(put)
    webhook.command("show")(show)
    webhook.command("remove")(remove)
    app.add_typer(webhook, name="webhook", rich_help_panel=PANEL)


def put(
    url: Annotated[str, typer.Argument(metavar="URL", help="The URL that receives the notifications.")],
    table: TableName = None,
    server: Server = DEFAULT_SERVER,
    lang: Language = None,
    json: Json = False,
) -> None:
    """Set the webhook and print its secret, which is shown only once."""
    from ..errors import run

    command = WebhookCommand(server, table, lang or detect_language(), json)
    run(command.put(url), server, command.lang)


def show(table: TableName = None, server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Print the URL of the webhook and when it expires."""
    from ..errors import run

    command = WebhookCommand(server, table, lang or detect_language(), json)
    run(command.show(), server, command.lang)


def remove(table: TableName = None, server: Server = DEFAULT_SERVER, lang: Language = None, json: Json = False) -> None:
    """Remove the webhook."""
    from ..errors import run

    command = WebhookCommand(server, table, lang or detect_language(), json)
    run(command.remove(), server, command.lang)


class WebhookCommand:
    """Sets, prints or removes the webhook of the user, or of a table if one is named."""

    def __init__(self, url: str, table: str | None, lang: str, as_json: bool) -> None:
        from ...screen_console import ScreenConsole
        from ..shell_hints import split_invitation

        self.url, self.lang, self.as_json = url, lang, as_json
        self.table = split_invitation(table)[0] if table else None
        self.console = ScreenConsole(highlight=False)

    async def put(self, url: str) -> None:
        webhook = await (await self._connect()).put(url, self.table)
        self._print(webhook)
        if not self.as_json:
            self.console.print(label(self.lang, "webhook secret"))
            self.console.print(f"  {webhook.secret}", style="green", soft_wrap=True)

    async def show(self) -> None:
        self._print(await (await self._connect()).get(self.table))

    async def remove(self) -> None:
        await (await self._connect()).remove(self.table)
        if not self.as_json:
            self.console.print(label(self.lang, "table webhook removed" if self.table else "webhook removed"))

    async def _connect(self) -> Webhooks:
        from ...webhooks import Webhooks
        from ..http_api import HttpApi
        from ..identity import get_identity, identity_file

        await HttpApi(self.url, self.lang).fetch_games()  # raises a CommandError if there is no server
        return Webhooks(self.url, (await get_identity(self.url, identity_file(self.url))).token)

    def _print(self, webhook: Webhook | None) -> None:
        from ..json_mode import json_lines

        if self.as_json:
            json_lines.write_object(webhook)
        else:
            self.console.print(self._describe(webhook), soft_wrap=True)

    def _describe(self, webhook: Webhook | None) -> str:
        from ..shell_hints import build_command

        if webhook is None:
            at = ["--table", self.table] if self.table else []
            command = build_command("webhook", "set", "URL", *at, "--server", self.url)
            return label(self.lang, "no webhook", command=command)
        key = "webhook of another" if not webhook.url else "table webhook" if self.table else "webhook"
        expires = time.strftime("%Y-%m-%d", time.localtime(webhook.expires))
        return label(self.lang, key, table=self.table, url=webhook.url, expires=expires)
