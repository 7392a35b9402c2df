"""The commands of whoever runs a server: `palatine serve`, `token`, `revoke`, `shadow` and `doctor`.

Nothing but the options is loaded before a command runs, so that `palatine --help` is quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ..settings import Settings
from .gc_pause import pause_collector
from .options import LONGEST_DAYS, AdminToken, ServerUrl

DEFAULT = Settings()
PANEL = "Running a server"
WHERE, REPAIR, HOW = "Which store", "What to do about a table", "How you see it"

Data = Annotated[Path, typer.Option(help="Where tables and the signing secret are kept.", envvar="PALATINE_DATA")]

DOCTOR_HELP = """
Check a store, list the tables that cannot be served, and say what can be done.

It reads every table as a server would: the file itself, the hash chain, the
snapshot, every entry, the game and its rules. Nothing is changed and no server
is disturbed, unless you say --drop or --rebuild.

[bold not dim]Exit codes[/]
  [green not dim]0[/]  the store is healthy, or what you asked for is done
  [green not dim]1[/]  something was found
  [green not dim]2[/]  the store cannot be opened, or what you asked for cannot be done

[bold not dim]Examples[/]
  [green not dim]palatine doctor --data /var/lib/palatine[/]
      Check the file of a server, while it runs or not.

  [green not dim]palatine doctor --store redis://localhost --json[/]
      Check the tables in a Redis, for a program.

  [green not dim]palatine doctor --export 7hfJb2kQxYw0PzTe --out table.jsonl[/]
      Keep what is readable of one table. The file holds its secrets.

  [green not dim]palatine doctor --drop 7hfJb2kQxYw0PzTe[/]
      Remove one table for good. No server may hold the file.

  [green not dim]palatine doctor --rebuild[/]
      Copy every readable table into a new file, and keep the damaged one.
"""


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (serve, token, revoke, shadow):
        app.command(rich_help_panel=PANEL)(command)
    app.command(help=DOCTOR_HELP, rich_help_panel=PANEL)(doctor)


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
    with pause_collector():
        from .serve import serve as run

    run(
        host=host,
        port=port,
        data=data,
        store=store,
        durability=durability,
        origin=origin,
        public_url=public_url,
        game=game,
        workers=workers,
        metrics_port=metrics_port,
        log=log,
        allow_seeds=allow_seeds,
    )


def token(
    name: Annotated[str, typer.Argument(help="The name that others will see.")],
    kind: Annotated[Literal["guest", "bot", "admin"], typer.Option(help="Whose token it is.")] = "bot",
    days: Annotated[int, typer.Option(help="How long it is valid.", min=1, max=LONGEST_DAYS)] = 365,
    data: Data = DEFAULT.data,
) -> None:
    """Print a token for a bot or an administrator. Keep it secret: whoever has it is that user."""
    from .serve import token as run

    run(name=name, kind=kind, days=days, data=data)


def revoke(
    subject: Annotated[str, typer.Argument(metavar="TOKEN_OR_USER", help="A token that leaked, or the id of a user.")],
    days: Annotated[int, typer.Option(help="For how long.", min=1, max=LONGEST_DAYS)] = LONGEST_DAYS,
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: Annotated[Path, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_DATA")] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_STORE")] = DEFAULT.store,
) -> None:
    """Shut a token or a user out. All connections are closed within a second or two, on every node.

    While a server keeps its tables in a file, only that server can do it:
    name it, and have an administrator's token in PALATINE_ADMIN_TOKEN. With a
    Redis, --store is enough.
    """
    from .revoke import revoke as run

    run(subject=subject, days=days, server=server, admin_token=admin_token, data=data, store=store)


def shadow(
    data: Annotated[
        Path, typer.Option(help="The data directory, of a server that runs, or a copy.", envvar="PALATINE_DATA")
    ] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")] = DEFAULT.store,
    durability: Annotated[
        str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")
    ] = DEFAULT.durability,
    game: Annotated[
        list[str] | None, typer.Option(metavar="MODULE:GAME", help="This game too.", envvar="PALATINE_GAMES")
    ] = None,
) -> None:
    """Play all live tables again with the installed rules, and list those that would differ.

    Do this with a new version before you deploy it. Nothing is changed and no
    server is disturbed; it ends with code 1 if any table differs.
    """
    from .shadow import shadow as run

    run(data=data, store=store, durability=durability, game=game)


def doctor(
    data: Annotated[
        Path,
        typer.Option(help="The data directory of a server.", envvar="PALATINE_DATA", rich_help_panel=WHERE),
    ] = DEFAULT.data,
    store: Annotated[
        str,
        typer.Option(
            metavar="URL", help="The Redis or Valkey instead.", envvar="PALATINE_STORE", rich_help_panel=WHERE
        ),
    ] = DEFAULT.store,
    durability: Annotated[
        str,
        typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY", rich_help_panel=WHERE),
    ] = DEFAULT.durability,
    game: Annotated[
        list[str] | None,
        typer.Option(metavar="MODULE:GAME", help="This game too.", envvar="PALATINE_GAMES", rich_help_panel=WHERE),
    ] = None,
    export: Annotated[
        str, typer.Option(metavar="TABLE", help="Write what is readable of a table.", rich_help_panel=REPAIR)
    ] = "",
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", metavar="FILE", help="Where to; TABLE.jsonl if absent.", rich_help_panel=REPAIR),
    ] = None,
    drop: Annotated[str, typer.Option(metavar="TABLE", help="Remove a table for good.", rich_help_panel=REPAIR)] = "",
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Copy all readable tables into a new file.", rich_help_panel=REPAIR)
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.", rich_help_panel=REPAIR)] = False,
    lang: Annotated[
        Literal["en", "de"] | None,
        typer.Option(
            "--lang", "-l", show_default="that of this machine", help="German or English.", rich_help_panel=HOW
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the report as JSON and nothing else.", rich_help_panel=HOW)
    ] = False,
) -> None:
    """Choose what to do."""
    from .doctor import doctor as run

    run(
        data=data,
        store=store,
        durability=durability,
        game=game,
        export=export,
        out=out,
        drop=drop,
        rebuild=rebuild,
        yes=yes,
        lang=lang,
        as_json=as_json,
    )
