"""Identities: people whom another service or an issuer knows, and the user of this server that each of them is.

The store has one note for each identity, under a hash of it, and one note for each user with the hashes of their
identities, so that all of them can be forgotten. Neither note holds a name. A new identity becomes a new user, whose
id follows from the server's secret; so a store that has lost the note finds the same user again. An id that was
revoked, as erasing a user does, is not given to anybody again. A guest who is linked
to a new identity keeps their id, and with it their seats and games.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Container
from itertools import count
from string import ascii_letters, digits

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code

from ..games.kit import refuse
from ..store import Store

KEEP = 3650 * 86_400_000  # milliseconds for which the store remembers an identity after its last login
ALPHABET = ascii_letters + digits
LENGTH = 16  # characters of a user's id

_hashes = msgspec.msgpack.Decoder(list[str])


class Identity(Struct, frozen=True):
    """A person as another service knows them; the issuer names that service."""

    issuer: str
    subject: str


class Identities:
    """Finds the user of each identity."""

    def __init__(self, store: Store, secret: str) -> None:
        self._store, self._secret = store, secret.encode()

    async def find_user(self, identity: Identity, guest: str = "", revoked: Container[str] = ()) -> str:
        """Return the id of the user; a new identity becomes this guest if one is named, or else a new user.

        Refuse a guest if the identity is another user already: that user keeps their own games.
        """
        key = self._hash(identity)
        user = (await self._store.add_note(_note(key), (guest or derive_user(key, revoked)).encode(), KEEP)).decode()
        if guest and user != guest:
            raise refuse(Code.ALREADY_LINKED)
        await self._remember(user, key)
        return user

    async def count_links(self, user: str) -> int:
        """Return how many identities this user has."""
        return len(await self._read_links(user))

    async def forget(self, user: str) -> None:
        """Forget all identities of a user; whoever logs in with one of them later is a new user."""
        for key in await self._read_links(user):
            await self._store.set_note(_note(key), b"", 0)
        await self._store.set_note(_links(user), b"", 0)

    async def _remember(self, user: str, key: str) -> None:
        keys = await self._read_links(user)
        await self._store.set_note(_links(user), msgspec.msgpack.encode(sorted({*keys, key})), KEEP)
        await self._store.set_note(_note(key), user.encode(), KEEP)

    async def _read_links(self, user: str) -> list[str]:
        note = (await self._store.read_notes([_links(user)])).get(_links(user))
        return _hashes.decode(note) if note else []

    def _hash(self, identity: Identity) -> str:
        """Return the name of an identity in the store; without the secret, nobody can look a person up."""
        return hmac.digest(self._secret, msgspec.msgpack.encode(("identity", identity)), "sha256").hex()


def derive_user(key: str, revoked: Container[str]) -> str:
    """Return the id of the user of a new identity: the first that was not revoked."""
    ids = (derive_id(f"palatine user {key}{f' {attempt}' if attempt else ''}") for attempt in count())
    return next(user for user in ids if user not in revoked)


def derive_id(text: str) -> str:
    """Return a user's id that follows from a text."""
    number = int.from_bytes(hashlib.sha256(text.encode()).digest())
    letters = []
    for _ in range(LENGTH):
        number, letter = divmod(number, len(ALPHABET))
        letters.append(ALPHABET[letter])
    return "".join(letters)


def _note(key: str) -> str:
    return f"identity:{key}"


def _links(user: str) -> str:
    return f"identities:{user}"
