"""`palatine discord`: run the Discord app beside any server, or put its commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from palatine_client.screen_text import screen_text

from ..options import SERVER_PANEL

Token = Annotated[
    str, typer.Option(help="The token of the app's bot.", envvar="PALATINE_DISCORD_TOKEN", show_default=False)
]
ServerUrl = Annotated[
    str, typer.Option(metavar="URL", help="The address of the game server.", envvar="PALATINE_SERVER")
]
ApiUrl = Annotated[
    str, typer.Option(metavar="URL", help="Another Discord, for tests.", envvar="PALATINE_DISCORD_API", hidden=True)
]
MemoryFile = Annotated[Path, typer.Option(help="The file in which the app remembers threads and reminders.")]
DEFAULT_FILE = Path("discord.sqlite")
DEFAULT_SERVER = "http://localhost:8080"
API = "https://discord.com/api/v10"


def add_to(app: typer.Typer) -> None:
    """Add the command and its subcommands."""
    group = typer.Typer(invoke_without_command=True, help=run_discord.__doc__)
    group.callback()(run_discord)
    group.command("register")(register)
    group.command("forget")(forget)
    app.add_typer(group, name="discord", rich_help_panel=SERVER_PANEL)


def run_discord(
    context: typer.Context,
    public_key: Annotated[
        str,
        typer.Option(
            help="The public key of the app, from the developer portal.", envvar="PALATINE_DISCORD_PUBLIC_KEY"
        ),
    ] = "",
    token: Token = "",
    service_token: Annotated[
        str,
        typer.Option(
            help="A token of the game server for this app: palatine token discord --kind service.",
            envvar="PALATINE_DISCORD_SERVICE_TOKEN",
            show_default=False,
        ),
    ] = "",
    server: ServerUrl = DEFAULT_SERVER,
    file: MemoryFile = DEFAULT_FILE,
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on.")] = 8090,
    picture_workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that draw pictures.")] = 1,
    api: ApiUrl = API,
) -> None:
    """Let a Discord community play: serve the interactions of a Discord app at /discord/interactions.

    clients/DISCORD.md leads from an empty Discord application to a played game.
    """
    if context.invoked_subcommand is not None:
        return
    for name, value in (("--public-key", public_key), ("--token", token), ("--service-token", service_token)):
        if not value:
            raise typer.BadParameter(f"{name} is missing; `palatine discord --help` says where to find it.")
    from palatine_client.chat.discord.signatures import load_public_key

    from ...log_format import configure_logging
    from ..discord_process import DiscordOptions, run_process

    try:
        load_public_key(public_key)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    configure_logging("auto")
    run_process(DiscordOptions(public_key, token, service_token, server, file, host, port, picture_workers, api))


def register(token: Token = "", server: ServerUrl = DEFAULT_SERVER, api: ApiUrl = API) -> None:
    """Put the commands of the app, in English and German, with the games of the server."""
    if not token:
        raise typer.BadParameter("--token is missing; copy it from the developer portal.")
    from palatine_client.chat.discord.rest_client import DiscordBusy, DiscordRefused
    from palatine_client.chat.runner import ServerAway

    from ..discord_process import put_commands

    try:
        count = put_commands(token, server, api)
    except (ServerAway, DiscordBusy, DiscordRefused) as error:
        typer.echo(screen_text(f"The commands were not put: {error}"), err=True)
        raise typer.Exit(1) from None
    typer.echo(screen_text(f"/palatine has {count} subcommands now. Discord shows them within a minute."))


def forget(
    person: Annotated[str, typer.Argument(help="The person's id in Discord: Copy User ID, in its developer mode.")],
    file: MemoryFile = DEFAULT_FILE,
) -> None:
    """Forget a person in the file of the app; stop the app first. `palatine forget` erases them on the server."""
    if not (person.isdecimal() and person.isascii()):
        raise typer.BadParameter("an id of Discord has digits alone.")
    if not file.exists():
        raise typer.BadParameter(f"there is no file {file}.")
    from ..discord_process import forget_person

    forget_person(file, person)
    typer.echo(screen_text(f"{person} is forgotten."))
