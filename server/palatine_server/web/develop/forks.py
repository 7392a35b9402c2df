"""Forks: a new table that begins as another one did, up to a version, to be played on from there.

A fork is either a copy of the log, or the same requests carried out again with the installed rules. The players keep
their seats, and the old table stays as it is.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from anyio import to_thread
from msgspec import Struct

from palatine_protocol.errors import Code

from ...games.kit import Game, Refused, refuse
from ...games.named_games import name_cause
from ...store import Append, Committed, RequestKey, Store, Summary, append_and_wait
from ...store.hash_chain import origin
from ...tables.deadlines import clocks
from ...tables.directory import TableDirectory
from ...tables.model import LogEntry, TableSnapshot
from ...tables.state import TableState
from ...tables.storage.persistence import build_opening_snapshot, build_summary, encode, fold, make_id, read_entry
from .replayed_log import ReplayedLog
from .table_view import read_log

Way = Literal["log", "rules"]


class ForkRequest(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request for a fork."""

    table: str
    at: int
    way: Way = "log"


class ForkPlan(Struct, kw_only=True):
    """A fork before it is stored."""

    first: TableSnapshot
    entries: list[LogEntry]
    state: TableState
    stopped: str = ""  # why the rules did not carry out all entries


async def fork_table(request: ForkRequest, directory: TableDirectory) -> tuple[str, ForkPlan]:
    """Store a fork; return its id and its plan."""
    loaded, log = await read_log(request.table, directory.store)
    if not 1 <= request.at <= len(log):
        raise refuse(Code.NO_SUCH_VERSION)
    game = directory.games.get(loaded.snapshot.info["game"])
    if game is None:
        raise refuse(Code.NO_SUCH_GAME)
    first, chosen = build_opening_snapshot(loaded.snapshot), log[: request.at]
    plan = await to_thread.run_sync(plan_fork, game, first, chosen, request.way, directory.clock())
    return await store_fork(plan, directory.store), plan


def plan_fork(game: Game, first: TableSnapshot, log: list[bytes], way: Way, now: int) -> ForkPlan:
    """Return the fork; refuse it if the rules cannot go on from there."""
    entries = list(map(read_entry, log))
    if way == "rules":
        replayed = ReplayedLog(game, first)
        replayed.play_all(entries)
        plan = ForkPlan(first=first, entries=replayed.entries, state=replayed.state, stopped=replayed.stopped)
    else:
        plan = ForkPlan(first=first, entries=entries, state=read_state(game, fold(encode(first), entries)))
    set_clocks(plan, now)
    return plan


def read_state(game: Game, snapshot: TableSnapshot) -> TableState:
    try:
        state = TableState.read(game, snapshot)
        state.bots_to_move()  # asks the rules for the first time
    except Refused:
        raise
    except Exception as error:  # rules that are being written may raise anything
        raise Refused(Code.TABLE_UNREADABLE, f"The rules cannot go on from here: {name_cause(error)}.") from None
    return state


def set_clocks(plan: ForkPlan, now: int) -> None:
    """Put the clocks of a running game back by its age, so that nobody's time is up at once."""
    state = plan.state
    if state.info.status == "playing" and state.is_timed and plan.entries:
        clocks.put_back(state.secrets.clocks, now - plan.entries[-1].at)
        plan.entries.append(state.entry(now, "", {"do": "put_clocks_back"}, None, []))


async def store_fork(plan: ForkPlan, store: Store) -> str:
    """Store a fork entry by entry; the list of tables names it with the last one, so that nobody opens half of it."""
    summary, table = build_summary(plan.state), make_id()
    await store.create(table, encode(plan.first), hide_summary(summary), RequestKey("", f"fork {table}", b""))
    head, newest = origin(table), encode(plan.state.take_snapshot())
    for number, entry in enumerate(plan.entries, 1):
        more = (summary, newest) if number == len(plan.entries) else (None, None)
        outcome = await append_and_wait(store, Append(table, head, encode(entry), None, *more))
        if not isinstance(outcome, Committed):
            raise refuse(Code.TRY_AGAIN)
        head = outcome.head
    return table


def hide_summary(summary: Summary) -> Summary:
    """Return a summary that no list shows and no node looks after."""
    nobody: list[str | None] = [None for _ in summary.users]
    return msgspec.structs.replace(summary, visibility="private", host="", users=nobody, deadline=None)
