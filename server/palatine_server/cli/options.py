"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from ..settings import Settings

DEFAULT = Settings()
SERVER_PANEL, RECORD_PANEL = "Running a server", "Records of games"
LONGEST_DAYS = 3650  # the longest validity of a token in days; a test compares it with the limit of tokens

# A server that does the work
ServerUrl = Annotated[
    str,
    typer.Option("--server", metavar="URL", help="Let this running server do the work.", envvar="PALATINE_SERVER"),
]
AdminToken = Annotated[
    str,
    typer.Option(
        help="An administrator's token for that server; better set in the environment.", envvar="PALATINE_ADMIN_TOKEN"
    ),
]

# A store
DataDirectory = Annotated[
    Path,
    typer.Option(
        help="The data directory of a server, whether it runs or not.", envvar="PALATINE_DATA", file_okay=False
    ),
]
StoreDirectory = Annotated[
    Path, typer.Option(help="The data directory of a server, whether it runs or not.", envvar="PALATINE_DATA")
]
OwnDataDirectory = Annotated[
    Path, typer.Option(help="The directory that holds the tables and the signing secret.", envvar="PALATINE_DATA")
]
StoreUrl = Annotated[
    str,
    typer.Option(metavar="URL", help="A Redis or Valkey that holds the tables instead.", envvar="PALATINE_STORE"),
]
Durability = Annotated[
    str, typer.Option(help="The durability that the servers on that Redis use.", envvar="PALATINE_DURABILITY")
]

# Records
RecordFile = Annotated[Path, typer.Argument(help="The record file.", exists=True, dir_okay=False, readable=True)]
PublicUrl = Annotated[
    str, typer.Option(metavar="URL", help="The server address for signed records.", envvar="PALATINE_PUBLIC_URL")
]
WithoutNames = Annotated[bool, typer.Option("--without-names", help="Leave all names out.")]
WithoutChat = Annotated[bool, typer.Option("--without-chat", help="Leave all chat out.")]

# Output
Language = Annotated[
    Literal["en", "de"] | None,
    typer.Option("--lang", help="English or German.", show_default="the language of this machine"),
]
