"""Move codes: a code that a person types on another device, once and within minutes, to be the same user there.

A user has one code at a time. The store has a note for each code, under its hash, and one for each user with that hash.
"""

from __future__ import annotations

import hmac
import secrets

import msgspec
from msgspec import Struct

from palatine_protocol.errors import Code

from ..games.kit import refuse
from ..store import Store
from .tokens import Kind, User

MINUTES = 10  # for which a code is valid
KEEP = MINUTES * 60_000
ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # no letter that looks like a digit
LENGTH = 10  # characters, five bits each: with 60 attempts a minute, nobody guesses one in ten minutes
GROUP = 5  # characters between two hyphens


class Mover(Struct, frozen=True):
    """The user who moves to another device."""

    id: str
    name: str
    kind: Kind


_movers = msgspec.msgpack.Decoder(Mover)


class MoveCodes:
    """Makes codes, and takes each of them once."""

    def __init__(self, store: Store, secret: str) -> None:
        self._store, self._secret = store, secret.encode()

    async def create_code(self, user: User) -> str:
        """Return a new code for this user, in place of an earlier one; the store keeps only its hash."""
        await self.forget(user.id)
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        mover = Mover(user.id, user.name, user.kind)
        await self._store.set_note(self._note(code), msgspec.msgpack.encode(mover), KEEP)
        await self._store.set_note(_newest(user.id), self._note(code).encode(), KEEP)
        return "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))

    async def redeem(self, typed: str) -> Mover:
        """Return the user of a code; refuse a code that is wrong, too old, or was used before."""
        note = self._note("".join(letter for letter in typed.upper() if letter in ALPHABET))
        found = (await self._store.read_notes([note])).get(note)
        if found is None or not await self._store.claim_key(note, KEEP):
            raise refuse(Code.BAD_CODE)
        await self._store.set_note(note, b"", 0)
        return _movers.decode(found)

    async def forget(self, user: str) -> None:
        """Forget the code of a user, if there is one."""
        newest = (await self._store.read_notes([_newest(user)])).get(_newest(user))
        if newest is not None:
            await self._store.set_note(newest.decode(), b"", 0)
            await self._store.set_note(_newest(user), b"", 0)

    def _note(self, code: str) -> str:
        return f"move:{hmac.digest(self._secret, f'move {code}'.encode(), 'sha256').hex()}"


def _newest(user: str) -> str:
    return f"move of:{user}"
