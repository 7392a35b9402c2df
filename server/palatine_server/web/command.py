"""`palatine serve` and `palatine token`."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from pathlib import Path
from typing import Annotated, Literal

import anyio
import typer
from rich.panel import Panel
from rich.text import Text

from ..gateway.identity import LONGEST_DAYS, Identities, secret_of
from ..logs import log_as
from ..records.command import PANEL as RECORDS
from ..settings import Settings
from ..store import CannotOpen
from .checking import check, console, give_up, in_one_line, settings_with
from .importing import import_records
from .revoking import revoke
from .serving import server
from .workers import Workers

DEFAULT = Settings()
PANEL = "Running a server"

Data = Annotated[Path, typer.Option(help="Where tables and the signing secret are kept.", envvar="PALATINE_DATA")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of somebody who runs a server."""
    app.command(rich_help_panel=PANEL)(serve)
    app.command(rich_help_panel=PANEL)(token)
    app.command(rich_help_panel=PANEL)(revoke)
    app.command("import", rich_help_panel=RECORDS)(import_records)


def serve(
    host: Annotated[
        str, typer.Option(help="Address to listen on; 0.0.0.0 for all.", envvar="PALATINE_HOST")
    ] = DEFAULT.host,
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
        str,
        typer.Option(
            help="What an acknowledgement of that Redis promises: fsync, or replicas=1 and more.",
            envvar="PALATINE_DURABILITY",
        ),
    ] = DEFAULT.durability,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Let pages of this web origin use the server too, e.g. https://play.example; * for all. The server's "
            "own pages always may; on loopback so may those of localhost.",
            envvar="PALATINE_ORIGINS",
        ),
    ] = None,
    public_url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Where clients reach the server through a proxy, e.g. https://play.example.",
            envvar="PALATINE_PUBLIC_URL",
        ),
    ] = DEFAULT.public_url,
    game: Annotated[
        list[str] | None,
        typer.Option(
            metavar="MODULE:GAME", help="Serve this game too, e.g. my_games.chess:CHESS.", envvar="PALATINE_GAMES"
        ),
    ] = None,
    workers: Annotated[
        int,
        typer.Option(min=1, max=64, help="Serve with so many processes; only with --store.", envvar="PALATINE_WORKERS"),
    ] = 1,
    metrics_port: Annotated[
        int,
        typer.Option(
            help="Show metrics for Prometheus on this port of PALATINE_METRICS_HOST (127.0.0.1), each further worker "
            "on the next; 0 does not.",
            envvar="PALATINE_METRICS_PORT",
        ),
    ] = DEFAULT.metrics_port,
    log: Annotated[
        Literal["auto", "json", "text"],
        typer.Option(help="How to log; by default as text to a terminal, otherwise as JSON.", envvar="PALATINE_LOG"),
    ] = DEFAULT.log,
    allow_seeds: Annotated[
        bool, typer.Option(help="Let anybody choose the seed of a table (for tests).", envvar="PALATINE_ALLOW_SEEDS")
    ] = False,
) -> None:
    """Serve tables over websockets, with everything kept in one file of the data directory, or in a Redis.

    Stop it with Ctrl-C or SIGTERM: clients are told when to come back, and nothing that was acknowledged is lost.

    With several workers, SIGHUP replaces them one after the other, for instance after an update.

    Every setting of palatine_server/settings.py can be given in the environment, e.g. PALATINE_HEARTBEAT=60.
    """
    with in_one_line():
        settings = settings_with(
            host=host,
            port=port,
            workers=workers,
            metrics_port=metrics_port,
            log=log,
            data=data,
            store=store,
            durability=durability,
            origins=origin or [],
            public_url=public_url,
            games=game or [],
            allow_seeds=allow_seeds,
        )
    if workers > 1 and not store:
        give_up("one process serves the file of a data directory; several workers need --store")
    log_as(settings.log)
    with in_one_line():
        _check(settings)
    if workers > 1:
        _serve_with(workers, settings)
    else:
        server(settings, lambda url: _greet(url, settings)).run()


def _serve_with(workers: int, settings: Settings) -> None:
    if trouble := anyio.run(_serve_together, workers, settings):
        give_up(trouble)


async def _serve_together(count: int, settings: Settings) -> str:
    workers = Workers(count, settings, lambda url: _greet(url, settings))
    return "" if await workers.run() else workers.trouble or "a worker did not stop in good order"


def _check(settings: Settings) -> None:
    """Find out before anything is started whether these settings can be served."""
    sys.path.insert(0, os.getcwd())  # games are looked for here as well
    _try_address(settings.host, settings.port)
    check(settings)


def _try_address(host: str, port: int) -> None:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        socket.create_server(address, family=family).close()
    except OSError as error:
        raise CannotOpen(f"cannot listen on {host}, port {port}: {error.strerror}; choose another --port") from None


def _greet(url: str, settings: Settings) -> None:
    """Say where we are: to a person, to a log, or to a script that waits for it."""
    if settings.log == "json":
        logging.getLogger("palatine.web").info("palatine serves", extra={"url": url})
        return
    socket = f"{url.replace('http', 'ws', 1)}/v1/ws"
    words = f"protocol page  {url}/docs\nwebsocket      {socket}\ndata           {settings.data}"
    if console.is_terminal:
        console.print(Panel.fit(Text.assemble((url, "bold"), f"\n{words}"), title="Palatine", subtitle="Ctrl-C stops"))
    else:
        console.print(f"palatine serves {url}", highlight=False, soft_wrap=True)


def token(
    name: Annotated[str, typer.Argument(help="The name that others will see.")],
    kind: Annotated[Literal["guest", "bot", "admin"], typer.Option(help="Whose token it is.")] = "bot",
    days: Annotated[int, typer.Option(help="How long it is valid.", min=1, max=LONGEST_DAYS)] = 365,
    data: Data = DEFAULT.data,
) -> None:
    """Print a token for a bot or an administrator. Keep it secret: whoever has it is that user."""
    with in_one_line():
        secret = secret_of(data)
    typer.echo(Identities(secret, time.time).token(name, kind, days)[0])
