"""Tokens: signed bearer tokens. A client that sends one acts as its user; the store keeps only revocations."""

from __future__ import annotations

import os
import secrets
import stat
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

from itsdangerous import BadData, URLSafeSerializer
from msgspec import Struct, structs

from palatine_protocol.errors import Code

from ..games.kit import Refused, refuse
from ..tables.storage.persistence import make_id

Kind = Literal["guest", "user", "bot", "service", "admin"]
PREFIX = "palatine_"  # so that scanners for leaked secrets can recognise a token
LONGEST_NAME = 24
LONGEST_INPUT = 200  # characters that are looked at
DAY = 86_400
LONGEST_DAYS = 3650  # for which a token may be valid
SECRET_VARIABLE = "PALATINE_SECRET"  # noqa: S105 (its name, not its value)


class User(Struct, frozen=True):
    """A user, as their token describes them."""

    id: str
    name: str
    kind: Kind
    expires: int  # seconds since 1970
    token: str = ""  # the id of the token; a renewed token keeps it, so that both are revoked together


class TokenSigner:
    """Creates and reads signed tokens."""

    def __init__(self, secret: str, now: Callable[[], float]) -> None:
        self._sign, self._now = URLSafeSerializer(secret, salt="palatine.token.1"), now

    def create_token(
        self, name: str, kind: Kind = "guest", days: int = 30, user: str | None = None
    ) -> tuple[str, User]:
        """Create a token for a new user, or another one for a known user."""
        made = User(user or make_id(), clean_name(name), kind, self._compute_expiry(days), make_id())
        return self._encode_token(made), made

    def renew_token(self, old: User, name: str, days: int) -> tuple[str, User]:
        """Renew a token: same id, later expiry."""
        made = structs.replace(old, name=clean_name(name or old.name), expires=self._compute_expiry(days))
        return self._encode_token(made), made

    def _compute_expiry(self, days: int) -> int:
        return int(self._now()) + days * DAY

    def _encode_token(self, user: User) -> str:
        return PREFIX + str(self._sign.dumps(structs.astuple(user)))

    def read(self, token: str) -> User:
        """Return the user of a token, or refuse."""
        user = self._read_user(token)
        if self.is_expired(user):
            raise refuse(Code.TOKEN_EXPIRED)
        return user

    def is_expired(self, user: User) -> bool:
        return user.expires <= self._now()

    def build_revocation(self, token_or_user: str, days: int) -> tuple[str, int]:
        """Return the id of the token or user to revoke, and until when, in milliseconds since 1970."""
        until = 1000 * self._compute_expiry(days)
        if not token_or_user.startswith(PREFIX):
            return token_or_user, until
        user = self._read_user(token_or_user)
        return user.token or user.id, until

    def _read_user(self, token: str) -> User:
        try:
            return User(*self._decode_token(token))
        except (BadData, TypeError, ValueError):
            raise refuse(Code.BAD_TOKEN) from None

    def _decode_token(self, token: str) -> Any:
        if not token.startswith(PREFIX):
            raise ValueError
        return self._sign.loads(token.removeprefix(PREFIX))


def clean_name(name: str) -> str:
    """Return a name as others may see it: one line, no control or direction characters, not too long."""
    return _make_visible(name)[:LONGEST_NAME].strip() or f"Guest {secrets.randbelow(9000) + 1000}"


def is_too_long(name: str) -> bool:
    """Return whether a name has more characters than others may see."""
    return len(name) > LONGEST_INPUT or len(_make_visible(name)) > LONGEST_NAME


def _make_visible(name: str) -> str:
    visible = (char if unicodedata.category(char)[0] not in "CZ" else " " for char in name[:LONGEST_INPUT])
    return " ".join("".join(visible).split())


def read_secret(data: Path) -> str:
    """Read the signing secret from the environment, or from the data directory, where it is created once."""
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
    """Write a file beside the path and rename it, so that no process ever reads half a secret."""
    beside = path.with_suffix(f".{os.getpid()}")
    with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())  # an empty secret after a power cut would make all tokens invalid
    beside.replace(path)
