"""A pool of processes for commands that play many games: simulations, checks, arenas and data sets.

Its processes leave interruptions from the keyboard to their parent. They end with their parent, however it ends, so
that a game without an end does not go on alone.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context, parent_process
from threading import Thread
from typing import Any

Prepare = Callable[..., None]


def _do_nothing() -> None: ...


@contextmanager
def open_job_pool(jobs: int, prepare: Prepare = _do_nothing, *arguments: Any) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of `jobs` processes, each of which first calls `prepare`; at the end, drop what has not begun."""
    with ProcessPoolExecutor(jobs, get_context("spawn"), _begin, (prepare, arguments)) as pool:
        try:
            yield pool
        finally:
            pool.shutdown(cancel_futures=True)


def _begin(prepare: Prepare, arguments: tuple[Any, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    prepare(*arguments)


def _end_with_parent() -> None:
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)
