"""The directory of all tables that are open on this node. It opens a table when a request needs it."""

from __future__ import annotations

import logging
from asyncio import Event
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from itertools import islice
from math import inf
from typing import Any

import anyio
from anyio.abc import TaskGroup

from palatine_protocol import messages
from palatine_protocol.errors import Code
from palatine_protocol.messages import Create, Created, Snapshot, Update, Watch

from ..bots.turns import BotScheduler, InlineBots
from ..games.kit import Game, Refused, refuse
from ..metrics import Metrics
from ..settings import Settings
from ..store import Damaged, IdReused, Store, Unavailable, run_in_batches
from .creation import create_table
from .deadlines.store_clock import StoreClock
from .lobby import Lobby
from .presence.cluster import ClusterPresence
from .queries.answers import Answers
from .queries.descriptions import Describer, Descriptions
from .queries.fair_turns import FairTurns
from .requests import TableRequest, build_request_key
from .services import Clock, TableServices
from .state import TableState
from .storage.compatibility import NewerTable, UnreadableTable
from .storage.persistence import build_summary, encode, load_with_log, make_id, open_state
from .storage.unreadable_tables import UnreadableTables
from .table import Table
from .viewers.replay import find_first_snapshot, find_last_head, limit_replay, replay_entries
from .viewers.updates import Viewer

log = logging.getLogger("palatine.tables")
OUTAGE = 15_000  # milliseconds; if no node records a check for longer, no node ran
SOME_DUE = 100  # due tables that one check opens
SOME_HEADS = 200  # tables that one query compares with the store
LOOK_AROUND = 1.0  # seconds between two checks of the clocks and the logs
TOUCHES = 12  # how often a node touches an empty table within the time for which the store keeps it
Listener = Callable[[str, TableState], None]  # takes the id and the state of a table


class Locks:
    """One lock for each name, dropped when no task holds it or waits for it."""

    def __init__(self) -> None:
        self._locks: dict[str, anyio.Lock] = {}

    @asynccontextmanager
    async def of(self, name: str) -> AsyncIterator[None]:
        lock = self._locks.setdefault(name, anyio.Lock())
        try:
            async with lock:
                yield
        finally:
            if not lock.locked():  # then no task waits either: a lock passes to the next task without being free
                self._locks.pop(name, None)


