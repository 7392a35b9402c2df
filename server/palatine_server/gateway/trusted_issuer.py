"""The trusted issuer: an OpenID Connect provider whose ID tokens this server accepts from people who log in.

Tokens and keys come from the network, so PyJWT checks them: the signature by a key of the issuer, the issuer, the
audience, and the times. Only the algorithms below are allowed, whatever the token or the key says.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPException
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import jwt
import msgspec
from anyio import to_thread
from jwt import PyJWK, PyJWKSet
from msgspec import Struct

from palatine_protocol.errors import Code

from ..games.kit import refuse
from ..http_fetch import fetch
from ..settings import Settings
from ..store import CannotOpen, Unavailable
from .identities import Identity

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]
REQUIRED = ["iss", "aud", "sub", "exp", "iat"]
LEEWAY = 60.0  # seconds by which the clocks may differ
LONGEST_TOKEN = 3_500  # characters; the body of a request has at most 4 KiB
LONGEST_SUBJECT = 255  # characters, as OpenID Connect says
LARGEST_ANSWER = 256 * 1024  # bytes of the issuer's keys
WITHIN = 5.0  # seconds for the issuer to answer
FRESH = 3600.0  # seconds for which keys are used
PAUSE = 30.0  # seconds between two requests for keys, however many unknown keys tokens name
DISCOVERY = "/.well-known/openid-configuration"
NAMES = ("name", "preferred_username", "nickname", "given_name")  # claims that may hold a person's name


class VerifiedPerson(Struct, frozen=True):
    """A person who has proved their identity, with the name that the issuer knows."""

    identity: Identity
    name: str


class TrustedIssuer:
    """Verifies the ID tokens of one issuer."""

    def __init__(self, issuer: str, audience: str, keys: str = "", clock: Callable[[], float] = time.monotonic) -> None:
        self.issuer, self.audience, self._source, self._clock = issuer, audience, keys, clock
        self._keys: dict[str, PyJWK] = {}
        self._read_at: float | None = None
        self._reading = anyio.Lock()

    async def verify(self, id_token: str) -> VerifiedPerson:
        """Return the person whose ID token this is; refuse any other token."""
        key = await self._find_key(id_token)
        try:
            claims = jwt.decode(
                id_token,
                key,
                ALGORITHMS,
                audience=self.audience,
                issuer=self.issuer,
                leeway=LEEWAY,
                options={"require": REQUIRED},
            )
        except jwt.ExpiredSignatureError:
            raise refuse(Code.TOKEN_EXPIRED) from None
        except (jwt.PyJWTError, ValueError, TypeError):  # the library raises the last two for odd claims
            raise refuse(Code.BAD_TOKEN) from None
        return self._read_person(claims)

    def _read_person(self, claims: dict[str, Any]) -> VerifiedPerson:
        subject, audience = claims["sub"], claims["aud"]
        is_for_others = isinstance(audience, list) and len(audience) > 1 and claims.get("azp") != self.audience
        if is_for_others or not isinstance(subject, str) or not 1 <= len(subject) <= LONGEST_SUBJECT:
            raise refuse(Code.BAD_TOKEN)
        names = (claims.get(claim) for claim in NAMES)
        name = next((name for name in names if isinstance(name, str) and name.strip()), "")
        return VerifiedPerson(Identity(f"issuer {self.issuer}", subject), name)

    async def _find_key(self, id_token: str) -> PyJWK:
        """Return the issuer's key that the token names; read the keys again if it is a new one."""
        if len(id_token) > LONGEST_TOKEN:
            raise refuse(Code.BAD_TOKEN)
        try:
            header = jwt.get_unverified_header(id_token)
        except (jwt.PyJWTError, ValueError):
            raise refuse(Code.BAD_TOKEN) from None
        if header.get("alg") not in ALGORITHMS:
            raise refuse(Code.BAD_TOKEN)
        name = str(header.get("kid", ""))
        async with self._reading:
            if self._is_due(name):
                await self._read_keys()
        found = self._keys.get(name) or (next(iter(self._keys.values())) if not name and len(self._keys) == 1 else None)
        if found is None:
            raise refuse(Code.BAD_TOKEN)
        return found

    def _is_due(self, name: str) -> bool:
        age = None if self._read_at is None else self._clock() - self._read_at
        return age is None or age > FRESH or (age > PAUSE and bool(name) and name not in self._keys)

    async def _read_keys(self) -> None:
        """Read the issuer's keys; if it does not answer, go on with the known ones."""
        self._read_at = self._clock()
        try:
            with anyio.fail_after(2 * WITHIN):
                content = await to_thread.run_sync(self._fetch_keys, abandon_on_cancel=True)
            keys = PyJWKSet.from_json(content.decode()).keys
            self._keys = {str(key.key_id or ""): key for key in keys if key.public_key_use in (None, "sig")}
        except (OSError, HTTPException, TimeoutError, ValueError, msgspec.DecodeError, jwt.PyJWTError) as error:
            if not self._keys:
                self._read_at = None
                raise Unavailable(f"the keys of the issuer cannot be read: {type(error).__name__}") from error

    def _fetch_keys(self) -> bytes:
        """Return the JWKS from the file, the URL, or where the issuer's discovery says."""
        if self._source and "://" not in self._source:
            return Path(self._source).read_bytes()[:LARGEST_ANSWER]
        return fetch(self._source or self._discover(), LARGEST_ANSWER, WITHIN)

    def _discover(self) -> str:
        found = msgspec.json.decode(fetch(self.issuer.rstrip("/") + DISCOVERY, LARGEST_ANSWER, WITHIN))
        if not isinstance(found, dict) or found.get("issuer") != self.issuer:
            raise ValueError("the discovery document names another issuer")
        return require_safe_url(str(found.get("jwks_uri", "")))


def open_issuer(settings: Settings) -> TrustedIssuer | None:
    """Return the issuer that the settings name, if any; raise CannotOpen if a setting is missing or unsafe."""
    if not settings.issuer:
        return None
    if not settings.audience:
        raise CannotOpen("PALATINE_ISSUER needs PALATINE_AUDIENCE: the client id that the issuer knows this server by")
    try:
        require_safe_url(settings.issuer)
        if "://" in settings.issuer_keys:
            require_safe_url(settings.issuer_keys)
    except ValueError as error:
        raise CannotOpen(f"{error}; correct PALATINE_ISSUER and PALATINE_ISSUER_KEYS") from None
    return TrustedIssuer(settings.issuer, settings.audience, settings.issuer_keys)


def require_safe_url(url: str) -> str:
    """Return a URL from which keys may be read: https, or http on this machine; raise ValueError for any other."""
    parts = urlsplit(url)
    if not parts.hostname or not (parts.scheme == "https" or (parts.scheme == "http" and _is_local(parts.hostname))):
        raise ValueError(f"{url[:200]!r} is not an https address")
    return url


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
