"""A bot worker: a process in which server bots decide. The pool of a server starts and kills it.

The worker reads tasks from standard input and writes one answer for each. It lowers its priority, so that the server
comes first; at niceness 19 it runs only when no other process wants to.
It ends when standard input closes, so it does not outlive the server. A decision that takes too much processor time
ends the process; then the server starts another one.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

import msgspec

from ..games.kit import Game
from ..games.registry import load_games
from .jobs import HEAD, Answer, Setup, Task, answer_task, frame

READY = b"ready"
LOADING = 10  # the highest niceness until a worker is ready, so that it starts in time on a busy machine
LEAST = 19  # the niceness of a worker that runs only on an idle machine
_tasks = msgspec.msgpack.Decoder(Task)
_encode = msgspec.msgpack.Encoder().encode


def main() -> None:
    """Answer tasks until standard input closes."""
    source, out = sys.stdin.buffer, _take_stdout()
    for number in (
        signal.SIGTERM,
        signal.SIGINT,
    ):  # a service manager signals all processes, but only the server ends workers
        signal.signal(number, signal.SIG_IGN)
    os.setpgid(0, 0)  # Ctrl-C in the server's terminal reaches only the server
    setup = msgspec.msgpack.decode(read_frame(source), type=Setup)
    loading = min(setup.niceness, LOADING)
    lower_priority(loading)
    sys.path[:] = setup.path
    games = load_games(setup.games)
    lower_priority(setup.niceness - loading)
    if setup.niceness == LEAST:
        yield_to_others()
    frames: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_frames, args=[source, frames], daemon=True).start()
    out.write(frame(READY))
    while True:
        out.write(frame(_encode(_answer(frames.get(), games, setup.seconds))))


def _answer(content: bytes, games: dict[str, Game], seconds: float) -> Answer:
    """Decide within the time. SIGPROF ends the process even inside a call that never returns."""
    task = _tasks.decode(content)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return answer_task(task, games[task.game])
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _take_stdout() -> BinaryIO:
    """Keep standard output for answers, and discard what a policy prints."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return out


def _read_frames(source: BinaryIO, frames: SimpleQueue[bytes]) -> None:
    """Read ahead in a thread, so that the process notices the end of the server while a policy runs."""
    while True:
        frames.put(read_frame(source))


def read_frame(source: BinaryIO) -> bytes:
    """Read one frame; end the process if the server is gone."""
    head = source.read(HEAD)
    content = source.read(int.from_bytes(head, "big"))
    if not content:
        os._exit(0)
    return content


def lower_priority(more: int) -> None:
    """Raise the niceness by this much, so that the server and other processes come first."""
    with suppress(OSError):
        os.nice(more)
    with suppress(OSError, AttributeError):  # systems without this scheduling class
        os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def yield_to_others() -> None:
    """Run only when no process of another scheduling class wants to."""
    with suppress(OSError, AttributeError):
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


if __name__ == "__main__":
    main()