class TableDirectory:
    """Finds tables, opens them, and checks them once a second."""

    def __init__(
        self,
        games: dict[str, Game],
        store: Store,
        settings: Settings,
        clock: Clock | None = None,  # returns the store's time; None: a StoreClock asks the store
        metrics: Metrics | None = None,
        describer: Describer | None = None,
        bots: BotScheduler | None = None,
    ) -> None:
        self.games, self.store, self.settings = games, store, settings
        self.metrics = metrics or Metrics()
        self.clock = clock or StoreClock(store, self.metrics)
        self._bots = bots or InlineBots()
        self.tables: dict[str, Table] = {}  # the table that was used last comes last
        self.lobby, self.cluster_presence = Lobby(store), ClusterPresence(store, self.clock)
        self.on_change: list[Listener] = []  # called when a table was opened, or has changed
        self.on_end: list[Listener] = []  # the same for tables whose game is over
        self._noted = 0
        self._unreadable = UnreadableTables(self.metrics)
        self._hopeless: set[str] = set()  # due tables that this node cannot open
        self._passed_over = 0  # due tables that were open already, or hopeless, at the last check
        self._touched: dict[str, int] = {}  # when this node last touched each table in the store
        self.closed_for: int | None = None  # total downtime in milliseconds; None before the first check
        self._opening, self._taking_room = Locks(), Locks()
        self._tasks: TaskGroup = anyio.create_task_group()
        self._replays = FairTurns()  # turns for finding the first snapshot of a replay, which reads the log up to it
        self._answers = Answers(self._tasks, self.metrics)
        self._descriptions = Descriptions(describer) if describer else None
        self._services = self._services_of_tables()

    async def __aenter__(self) -> TableDirectory:
        await self._tasks.__aenter__()
        with suppress(Unavailable):  # then no deadline is judged until the store answers
            await self._measure_time()
        self.store.follow(self._receive_hint, self._receive_pointer)
        self._tasks.start_soon(self._run_checks)
        return self

    async def __aexit__(self, *raised: Any) -> None:
        self._tasks.cancel_scope.cancel()
        for table in list(self.tables.values()):
            table.close()
        await self._tasks.__aexit__(*raised)

    # Requests

    def submit(self, request: TableRequest) -> None:
        """Submit a request to its table, and open the table first if needed; the reply comes later, or at once."""
        table = self.tables.get(request.message.table)
        if type(request.message) is messages.Sit:
            self._start_for(request, self._submit_sit)
        elif table is None or not table.submit(request):
            self._start_for(request, self._open_and_submit)

    def leave(self, viewer: Viewer, tables: Collection[str]) -> None:
        """Let a viewer leave these tables, as far as they are open here."""
        for table in [self.tables[name] for name in tables if name in self.tables]:
            table.leave(viewer)

    async def ask(self, request: TableRequest) -> None:
        """Submit a request and wait for the reply; a caller that stops waiting becomes no viewer."""
        request.finished = Event()
        self.submit(request)
        try:
            await request.finished.wait()
        except anyio.get_cancelled_exc_class():
            request.viewer = None
            raise

    def _start_for(self, request: TableRequest, submit: Callable[[TableRequest], Awaitable[None]]) -> None:
        if self._is_stopping:
            request.refuse(refuse(Code.TRY_AGAIN))
        else:
            self._tasks.start_soon(self._answer_all, request, submit)

    async def _answer_all(self, request: TableRequest, submit: Callable[[TableRequest], Awaitable[None]]) -> None:
        """Submit a request to its table, or refuse it with the reason."""
        try:
            await submit(request)
        except Refused as why:
            request.refuse(why)
        except Unavailable:
            request.refuse(refuse(Code.TRY_AGAIN))
        except Exception:  # one failed request must not stop the node
            self.metrics.count_broken_table()
            log.exception("table cannot be opened", extra={"table": request.message.table})
            request.refuse(refuse(Code.TRY_AGAIN))

    async def _open_and_submit(self, request: TableRequest) -> None:
        while not (await self.open(request.message.table)).submit(request):
            pass

    async def _submit_sit(self, request: TableRequest) -> None:
        """Submit a request to sit; one user's run one at a time, so that no two of them pass the limit together."""
        request.finished = request.finished or Event()
        async with self._taking_room.of(request.user):
            table = await self.open(request.message.table)
            await self._must_have_room(request.user, besides=table.id)
            await self._open_and_submit(request)
            await request.finished.wait()

    async def create(self, user: str, name: str, request: Create, *, may_seed: bool) -> messages.Reply:
        """Create a table and return the reply; a repeated request gets the table that it created before."""
        if request.seed is not None and not may_seed:
            raise refuse(Code.NOT_ALLOWED)
        if not self._is_time_known:
            raise refuse(Code.TRY_AGAIN)
        state = create_table(self._game(request.game), user, name, request, self.clock())
        key = build_request_key(user, request)
        async with self._taking_room.of(user):
            table = await self.store.find_creation(key)
            if table is None:
                await self._must_have_room(user)
                table = await self.store.create(make_id(), encode(state.take_snapshot()), build_summary(state), key)
        if isinstance(table, IdReused):
            raise refuse(Code.REQUEST_ID_REUSED)
        return Created(re=request.id, table=table)

    async def replay(self, request: Watch, user: str = "") -> AsyncIterator[Snapshot | Update]:
        """Yield a game as far as the user may see it; finding its first snapshot waits for a turn of this user."""
        table = await self.open(request.table)
        newest, head, limits = table.state.take_snapshot(), table.history.head, limit_replay(request, table.state, user)
        async with self._replays.of(user):
            snapshot = await find_first_snapshot(request, limits, newest, head, self.store)
            last = await find_last_head(table.id, limits, head, self.store)
        async for told in replay_entries(request, limits, snapshot, last, self.store):
            yield told

    async def _must_have_room(self, user: str, besides: str = "") -> None:
        """Refuse a user who has reached the limit of tables; the table `besides` does not count."""
        rows = await self.store.tables(user=user)
        own = {table for table, row in rows if row.status != "over" and (user == row.host or user in row.users)}
        if len(own - {besides}) >= self.settings.tables_per_user:
            raise refuse(Code.TOO_MANY_TABLES)

    def _game(self, name: str) -> Game:
        if name not in self.games:
            raise refuse(Code.NO_SUCH_GAME)
        return self.games[name]

    # Tables

    async def open(self, id: str) -> Table:  # noqa: A002
        """Return the table with this id; read it from the store if it is not open here."""
        if self._is_stopping or not self._is_time_known:
            raise refuse(Code.TRY_AGAIN)
        if id in self.tables and not self.tables[id].is_closed:
            self.tables[id] = self.tables.pop(id)
            return self.tables[id]
        async with self._opening.of(id):
            return await self._open_locked(id)

    async def _open_locked(self, id: str) -> Table:  # noqa: A002
        table = self.tables.get(id)
        if table is None or table.is_closed:
            table = self.tables[id] = await self._read(id)
            self._note_change(id, table.state)
            table.open()
        return table

    def _note_change(self, table: str, state: TableState) -> None:
        for listener in self.on_change:
            listener(table, state)
        if state.info.status == "over":
            for listener in self.on_end:
                listener(table, state)

    async def _read(self, id: str) -> Table:  # noqa: A002
        try:
            snapshot, _, log = await load_with_log(id, self.store)
            state = open_state(self.games, snapshot)
        except (NewerTable, UnreadableTable) as why:
            self._unreadable.report(id, why)
            raise
        self._unreadable.forget(id)
        return Table(id, state.game, state, self._services, log)

    def _services_of_tables(self) -> TableServices:
        return TableServices(
            self.store,
            self.settings,
            self.clock,
            self.metrics,
            closed_for=lambda: self.closed_for,
            doubt_time=self._doubt_time,
            changed=self._note_change,
            answers=self._answers,
            descriptions=self._descriptions,
            bots=self._bots,
            start_task=self._tasks.start_soon,
            resubmit=lambda request: self._start_for(request, self._open_and_submit),
            forget=self._forget,
        )

    def close_removed(self, id: str) -> None:  # noqa: A002
        """Close a table that was removed from the store, and tell its viewers that it is gone."""
        if id in self.tables:
            self.tables[id].lose(refuse(Code.NO_SUCH_TABLE))

    def close_unwatched(self, id: str) -> bool:  # noqa: A002
        """Close a table if nobody watches it here; return whether it is closed."""
        if id in self.tables:
            self.tables[id].put_away()
        return id not in self.tables

    def _forget(self, table: Table) -> None:
        if self.tables.get(table.id) is table:
            del self.tables[table.id]

    @property
    def _is_stopping(self) -> bool:
        return self._tasks.cancel_scope.cancel_called

    def _receive_hint(self, table: str, version: int) -> None:
        if table in self.tables:
            self.tables[table].hint(version)

    def _receive_pointer(self, table: str, words: bytes) -> None:
        if table in self.tables:
            self.tables[table].broadcaster.point(words)

    async def _run_checks(self) -> None:
        """Check regularly whether too many tables are open, clocks have run out, or hints were lost."""
        while True:
            self._make_room()
            try:
                await self._note_that_we_are_open()
                await self._look_after_clocks()
                await self._look_after_hints()
                await self._keep_what_is_needed()
                await self.cluster_presence.look(self.tables.values())
                await self.lobby.look()
                self.metrics.set_store_up(True)
            except Unavailable:
                self.metrics.set_store_up(False)
                if self.store.trouble() is None:  # otherwise the store has logged why, and what to do
                    log.warning("the store does not answer")
            except Exception:  # an error of one row or one table must not stop the node
                self.metrics.count_broken_table()
                log.exception("a look around broke")
            self.metrics.set_store_trouble(self.store.trouble())
            await anyio.sleep(LOOK_AROUND)

    @property
    def _is_time_known(self) -> bool:
        return not isinstance(self.clock, StoreClock) or self.clock.is_known

    def _doubt_time(self) -> None:
        """Make the next check ask the store for the total downtime."""
        self._noted = 0

    async def _measure_time(self) -> int:
        """Measure the store's time; return by how much it has jumped."""
        return await self.clock.measure() if isinstance(self.clock, StoreClock) else 0

    async def _note_that_we_are_open(self) -> None:
        """Record in the store that a node runs, so that nodes know after an outage how long it lasted.

        When the store's time has jumped, the node records the jump at once: it counts as downtime, so that no player
        loses time by it.
        """
        jump = await self._measure_time()
        if self._is_time_known and (jump or self.closed_for is None or self.clock() - self._noted >= OUTAGE // 3):
            self.closed_for = await self.store.mark_alive(self.clock() + jump, OUTAGE, jump, self.closed_for or 0)
            if isinstance(self.clock, StoreClock):
                self.clock.follow(jump)
            self._noted = self.clock()

    def _make_room(self) -> None:
        """Close tables without viewers if too many tables are open, the least recently used first."""
        excess = max(0, len(self.tables) - self.settings.open_tables)
        unwatched = (table for table in self.tables.values() if not table.broadcaster.has_viewers)
        leaving = list(islice(unwatched, excess))
        for table in leaving:
            table.put_away()
        if len(leaving) < excess:
            log.warning("%d tables are open, more than there should be, and all are watched", len(self.tables))

    async def _look_after_clocks(self) -> None:
        """Open tables that are due, with or without viewers: a deadline has passed, or a bot must move."""
        due = await self.store.due(self.clock(), SOME_DUE + self._passed_over)
        self._hopeless.intersection_update(due)
        waiting = [table for table in due if table not in self.tables and table not in self._hopeless]
        self._passed_over = len(due) - len(waiting)
        for table in waiting:
            await self._open_by_ourselves(table)

    async def _open_by_ourselves(self, table: str) -> None:
        """Open a table that is due; if it cannot be opened, remember that and go on with the others."""
        try:
            await self.open(table)
        except Damaged:  # the store has reported it; other tables are due as well
            self._hopeless.add(table)
        except Unavailable:
            raise
        except Exception as why:
            self._hopeless.add(table)
            if not isinstance(why, Refused):  # then it is gone, or of a game that only other nodes know
                self.metrics.count_broken_table()
                log.exception("table cannot be read", extra={"table": table})

    async def _look_after_hints(self) -> None:
        """Compare watched tables with the store; one that is behind reads on, one whose log went back is reloaded."""
        watched = [table for table in self.tables.values() if table.broadcaster.has_viewers]
        for start in range(0, len(watched), SOME_HEADS):
            asked = {table.id: (table, table.history.head) for table in watched[start : start + SOME_HEADS]}
            found = await self.store.heads(asked)
            for id_, (table, head) in asked.items():
                table.compare(head, found.get(id_))

    async def _keep_what_is_needed(self) -> None:
        """Touch tables that have viewers and whose game has not begun, so that the store keeps them.

        Other tables are kept by the entries of their logs.
        """
        now, every = self.clock(), 3_600_000 * self.settings.keep_empty_hours / TOUCHES
        lobbies = [table for table in self.tables.values() if table.state.info.status == "open"]
        needed = [table for table in lobbies if table.broadcaster.has_viewers]
        due = [table for table in needed if now - self._touched.get(table.id, -inf) >= every]
        await run_in_batches(self.store.touch(table.id, build_summary(table.state)) for table in due)
        touched = self._touched | dict.fromkeys((table.id for table in due), now)
        self._touched = {table.id: touched[table.id] for table in needed}
