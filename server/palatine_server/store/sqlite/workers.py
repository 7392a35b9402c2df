"""The threads that write and read."""

from __future__ import annotations

import logging
import sqlite3
from asyncio import AbstractEventLoop, Future
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from itertools import groupby
from queue import SimpleQueue
from sqlite3 import Connection
from threading import Condition, Thread
from typing import Any, NamedTuple, TypeVar, cast

from anyio import CapacityLimiter, to_thread

from ..contract import Append, Outcome, Overloaded, Unavailable
from .appends import Appender
from .health import Health, is_damage

MOST_WAITING = 4096  # changes, and as many queries; one more is refused as Overloaded

NOT_STORED = "the disk does not store"

LOG = logging.getLogger(__name__)
T = TypeVar("T")


# The writer


class _Change(NamedTuple):
    carry_out: Callable[[Connection], Any]
    on_outcome: Callable[[Any], None]  # called with what it returned, or with the exception
    removes_tables: bool  # whether it may remove tables


class _Append(NamedTuple):
    append: Append
    now: int
    on_outcome: Callable[[Any], None]


class Writer:
    """The one thread that writes.

    It carries out all waiting changes in one transaction and calls back when that is durable. So every table has its
    share of each transaction, however many wait. All appends are carried out together; if that fails, each by itself.
    A change that fails is undone alone. When the transaction fails, it is unknown what was stored, and every caller
    gets Unavailable.
    """

    def __init__(self, db: Connection, loop: AbstractEventLoop, health: Health) -> None:
        self._db, self._loop, self._health = db, loop, health
        self._appender = Appender(db)
        self._signal = Condition()
        self._waiting: list[_Change | _Append] = []
        self._closing = False
        self._thread = Thread(target=self._run, name="palatine-writer", daemon=True)
        self._thread.start()

    async def carry_out(self, change: Callable[[Connection], T], *, removes_tables: bool = False) -> T:
        """Queue a change and wait until it is durable; cancelling the caller does not cancel the change."""
        answer: Future[T] = self._loop.create_future()
        self._submit(_Change(change, partial(_settle, answer), removes_tables))
        return await answer

    def append(self, append: Append, now: int, on_outcome: Callable[[Outcome | Exception], None]) -> None:
        """Queue an append; call back in the event loop when it is durable, or with the exception that undid it."""
        self._submit(_Append(append, now, on_outcome))

    def _submit(self, change: _Change | _Append) -> None:
        with self._signal:
            if self._closing:
                raise Unavailable("the store is closed")
            if len(self._waiting) >= MOST_WAITING:
                raise Overloaded("too many changes wait for the disk")
            self._waiting.append(change)
            if len(self._waiting) == 1:
                self._signal.notify()

    def stop(self) -> None:
        """Accept no further change; waiting ones are still carried out."""
        with self._signal:
            self._closing = True
            self._signal.notify()

    def join(self) -> None:
        """Wait until everything is carried out."""
        self._thread.join()

    def _run(self) -> None:
        while together := self._take_waiting():
            outcomes = self._commit(together)
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(_answer, together, outcomes)

    def _take_waiting(self) -> list[_Change | _Append]:
        """Return all waiting changes, at least one; none when the store is closed."""
        with self._signal:
            self._signal.wait_for(lambda: self._waiting or self._closing)
            together, self._waiting = self._waiting, []
        return together

    def _commit(self, together: Sequence[_Change | _Append]) -> list[Any]:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            outcomes = self._run_changes(together)
            self._db.execute("COMMIT")
        except Exception as error:  # the thread must survive every error
            self._roll_back()
            return self._fail_all(together, error)
        self._health.note_commit()
        return outcomes

    def _run_changes(self, together: Sequence[_Change | _Append]) -> list[Any]:
        """Return the outcomes in order; carry out consecutive appends together."""
        outcomes = list[Any]()
        for is_append, run in groupby(together, lambda change: isinstance(change, _Append)):
            if is_append:
                outcomes += self._run_appends(cast("list[_Append]", list(run)))
            else:
                outcomes += map(self._run_change, cast("list[_Change]", run))
        return outcomes

    def _run_change(self, change: _Change) -> Any:
        if change.removes_tables:
            self._appender.forget()
        return self._try_change("", partial(change.carry_out, self._db))

    def _run_appends(self, appends: list[_Append]) -> list[Any]:
        outcomes = self._try_change(
            appends[0].append.table, partial(self._append_all, appends), is_quiet=len(appends) > 1
        )
        if not isinstance(outcomes, Exception):
            return cast("list[Any]", outcomes)
        if len(appends) == 1:
            return [outcomes]
        return [outcome for append in appends for outcome in self._run_appends([append])]

    def _append_all(self, appends: list[_Append]) -> list[Outcome]:
        return self._appender.append_all([each.append for each in appends], appends[-1].now)

    def _fail_all(self, together: Sequence[_Change | _Append], error: Exception) -> list[Any]:
        """Return the failure for every change; damage may concern one of them, so then try each by itself."""
        if is_damage(error) and len(together) > 1:
            return [outcome for change in together for outcome in self._commit([change])]
        table = together[0].append.table if len(together) == 1 and isinstance(together[0], _Append) else ""
        failure = self._health.note_failure(error, NOT_STORED, table)
        return [type(failure)(*failure.args) for _ in together]  # each is raised in its own task

    def _try_change(self, table: str, carry_out: Callable[[], Any], is_quiet: bool = False) -> Any:
        """Return the outcome of a change, or the error that undid it."""
        self._db.execute("SAVEPOINT change")
        try:
            outcome = carry_out()
        except Exception as error:  # the caller of this change gets it
            self._appender.forget()
            if is_damage(error):  # SQLite accepts no further statement in this transaction
                raise
            outcome = error if is_quiet else self._failure(error, table)
            self._db.execute("ROLLBACK TO change")  # fails if the whole transaction is lost, and ends it for all
        self._db.execute("RELEASE change")
        return outcome

    def _failure(self, error: Exception, table: str) -> Exception:
        if isinstance(error, sqlite3.Error | OSError):
            return self._health.note_failure(error, NOT_STORED, table)
        LOG.error("a change was not stored; please report this: %s", error)
        return error

    def _roll_back(self) -> None:
        self._appender.forget()
        with suppress(sqlite3.Error):
            if self._db.in_transaction:
                self._db.execute("ROLLBACK")


