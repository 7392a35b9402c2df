"""`palatine serve`: run a server in one process or in several."""

from __future__ import annotations

import logging
import sys
from itertools import zip_longest
from secrets import randbelow, token_urlsafe
from typing import TYPE_CHECKING, Annotated, Literal

import typer
from typer.core import TyperCommand

from palatine_client.game_option import MoreGames, search_working_directory

from ..gc_pause import pause_collector
from ..options import DEFAULT, SERVER_PANEL, OwnDataDirectory

if TYPE_CHECKING:
    from ...settings import Settings


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(cls=ServeCommand, rich_help_panel=SERVER_PANEL)(serve)


class ServeCommand(TyperCommand):
    """The command, whose `--nasty` needs no seed: without one, it takes any."""

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        seeded = [
            f"--nasty={randbelow(10_000)}" if word == "--nasty" and not value.isdigit() else word
            for word, value in zip_longest(args, args[1:], fillvalue="")
        ]
        return super().parse_args(ctx, seeded)


def serve(
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 for all.", envvar="PALATINE_HOST")
    ] = DEFAULT.host,
    port: Annotated[
        int, typer.Option(help="The port to listen on; 0 picks a free one.", envvar="PALATINE_PORT")
    ] = DEFAULT.port,
    data: OwnDataDirectory = DEFAULT.data,
    store: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Keep the tables in a Redis or Valkey instead, e.g. redis://localhost; several servers may share it.",
            envvar="PALATINE_STORE",
        ),
    ] = DEFAULT.store,
    durability: Annotated[
        str,
        typer.Option(
            help="What that Redis must promise before an action is acknowledged: fsync, or replicas=1 and more.",
            envvar="PALATINE_DURABILITY",
        ),
    ] = DEFAULT.durability,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            help="Allow pages of this web origin too, e.g. https://play.example; * allows all. The server's own pages "
            "are always allowed; on loopback, so are those of localhost.",
            envvar="PALATINE_ORIGINS",
        ),
    ] = None,
    public_url: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The address at which clients reach the server through a proxy, e.g. https://play.example.",
            envvar="PALATINE_PUBLIC_URL",
        ),
    ] = DEFAULT.public_url,
    game: MoreGames = None,
    workers: Annotated[
        int,
        typer.Option(
            min=1, max=64, help="Run this many processes on one address; needs --store.", envvar="PALATINE_WORKERS"
        ),
    ] = 1,
    metrics_port: Annotated[
        int,
        typer.Option(
            help="Serve Prometheus metrics on this port of PALATINE_METRICS_HOST (127.0.0.1), each further worker "
            "on the next port; 0 serves none.",
            envvar="PALATINE_METRICS_PORT",
        ),
    ] = DEFAULT.metrics_port,
    log: Annotated[
        Literal["auto", "json", "text"],
        typer.Option(help="The log format; auto writes text to a terminal and JSON elsewhere.", envvar="PALATINE_LOG"),
    ] = DEFAULT.log,
    allow_seeds: Annotated[
        bool,
        typer.Option(help="Let users choose the seed of a table; only for tests.", envvar="PALATINE_ALLOW_SEEDS"),
    ] = False,
    nasty: Annotated[
        int | None,
        typer.Option(
            metavar="[SEED]",
            min=0,
            help="Be nasty to clients, to test them: unknown keys and messages, lost and doubled updates, broken "
            "connections, goodbyes. The same seed is nasty in the same way; without one, the server picks one and says "
            "which.",
            envvar="PALATINE_NASTY",
            show_default=False,
        ),
    ] = None,
    reload: Annotated[
        bool,
        typer.Option(
            "--reload",
            help="For authors of games: when files of a game change, load its rules again, replay running tables "
            "with them, show what differs, and serve a developer page. Only on loopback.",
        ),
    ] = False,
) -> None:
    """Serve tables over websockets, and keep them in a file of the data directory or in a Redis.

    Stop the server with Ctrl-C or SIGTERM: it tells clients when to reconnect, and loses nothing that it acknowledged.

    With several workers, SIGHUP replaces them one after the other, for instance after an update.

    With --reload, authors of games see at once what a change of their rules does. See games/README.md.

    Every setting of palatine_server/settings.py can be given in the environment, e.g. PALATINE_HEARTBEAT=60.
    """
    with pause_collector():
        from ...log_format import configure_logging
        from ...web import preflight
        from ...web.server import create_server
        from ...web.supervisor import run_supervisor

    sys.dont_write_bytecode = reload or sys.dont_write_bytecode  # two edits in a second leave bytecode of the first
    with preflight.explain_failures():
        settings = preflight.merge_settings(
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
            nasty=nasty,
            **({"develop_token": token_urlsafe(24)} if reload else {}),
        )
    if workers > 1 and not store:
        preflight.give_up(
            "Several workers need --store, because only one process can serve the file of a data directory."
        )
    if workers > 1 and reload:
        preflight.give_up("--reload runs one process; leave --workers out.")
    configure_logging(settings.log)
    with preflight.explain_failures():
        search_working_directory()
        preflight.check_address(settings.host, settings.port)
        preflight.check_settings(settings)
    if reload:
        serve_with_reload(settings)
    elif workers == 1:
        create_server(settings, lambda url: _announce(url, settings)).run()
    elif failure := run_supervisor(workers, settings, lambda url: _announce(url, settings)):
        preflight.give_up(failure)


def serve_with_reload(settings: Settings) -> None:
    """Serve in a process that is replaced when the rules change; print what the change means for running tables."""
    from palatine_client.render.translations import detect_language

    from ...reload.reloader import run_reloader
    from ...web.develop.rules_report import RulesReport, describe_report
    from ...web.preflight import console, give_up

    language = detect_language()

    def announce(url: str) -> None:
        _announce(url, settings)
        page = f"{url}/develop#{settings.develop_token}"
        console.print(f"developer page  {page}", highlight=False, soft_wrap=True, markup=False)

    def show(report: RulesReport) -> None:
        if report.changed:
            console.print(", ".join(report.changed), style="bold", highlight=False, soft_wrap=True, markup=False)
        if report.is_worth_showing:
            for line in describe_report(report, language):
                style = "red" if report.error else ""
                console.print(line, style=style, highlight=False, soft_wrap=True, markup=False)

    if failure := run_reloader(settings, announce, show):
        give_up(failure)


def _announce(url: str, settings: Settings) -> None:
    """Print or log the address of the server, for the operator or for a script that waits for this line."""
    from rich.panel import Panel
    from rich.text import Text

    from ...web.preflight import console

    nasty = {} if settings.nasty is None else {"nasty": settings.nasty}
    if settings.log == "json":
        logging.getLogger("palatine.web").info("palatine serves", extra={"url": url, **nasty})
        return
    if nasty:
        console.print(f"nasty to clients, with seed {settings.nasty}", highlight=False)
    websocket = f"{url.replace('http', 'ws', 1)}/v1/ws"
    lines = f"protocol page  {url}/docs\nwebsocket      {websocket}\ndata           {settings.data}"
    if console.is_terminal:
        console.print(Panel.fit(Text.assemble((url, "bold"), f"\n{lines}"), title="Palatine", subtitle="Ctrl-C stops"))
    else:
        console.print(f"palatine serves {url}", highlight=False, soft_wrap=True)
