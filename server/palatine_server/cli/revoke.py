"""`palatine revoke`: a token or a user is shut out, in the store, from where every node learns of it."""

from __future__ import annotations

import json
import time
from pathlib import Path

import anyio

from ..gateway.tokens import Identities, secret_of
from ..settings import Settings
from ..store import CannotOpen
from ..web.admin_client import post_as_admin
from ..web.app import open_store
from ..web.preflight import explain_failures, merge_settings


def revoke(subject: str, days: int, server: str, admin_token: str, data: Path, store: str) -> None:
    """Revoke a token or a user: through a running server, or in the store."""
    with explain_failures():
        if server:
            body = json.dumps({"subject": subject, "days": days}).encode()
            post_as_admin(server, admin_token, "/v1/revocations", body, "application/json")
        else:
            anyio.run(_revoke_here, merge_settings(data=data, store=store), subject, days)


async def _revoke_here(settings: Settings, subject: str, days: int) -> None:
    identities = Identities(secret_of(settings.data), time.time)
    try:
        store = await open_store(settings)
    except CannotOpen as why:
        raise CannotOpen(f"{why}; or let that server do it, with --server URL") from None
    try:
        await store.revoke(*identities.revocation(subject, days))
    finally:
        await store.close()
