"""`palatine serve` and `palatine token`."""

from __future__ import annotations

import logging
import socket
import time
from pathlib import Path
from typing import Annotated, Literal, NoReturn

import anyio
import typer
from rich.console import Console
from rich.panel import Panel

from ..games.kit import Refused
from ..gateway.identity import Identities, secret_of
from ..settings import Settings
from ..store.sqlite import CannotOpen
from .app import open_store
from .serving import server

DEFAULT = Settings()
console = Console(stderr=True)
PANEL = "Running a server"

Data = Annotated[Path, typer.Option(help="Where tables and the signing secret are kept.", envvar="PALATINE_DATA")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of somebody who runs a server."""
    app.command(rich_help_panel=PANEL)(serve)
    app.command(rich_help_panel=PANEL)(token)


def serve(
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all.")] = DEFAULT.host,
    port: Annotated[
        int, typer.Option(help="Port to listen on; 0 picks a free one.", envvar="PALATINE_PORT")
    ] = DEFAULT.port,
    data: Data = DEFAULT.data,
    store: Annotated[
        str,
        typer.Option(
            help="Keep tables in a Redis or Valkey instead, e.g. redis://localhost; several servers may share it.",
            envvar="PALATINE_STORE",
        ),
    ] = DEFAULT.store,
    durability: Annotated[
        str, typer.Option(help="What an acknowledgement of that Redis promises: fsync, or replicas=1 and more.")
    ] = DEFAULT.durability,
    origin: Annotated[
        list[str] | None, typer.Option(help="A web origin that may connect, e.g. https://play.example; * for all.")
    ] = None,
    allow_seeds: Annotated[bool, typer.Option(help="Let anybody choose the seed of a table (for tests).")] = False,
) -> None:
    """Serve tables over websockets, with everything kept in one file of the data directory, or in a Redis.

    Stop it with Ctrl-C or SIGTERM: clients are told when to come back, and nothing that was acknowledged is lost.
    """
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    settings = Settings(
        host=host,
        port=port,
        data=data,
        store=store,
        durability=durability,
        origins=origin or [],
        allow_seeds=allow_seeds,
    )
    _check(settings)
    server(settings, lambda url: _greet(url, data)).run()


def _check(settings: Settings) -> None:
    """Say in one line why these settings cannot be served, before anything is started."""
    try:
        _try_address(settings.host, settings.port)
        anyio.run(_try_store, settings)
        secret_of(settings.data)
    except Refused as why:
        _give_up(why.sentence)
    except (CannotOpen, OSError) as why:
        _give_up(str(why))


def _give_up(sentence: str) -> NoReturn:
    console.print(sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(1)


def _try_address(host: str, port: int) -> None:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address, family=family).close()
    except OSError as error:
        raise CannotOpen(f"cannot listen on {host}, port {port}: {error.strerror}; choose another --port") from None


async def _try_store(settings: Settings) -> None:
    await (await open_store(settings)).close()


def _greet(url: str, data: Path) -> None:
    socket = f"{url.replace('http', 'ws', 1)}/v1/ws"
    words = f"[bold]{url}[/]\nprotocol page  {url}/docs\nwebsocket      {socket}\ndata           {data}"
    if console.is_terminal:
        console.print(Panel.fit(words, title="Palatine", subtitle="Ctrl-C stops"))
    else:
        console.print(f"palatine serves {url}", highlight=False, soft_wrap=True)


def token(
    name: Annotated[str, typer.Argument(help="The name that others will see.")],
    kind: Annotated[Literal["guest", "bot", "admin"], typer.Option(help="Whose token it is.")] = "bot",
    days: Annotated[int, typer.Option(help="How long it is valid.", min=1, max=3650)] = 365,
    data: Data = DEFAULT.data,
) -> None:
    """Print a token for a bot or an administrator. Keep it secret: whoever has it is that user."""
    made, _ = Identities(secret_of(data), time.time).token(name, kind, days)
    typer.echo(made)
