"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

LONGEST_DAYS = 3650  # that a token is valid; a test compares it with the limit of tokens

ServerUrl = Annotated[
    str, typer.Option("--server", metavar="URL", help="Let this running server do it.", envvar="PALATINE_SERVER")
]
AdminToken = Annotated[
    str, typer.Option(help="What that server knows you by; better in the environment.", envvar="PALATINE_ADMIN_TOKEN")
]
