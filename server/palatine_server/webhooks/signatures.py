"""Signing: who has the secret of a webhook can tell what comes from us, and when it was sent."""

from __future__ import annotations

import hmac

HEADER = "Palatine-Signature"


def signature(secret: str, body: bytes, at: int) -> str:
    """The header for a body that is sent at this time, in seconds since 1970."""
    digest = hmac.digest(secret.encode(), b"%d." % at + body, "sha256")
    return f"t={at},v1={digest.hex()}"
