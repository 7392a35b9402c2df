"""Identity: signed bearer tokens. Whoever holds one is that user; nothing is looked up and nothing is stored."""

from __future__ import annotations

import os
import secrets
import stat
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from itsdangerous import BadData, URLSafeSerializer
from msgspec import Struct

from palatine_protocol.errors import Code

from ..games.kit import Refused
from ..tables.book import refuse

Kind = Literal["guest", "bot", "admin"]
PREFIX = "palatine_"  # so that scanners for leaked secrets can recognise a token
LONGEST_NAME = 24
DAY = 86_400
SECRET_VARIABLE = "PALATINE_SECRET"  # noqa: S105 (its name, not its value)


class User(Struct, frozen=True):
    """Somebody who is known."""

    id: str
    name: str
    kind: Kind
    expires: int  # seconds since 1970


class Identities:
    """Makes tokens and reads them."""

    def __init__(self, secret: str, now: Callable[[], float]) -> None:
        self._sign, self._now = URLSafeSerializer(secret, salt="palatine.token.1"), now

    def token(self, name: str, kind: Kind = "guest", days: int = 30, user: str | None = None) -> tuple[str, User]:
        """A token for a new user, or a fresh one for a user known already."""
        known = User(user or secrets.token_urlsafe(12), clean(name), kind, int(self._now()) + days * DAY)
        signed = self._sign.dumps([known.id, known.name, known.kind, known.expires])
        return PREFIX + str(signed), known

    def read(self, token: str) -> User:
        """Whose token this is, or a refusal."""
        try:
            user = User(*self._signed(token))
        except (BadData, TypeError, ValueError):
            raise refuse(Code.BAD_TOKEN) from None
        if user.expires <= self._now():
            raise refuse(Code.TOKEN_EXPIRED)
        return user

    def _signed(self, token: str) -> Any:
        if not token.startswith(PREFIX):
            raise ValueError
        return self._sign.loads(token.removeprefix(PREFIX))


def clean(name: str) -> str:
    """A name as others may see it: one line, no control or direction characters, not too long."""
    visible = "".join(char if unicodedata.category(char)[0] not in "CZ" else " " for char in name[:200])
    return " ".join(visible.split())[:LONGEST_NAME].strip() or f"Guest {secrets.randbelow(9000) + 1000}"


def secret_of(data: Path) -> str:
    """The signing secret: from the environment, or made once and kept in the data directory for our eyes only."""
    if given := os.environ.get(SECRET_VARIABLE):
        return given
    path = data / "secret"
    if not path.exists():
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        _write_private(path, secrets.token_urlsafe(32))
    if path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        raise Refused("secret_open", f"{path} can be read by others; run: chmod 600 {path}")
    return path.read_text()


def _write_private(path: Path, text: str) -> None:
    """Write beside and move, so that nobody ever reads half a secret."""
    beside = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
    beside.replace(path)
