"""The key ring of a server: the signing key in use, the retired ones, and the set that is published."""

from __future__ import annotations

from base64 import urlsafe_b64decode
from secrets import token_bytes
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from .signatures import PrivateKey, PublicKey, Signer, encode_public_key, key_id

MOST_KEYS = 100  # keys that a server publishes
LARGEST_SET = 64 * 1024  # bytes; longer documents of published keys are refused
Moment = Annotated[int, Meta(ge=0, le=2**53 - 1)]  # milliseconds since 1970


class BadKeys(ValueError):  # noqa: N818 (a mistake in a file or an answer)
    """The keys of a server cannot be read or used; the text says why."""


class SigningKey(Struct, frozen=True, omit_defaults=True):
    """One key of a server."""

    public: PublicKey
    since: Moment
    until: Moment | None = None  # None if the key is in use
    private: PrivateKey | None = None  # None if the operator holds it elsewhere, or if the key is retired

    def __repr__(self) -> str:
        return f"SigningKey({key_id(self.public)})"  # never the private half


class KeyRing(Struct, frozen=True):
    """All keys of a server, the oldest first; the last one is in use, unless it is retired too."""

    keys: list[SigningKey] = []

    @property
    def key_in_use(self) -> SigningKey | None:
        return self.keys[-1] if self.keys and self.keys[-1].until is None else None

    def with_new_key(self, now: int) -> KeyRing:
        """Return a ring with a new key in use; the former key is retired, and its private half is dropped."""
        private = token_bytes(32).hex()
        return self._with(SigningKey(Signer(private).public, now, private=private), now)

    def with_given_key(self, private: PrivateKey, now: int) -> KeyRing:
        """Return a ring with a key that the operator holds in use; the ring keeps only its public half."""
        public = Signer(private).public
        if self.key_in_use and self.key_in_use.public == public:
            return self
        before = next((key.since for key in self.keys if key.public == public), now)
        return self._with(SigningKey(public, before), now)

    def _with(self, new: SigningKey, now: int) -> KeyRing:
        if len(self.keys) >= MOST_KEYS:
            raise BadKeys(f"there are {MOST_KEYS} keys already, the most that are published; remove the oldest by hand")
        return KeyRing([*(_retire(key, now) for key in self.keys if key.public != new.public), new])

    def merge(self, other: KeyRing) -> KeyRing:
        """Return the keys of both rings, those of the other ring last; a key is retired if either ring says so."""
        older = [key for key in self.keys if all(key.public != known.public for known in other.keys)]
        retired = [_retire(key, other.keys[0].since) if other.keys else key for key in older]
        return KeyRing([*retired, *other.keys])

    def publish(self) -> dict[str, Any]:
        """Return the public halves as a JSON Web Key Set (RFC 7517)."""
        return {"keys": [_publish(key) for key in self.keys]}


def _retire(key: SigningKey, now: int) -> SigningKey:
    return replace(key, until=now if key.until is None else key.until, private=None)


def _publish(key: SigningKey) -> dict[str, Any]:
    fixed = {"kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "use": "sig"}
    times = {"since": key.since} | ({} if key.until is None else {"until": key.until})
    return {**fixed, "kid": key_id(key.public), "x": encode_public_key(key.public), **times}


# Reading published keys


class JsonWebKey(Struct, frozen=True):
    """A JSON Web Key; other fields are ignored."""

    kty: str
    crv: str = ""
    x: Annotated[str, Meta(max_length=1024)] = ""
    since: Moment = 0
    until: Moment | None = None


class JsonWebKeySet(Struct, frozen=True):
    """A JSON Web Key Set."""

    keys: Annotated[list[JsonWebKey], Meta(max_length=MOST_KEYS)]


class KnownKeys:
    """The keys that a server published, and the source from which they were read."""

    def __init__(self, keys: list[SigningKey], source: str) -> None:
        self._keys, self.source = {key.public: key for key in keys}, source

    def find(self, public: PublicKey) -> SigningKey | None:
        """Return the key with this public half."""
        return self._keys.get(public)


def read_keys(content: bytes, source: str) -> KnownKeys:
    """Return the Ed25519 keys of a JSON Web Key Set, or raise BadKeys."""
    if len(content) > LARGEST_SET:
        raise BadKeys(f"the keys of {source} take more than {LARGEST_SET // 1024} KiB")
    try:
        published = msgspec.json.decode(content, type=JsonWebKeySet).keys
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise BadKeys(f"{source} has no keys that can be read; a Palatine server shows them at /v1/keys") from None
    ours = [key for key in published if (key.kty, key.crv) == ("OKP", "Ed25519")]
    return KnownKeys([SigningKey(_decode(key.x, source), key.since, key.until) for key in ours], source)


def _decode(x: str, source: str) -> PublicKey:
    try:
        public = urlsafe_b64decode(x + "=" * (-len(x) % 4))
    except ValueError:
        public = b""
    if len(public) != 32:
        raise BadKeys(f"{source} has a key that is not an Ed25519 key")
    return public.hex()
