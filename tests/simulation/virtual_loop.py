"""An event loop on a virtual clock: it never waits, and a seed decides which ready process runs next.

Every callback belongs to a *process*: a node, a client or the store, named by a context variable that tasks and timers
inherit. Within a process callbacks keep their order, as asyncio promises; between processes the seed decides. When
nobody can go on, the clock jumps to the next timer that was not cancelled. A process can be paused, like one that got
SIGSTOP: what should happen in it waits.
"""

from __future__ import annotations

import asyncio
import heapq
from asyncio import Handle, TimerHandle
from collections import deque
from collections.abc import Callable, Coroutine
from contextvars import Context, ContextVar, copy_context
from itertools import count
from random import Random
from typing import Any
from unittest.mock import patch

from anyio._backends._asyncio import CancelScope  # the real class; `anyio.CancelScope` only makes one

PROCESS: ContextVar[str] = ContextVar("process", default="")
BEGIN = 1_000_000.0  # seconds since 1970 at which virtual clocks start
MOST_AT_ONCE = 50_000  # callbacks at one virtual time; more are an endless loop


class LoopStuck(Exception):  # noqa: N818 (a finding, not an error of the loop)
    """Nothing is scheduled any more, or callbacks run for ever at one time."""


def process_context(name: str) -> Context:
    """Return a context whose callbacks belong to this process."""
    context = copy_context()
    context.run(PROCESS.set, name)
    return context


class ReadyQueue:
    """The queue of ready callbacks, by process; it replaces the queue of the event loop."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._queues: dict[str, deque[Handle]] = {}
        self._runnable: list[str] = []  # processes with callbacks that are not paused
        self._paused: set[str] = set()

    def append(self, handle: Handle) -> None:
        name = handle._context.get(PROCESS, "")  # type: ignore[attr-defined]
        queue = self._queues.setdefault(name, deque())
        queue.append(handle)
        if len(queue) == 1 and name not in self._paused:
            self._runnable.append(name)

    def next(self) -> Handle:
        at = int(self._rng.random() * len(self._runnable))
        queue = self._queues[self._runnable[at]]
        handle = queue.popleft()
        if not queue:
            self._runnable[at] = self._runnable[-1]
            self._runnable.pop()
        return handle

    def pause(self, name: str) -> None:
        self._paused.add(name)
        if name in self._runnable:
            self._runnable.remove(name)

    def resume(self, name: str) -> None:
        if name in self._paused:
            self._paused.discard(name)
            if self._queues.get(name):
                self._runnable.append(name)

    def clear(self) -> None:
        self._queues.clear()
        self._runnable.clear()

    def __bool__(self) -> bool:
        return bool(self._runnable)


class NumberedTask(asyncio.Task[Any]):
    """A task that is hashed by its number: anyio keeps tasks in sets, and addresses differ between runs."""

    numbers = count()

    def __new__(cls, *given: Any, **named: Any) -> NumberedTask:
        """Number the task before anything can hash it."""
        task = super().__new__(cls)
        task.number = next(cls.numbers)
        return task

    number: int

    def __hash__(self) -> int:
        return self.number


class VirtualLoop(asyncio.BaseEventLoop):
    """The event loop."""

    _ready: ReadyQueue

    def __init__(self, rng: Random) -> None:
        super().__init__()
        self._ready = ReadyQueue(rng)
        self._now = BEGIN
        self._at_once = 0
        self._timers: list[tuple[float, int, TimerHandle]] = []
        self._count = count()
        self.set_task_factory(create_numbered_task)
        self.pause, self.resume = self._ready.pause, self._ready.resume

    def time(self) -> float:
        return self._now

    def _run_once(self) -> None:
        if not self._ready and not self._stopping:  # type: ignore[attr-defined]
            self._advance_clock()
        if self._ready:
            self._at_once += 1
            if self._at_once > MOST_AT_ONCE:
                raise LoopStuck("callbacks run in an endless loop")
            handle = self._ready.next()
            if not handle._cancelled:
                handle._run()

    def call_at(self, when: float, callback: Any, *args: Any, context: Context | None = None) -> TimerHandle:  # type: ignore[override]
        """Schedule a callback; timers of the same time run in the order in which they were set."""
        timer = TimerHandle(when, callback, args, self, context)
        heapq.heappush(self._timers, (when, next(self._count), timer))
        return timer

    def _advance_clock(self) -> None:
        """Advance the clock to the next timer that is not cancelled."""
        while self._timers and self._timers[0][2].cancelled():
            heapq.heappop(self._timers)
        if not self._timers:
            raise LoopStuck("no timer is left")
        if self._timers[0][0] > self._now:
            self._now, self._at_once = self._timers[0][0], 0
        while self._timers and self._timers[0][0] <= self._now:
            timer = heapq.heappop(self._timers)[2]
            if not timer.cancelled():
                self._ready.append(timer)

    def _process_events(self, events: Any) -> None:
        pass

    def _write_to_self(self) -> None:
        pass


def create_numbered_task(
    loop: asyncio.AbstractEventLoop, coro: Any, context: Context | None = None
) -> asyncio.Task[Any]:
    return NumberedTask(coro, loop=loop, context=context)


def number_cancel_scopes() -> Any:
    """Hash cancel scopes by the numbers of their tasks, because anyio keeps them in sets too."""
    return patch.object(CancelScope, "__hash__", lambda scope: hash(scope._host_task))


def run(main: Callable[[VirtualLoop], Coroutine[Any, Any, Any]], rng: Random) -> Any:
    """Run a coroutine on a new loop until it returns, then cancel the remaining tasks."""
    NumberedTask.numbers = count()
    loop = VirtualLoop(rng)
    asyncio.set_event_loop(None)
    with number_cancel_scopes():
        try:
            return loop.run_until_complete(main(loop))
        finally:
            _cancel_tasks(loop)


def _cancel_tasks(loop: VirtualLoop) -> None:
    left = sorted(asyncio.all_tasks(loop), key=hash)
    for task in left:
        task.cancel()
    loop.set_exception_handler(lambda *_: None)
    loop._at_once = 0
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=60))
    loop.close()
