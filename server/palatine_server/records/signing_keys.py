"""The signing keys of a store: created at the first start, shared by all nodes, and reloaded every half minute."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from ..store import CannotOpen, Unavailable
from ..store.documents import Documents, FileDocuments
from .key_ring import BadKeys, KeyRing
from .signatures import PrivateKey, ServerUrl, Signer

log = logging.getLogger("palatine.records")
DOCUMENT = "signing-keys"  # in Redis, or signing-keys.json in the data directory
VARIABLE = "PALATINE_SIGNING_KEY"
FRESH = 30_000  # milliseconds until the keys are read again
PAUSE = 1_000  # milliseconds until the next attempt after a failure
ATTEMPTS = 5  # attempts to replace the keys while other nodes do the same


class SigningKeys:
    """The keys of one store, as this node knows them."""

    def __init__(self, documents: Documents, clock: Callable[[], int], server: str = "") -> None:
        self._documents, self._clock, self._server = documents, clock, check_server(server)
        self._given = key_from_environment()
        self._ring, self._read_at = KeyRing(), -FRESH

    async def open(self) -> None:
        """Read the keys, or make the first one; raise CannotOpen or Unavailable if that cannot be done."""
        await self._update(self._with_usable_key)

    async def rotate(self) -> KeyRing:
        """Retire the key in use and make another."""
        if self._given:
            raise BadKeys(f"the key is given in {VARIABLE}; put another one there and restart all servers")
        await self._update(lambda ring: ring.with_new_key(self._clock()))
        return self._ring

    async def load_ring(self) -> KeyRing:
        """Return all keys; if the store does not answer, return the keys that this node read last."""
        if self._clock() - self._read_at >= FRESH:
            try:
                await self._update(self._with_usable_key)
            except (Unavailable, CannotOpen, BadKeys) as why:
                log.warning("the signing keys cannot be read, so the last known ones stay in use: %s", why)
                self._read_at = self._clock() - FRESH + PAUSE
        return self._ring

    async def load_signer(self) -> Signer | None:
        """Return the key in use, with which records are signed."""
        return select_signer(await self.load_ring(), self._given, self._server)

    def _with_usable_key(self, ring: KeyRing) -> KeyRing:
        if self._given:
            return ring.with_given_key(self._given, self._clock())
        key = ring.key_in_use
        return ring if key and key.private else ring.with_new_key(self._clock())

    async def _update(self, change: Callable[[KeyRing], KeyRing]) -> None:
        """Change the stored keys, and store known keys again that the store has lost."""
        for _ in range(ATTEMPTS):
            stored = await self._documents.read(DOCUMENT)
            found = KeyRing() if stored is None else decode_ring(stored)
            ring = change(self._ring.merge(found))
            if ring == found or await self._documents.replace(DOCUMENT, stored, msgspec.json.encode(ring)):
                self._ring, self._read_at = ring, self._clock()
                return
        raise Unavailable("other nodes keep changing the signing keys; try again")


async def read_signer(documents: Documents, server: str = "") -> Signer | None:
    """Return the key in use without making or changing any; None if there is none, or if it is held elsewhere."""
    given, stored = key_from_environment(), await documents.read(DOCUMENT)
    return select_signer(KeyRing() if stored is None else decode_ring(stored), given, check_server(server))


def select_signer(ring: KeyRing, given: PrivateKey, server: str) -> Signer | None:
    """Return the signer of the key in use: the one given to this process, or the one on the ring."""
    private = given or (ring.key_in_use.private if ring.key_in_use else None)
    return Signer(private, server) if private else None


def find_documents(store: Any, data: Path) -> Documents:
    """Return the place in which a store keeps its documents: Redis, with the tables, or the data directory."""
    shared: Documents | None = getattr(store, "documents", None)
    return shared if shared is not None else FileDocuments(data)


def key_from_environment() -> PrivateKey:
    """Return the private key that the operator gives to this process, if any."""
    given = os.environ.get(VARIABLE, "").strip()
    try:
        return msgspec.convert(given, PrivateKey) if given else ""
    except msgspec.ValidationError:
        raise CannotOpen(f"{VARIABLE} must hold 64 hexadecimal digits, as `openssl rand -hex 32` prints them") from None


def check_server(server: str) -> str:
    """Return the public address that records name, or raise CannotOpen."""
    try:
        return msgspec.convert(server.rstrip("/"), ServerUrl)
    except msgspec.ValidationError:
        raise CannotOpen("the public address must begin with https:// or http:// and have no spaces") from None


def decode_ring(stored: bytes) -> KeyRing:
    """Return the stored keys; raise CannotOpen if they are damaged, so that no new key replaces them unnoticed."""
    try:
        return msgspec.json.decode(stored, type=KeyRing)
    except msgspec.DecodeError:
        raise CannotOpen(f"the signing keys ({DOCUMENT}) are damaged; restore them from a backup") from None