def _answer(together: list[_Change | _Append], outcomes: list[Any]) -> None:
    """Call back for every change; an exception of one callback does not affect the others."""
    for change, outcome in zip(together, outcomes, strict=True):
        try:
            change.on_outcome(outcome)
        except Exception:
            LOG.exception("the callback of a change failed; please report this")


def _settle(answer: Future[T], outcome: T | Exception) -> None:
    if answer.done():  # the caller was cancelled
        return
    if isinstance(outcome, Exception):
        answer.set_exception(outcome)
    else:
        answer.set_result(outcome)


# The readers


class Readers:
    """Connections that only read. A thread borrows one for a query, and returns it even if the caller was cancelled."""

    def __init__(self, connections: list[Connection], health: Health) -> None:
        self._health = health
        self._limiter = CapacityLimiter(len(connections))
        self._waiting = 0
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for db in connections:
            self._idle.put(db)

    async def ask(self, query: Callable[[Connection], T], table: str = "") -> T:
        """Run a query in a thread and return the result; a failure may concern this table alone."""
        if self._waiting >= MOST_WAITING:
            raise Overloaded("too many queries wait for the disk")
        self._waiting += 1
        try:
            return await to_thread.run_sync(self._run_query, query, limiter=self._limiter)
        except (sqlite3.Error, OSError) as error:
            raise self._health.note_failure(error, "the disk does not answer", table) from error
        finally:
            self._waiting -= 1

    def _run_query(self, query: Callable[[Connection], T]) -> T:
        db = self._idle.get()
        try:
            return query(db)
        finally:
            self._idle.put(db)

    def close(self) -> None:
        """Wait for all connections and close them; later queries raise Unavailable."""
        for db in [self._idle.get() for _ in range(int(self._limiter.total_tokens))]:
            db.close()
            self._idle.put(db)
