"""The commands about records of games: `palatine verify`, `record`, `archive`, `erase`, `keys`, `import` and `replay`.

Nothing but the options is loaded before a command runs, so that `palatine --help` is quick.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ..settings import Settings
from .options import AdminToken, ServerUrl

DEFAULT = Settings()
PANEL = "Records of games"

File = Annotated[Path, typer.Argument(help="The record.", exists=True, dir_okay=False, readable=True)]
Data = Annotated[
    Path, typer.Option(help="The data directory of a server, running or not.", envvar="PALATINE_DATA", file_okay=False)
]
Store = Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")]
Durability = Annotated[str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")]
PublicUrl = Annotated[
    str, typer.Option(metavar="URL", help="The address that signed records name.", envvar="PALATINE_PUBLIC_URL")
]
WithoutNames = Annotated[bool, typer.Option("--without-names", help="Erase all names from what is written.")]
WithoutChat = Annotated[bool, typer.Option("--without-chat", help="Erase all that was said.")]
Games = Annotated[list[str] | None, typer.Option("--game", metavar="MODULE:GAME", help="This game too.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (verify, record, archive, erase, keys):
        app.command(rich_help_panel=PANEL)(command)
    app.command("import", rich_help_panel=PANEL)(import_records)
    app.command(rich_help_panel=PANEL)(replay)


def verify(
    file: File,
    server: Annotated[
        str, typer.Option(metavar="URL", help="Ask this server for its keys: the record must be signed with one.")
    ] = "",
    keys: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The same with keys that were saved from /v1/keys of a server.")
    ] = None,
    game: Games = None,
) -> None:
    """Play a recorded game again and say whether every shuffle, draw and result follows, and who signed the record.

    No server is asked unless you name one. It ends with code 1 if anything does not follow or the server that you
    named did not sign the record, and with 2 if the record or the keys cannot be read. A game of another edition of the
    rules may part from the installed ones: then only the record itself is checked.
    """
    from .records import verify as run

    run(file=file, server=server, keys=keys, game=game)


def record(
    table: Annotated[str, typer.Argument(help="The table; its game must be over.")],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write it; TABLE.palatine if absent.")
    ] = None,
    without_names: WithoutNames = False,
    without_chat: WithoutChat = False,
    data: Data = DEFAULT.data,
    store: Store = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
    public_url: PublicUrl = DEFAULT.public_url,
) -> None:
    """Write the record of a game to a file, signed if the server's key is there; no server is disturbed."""
    from .records import record as run

    run(
        table=table,
        out=out,
        without_names=without_names,
        without_chat=without_chat,
        data=data,
        store=store,
        durability=durability,
        public_url=public_url,
    )


def archive(
    folder: Annotated[Path, typer.Argument(help="Where to put them; made if it is not there.", file_okay=False)],
    without_names: WithoutNames = False,
    without_chat: WithoutChat = False,
    data: Data = DEFAULT.data,
    store: Store = DEFAULT.store,
    durability: Durability = DEFAULT.durability,
    public_url: PublicUrl = DEFAULT.public_url,
) -> None:
    """Write the records of all games that are over to files, except those that are there already."""
    from .records import archive as run

    run(
        folder=folder,
        without_names=without_names,
        without_chat=without_chat,
        data=data,
        store=store,
        durability=durability,
        public_url=public_url,
    )


def erase(
    file: File,
    names: Annotated[bool, typer.Option("--names", help="Erase all names.")] = False,
    chat: Annotated[bool, typer.Option("--chat", help="Erase all that was said.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write the result; over the file itself if absent.")
    ] = None,
) -> None:
    """Erase names or chat from a record for good; its signature and everything else can be verified as before."""
    from .records import erase as run

    run(file=file, names=names, chat=chat, out=out)


def keys(
    rotate: Annotated[bool, typer.Option("--rotate", help="Retire the key in use and make another.")] = False,
    data: Annotated[
        Path, typer.Option(help="The data directory of a server, running or not.", envvar="PALATINE_DATA")
    ] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="The Redis or Valkey instead.", envvar="PALATINE_STORE")] = DEFAULT.store,
    durability: Annotated[
        str, typer.Option(help="As the servers on that Redis say.", envvar="PALATINE_DURABILITY")
    ] = DEFAULT.durability,
) -> None:
    """List the keys with which a server signs records, or replace the key in use.

    Servers that run take the new key within half a minute. Retired keys stay published, so that what they signed can
    still be verified.
    """
    from .keys import keys as run

    run(rotate=rotate, data=data, store=store, durability=durability)


def import_records(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="Records.", exists=True, dir_okay=False)],
    server: ServerUrl = "",
    admin_token: AdminToken = "",
    data: Annotated[Path, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_DATA")] = DEFAULT.data,
    store: Annotated[str, typer.Option(help="As in `palatine serve`.", envvar="PALATINE_STORE")] = DEFAULT.store,
    game: Annotated[list[str] | None, typer.Option(metavar="MODULE:GAME", help="This game too.")] = None,
) -> None:
    """Bring recorded games to a server, where they can be watched and told again under the ids they had.

    A record that cannot be verified is refused. While a server keeps its
    tables in a file, only that server can do it: name it, and have an
    administrator's token in PALATINE_ADMIN_TOKEN. It ends with code 1 if any
    record is refused.
    """
    from .import_records import import_records as run

    run(files=files, server=server, admin_token=admin_token, data=data, store=store, game=game)


def replay(
    file: Annotated[Path, typer.Argument(help="The record.", exists=True, dir_okay=False, readable=True)],
    seat: Annotated[
        int | None, typer.Option(help="See it as this seat did, from 1 on; otherwise as everybody did.", min=1)
    ] = None,
    at: Annotated[int | None, typer.Option(help="Show only the table after this entry.", min=0)] = None,
    pace: Annotated[float, typer.Option(help="Entries per second, when it plays on.", min=0.1, max=50)] = 1.0,
    lang: Annotated[
        Literal["en", "de"] | None, typer.Option(help="German or English.", show_default="that of this machine")
    ] = None,
) -> None:
    """Play a recorded game in the terminal: step, jump, go back, or let it run. Without a keyboard it just runs."""
    from .replay import replay as run

    run(file=file, seat=seat, at=at, pace=pace, lang=lang)
