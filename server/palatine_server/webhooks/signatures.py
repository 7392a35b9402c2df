"""Signatures of webhook bodies: the receiver uses the shared secret to check the sender and the time of a body."""

from __future__ import annotations

import hmac

HEADER = "Palatine-Signature"


def sign_body(secret: str, body: bytes, at: int) -> str:
    """Return the signature header for a body that is sent at this time, in seconds since 1970."""
    digest = hmac.digest(secret.encode(), b"%d." % at + body, "sha256")
    return f"t={at},v1={digest.hex()}"
