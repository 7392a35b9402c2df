"""Pictures for chat apps: a seat's or everybody's view as PNG, which the app sends as an attachment.

They have no address. The same pool as for other pictures draws them, in processes of its own.
"""

from __future__ import annotations

import logging
from dataclasses import fields

import anyio
import msgspec
from anyio import to_thread

from palatine_client.render.svg.view import PictureView

from ..games.kit import Refused
from ..metrics import Metrics
from ..settings import Settings
from .pool import PicturePool

WORKER = "palatine_server.pictures.view_worker"
ATTEMPTS = 3
PAUSE = 0.5  # seconds before another attempt if the queue is full
log = logging.getLogger("palatine.pictures")


class ViewPictures:
    """Draws the pictures of one chat app."""

    def __init__(self, settings: Settings, metrics: Metrics) -> None:
        self.pool, self._is_on = PicturePool(settings, metrics, WORKER), settings.picture_workers > 0

    async def draw(self, view: PictureView, asker: str) -> bytes | None:
        """Return the picture of a view; None if it cannot be drawn now, or pictures are switched off."""
        if not self._is_on:
            return None
        job = await to_thread.run_sync(encode_view, view)
        for _ in range(ATTEMPTS):
            try:
                return self.pool.find(job) or await self.pool.draw(job, asker)
            except Refused:
                await anyio.sleep(PAUSE)
        log.warning("a picture for a chat was not drawn: too many wait; raise PALATINE_PICTURE_WORKERS")
        return None


def encode_view(view: PictureView) -> bytes:
    """Return the job for a view; equal views give equal bytes."""
    return msgspec.msgpack.encode({field.name: getattr(view, field.name) for field in fields(view)})
