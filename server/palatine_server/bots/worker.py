"""A bot worker: a process in which server bots decide. The pool of a server starts and kills it."""

from __future__ import annotations

import msgspec

from ..games.registry import load_games
from ..worker_processes.child import Work, run_worker
from .jobs import Task, answer_task

_tasks = msgspec.msgpack.Decoder(Task)
_encode = msgspec.msgpack.Encoder().encode


def load(names: list[str]) -> Work:
    """Load the games, and return the function that answers a task."""
    games = load_games(names)

    def answer(content: bytes) -> bytes:
        task = _tasks.decode(content)
        return _encode(answer_task(task, games[task.game]))

    return answer


if __name__ == "__main__":
    run_worker(load)
