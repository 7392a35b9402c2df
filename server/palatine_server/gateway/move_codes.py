"""Move codes: a code that a person types on another device, once and within minutes, to be the same user there."""

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
        """Return a new code for this user; the store keeps only its hash."""
        code = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))
        mover = Mover(user.id, user.name, user.kind)
        await self._store.set_note(self._note(code), msgspec.msgpack.encode(mover), KEEP)
        return "-".join(code[at : at + GROUP] for at in range(0, LENGTH, GROUP))

    async def redeem(self, typed: str) -> Mover:
        """Return the user of a code; refuse a code that is wrong, too old, or was used before."""
        note = self._note("".join(letter for letter in typed.upper() if letter in ALPHABET))
        found = (await self._store.read_notes([note])).get(note)
        if found is None or not await self._store.claim_key(note, KEEP):
            raise refuse(Code.BAD_CODE)
        await self._store.set_note(note, b"", 0)
        return _movers.decode(found)

    def _note(self, code: str) -> str:
        return f"move:{hmac.digest(self._secret, f'move {code}'.encode(), 'sha256').hex()}"
