"""The worker's end: a process that reads tasks from standard input and writes one answer for each.

The worker lowers its priority, so that the server comes first; at niceness 19 it runs only when no other process wants
to. It ends when standard input closes, so it does not outlive the server. A task that takes too much processor time
ends the process; then the server starts another one.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

import msgspec

from .frames import HEAD, Setup, frame

READY = b"ready"
LOADING = 10  # the highest niceness until a worker is ready, so that it starts in time on a busy machine
LEAST = 19  # the niceness of a worker that runs only on an idle machine
Work = Callable[[bytes], bytes]


def run_worker(load: Callable[[list[str]], Work]) -> None:
    """Answer tasks until standard input closes; `load` gets the names of the operator's games, and returns the work."""
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
    work = load(setup.games)
    lower_priority(setup.niceness - loading)
    if setup.niceness == LEAST:
        yield_to_others()
    frames: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_read_frames, args=[source, frames], daemon=True).start()
    out.write(frame(READY))
    while True:
        _write_all(out, frame(_work_within(setup.seconds, work, frames.get())))


def _work_within(seconds: float, work: Work, task: bytes) -> bytes:
    """Answer a task within the time. SIGPROF ends the process even inside a call that never returns."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        return work(task)
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def _take_stdout() -> BinaryIO:
    """Keep standard output for answers, and discard what the work prints."""
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return out


def _write_all(out: BinaryIO, content: bytes) -> None:
    """Write the whole content; an unbuffered file may take only a part of it at a time."""
    rest = memoryview(content)
    while rest:
        rest = rest[out.write(rest) :]


def _read_frames(source: BinaryIO, frames: SimpleQueue[bytes]) -> None:
    """Read ahead in a thread, so that the process notices the end of the server while a task runs."""
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
