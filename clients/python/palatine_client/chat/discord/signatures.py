"""The signatures of interactions. Discord probes an app with wrong ones, and removes its address if they pass."""

from __future__ import annotations

from math import inf

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

LONGEST_DELAY = 300.0  # seconds between the timestamp of an interaction and our clock; older ones are replays


def load_public_key(text: str) -> Ed25519PublicKey:
    """Return the public key of an app, as the developer portal shows it: 64 hexadecimal digits."""
    try:
        return Ed25519PublicKey.from_public_bytes(bytes.fromhex(text.strip()))
    except ValueError:
        raise ValueError("The public key must have 64 hexadecimal digits; copy it from the developer portal.") from None


def is_signed(key: Ed25519PublicKey, signature: str, timestamp: str, body: bytes) -> bool:
    """Return whether Discord signed this timestamp and body."""
    try:
        key.verify(bytes.fromhex(signature), timestamp.encode() + body)
    except (InvalidSignature, ValueError):
        return False
    return True


def is_recent(timestamp: str, now: float) -> bool:
    """Return whether a signed timestamp is of these minutes, so that the interaction is not an old one sent again."""
    sent = float(timestamp) if timestamp.isdecimal() and len(timestamp) < 16 else inf
    return abs(now - sent) <= LONGEST_DELAY
