"""`palatine serve` and `palatine token`."""

from __future__ import annotations

import logging
import os
import socket
import sys
import time
from pathlib import Path
from typing import Literal

import anyio
import typer
from rich.panel import Panel
from rich.text import Text

from ..gateway.tokens import Identities, secret_of
from ..log_format import configure_logging
from ..settings import Settings
from ..store import CannotOpen
from ..web.preflight import check_settings, console, explain_failures, give_up, merge_settings
from ..web.server import create_server
from ..web.supervisor import Supervisor


def serve(
    host: str,
    port: int,
    data: Path,
    store: str,
    durability: str,
    origin: list[str] | None,
    public_url: str,
    game: list[str] | None,
    workers: int,
    metrics_port: int,
    log: Literal["auto", "json", "text"],
    allow_seeds: bool,
) -> None:
    """Serve until told to stop."""
    with explain_failures():
        settings = merge_settings(
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
    configure_logging(settings.log)
    with explain_failures():
        _check(settings)
    if workers > 1:
        _serve_with(workers, settings)
    else:
        create_server(settings, lambda url: _greet(url, settings)).run()


def _serve_with(workers: int, settings: Settings) -> None:
    if trouble := anyio.run(_serve_together, workers, settings):
        give_up(trouble)


async def _serve_together(count: int, settings: Settings) -> str:
    supervisor = Supervisor(count, settings, lambda url: _greet(url, settings))
    return "" if await supervisor.run() else supervisor.failure or "a worker did not stop in good order"


def _check(settings: Settings) -> None:
    """Find out before anything is started whether these settings can be served."""
    sys.path.insert(0, os.getcwd())  # games are looked for here as well
    _try_address(settings.host, settings.port)
    check_settings(settings)


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


def token(name: str, kind: Literal["guest", "bot", "admin"], days: int, data: Path) -> None:
    """Print a token."""
    with explain_failures():
        secret = secret_of(data)
    typer.echo(Identities(secret, time.time).token(name, kind, days)[0])
