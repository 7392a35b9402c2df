"""A picture worker for chat apps: it draws whole views, with the game's description, also for games it does not have.

It has a job type of its own, so that the jobs of addresses still have no place for a hand.
"""

from __future__ import annotations

import msgspec

from palatine_client.render.svg.view import PictureView

from ..worker_processes.child import Work, run_worker
from .jobs import PictureTask
from .worker import answer_task

_views = msgspec.msgpack.Decoder(PictureView)
_tasks = msgspec.msgpack.Decoder(PictureTask)


def load(names: list[str]) -> Work:
    """Return the function that draws a view; it needs no games."""

    def answer(content: bytes) -> bytes:
        task = _tasks.decode(content)
        return answer_task(task, _views.decode(task.content), "png")

    return answer


if __name__ == "__main__":
    run_worker(load)
