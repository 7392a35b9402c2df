"""Mutants of the code that handles a full or damaged disk."""

from __future__ import annotations

from typing import Any

from palatine_server.store import Committed, Unavailable
from palatine_server.store.hash_chain import link
from palatine_server.tables.directory import TableDirectory

from ..scenario import DAMAGED_TABLE
from ..store_proxy import FULL_DISK, WRITES, StoreCall, StoreProxy
from .injection import Change, mutant


@mutant("The store acknowledges an entry although the disk is full.", "not_durable", "uncommitted", "gap")
def full_disk_is_acknowledged() -> list[Change]:
    def wrapper(refuse: Any) -> Any:
        def lie(call: StoreCall) -> None:
            if call.name != "append":
                refuse(call)
                return
            head = link(call.store.memory.logs[call.table].head, b"not stored")
            call.store.later(call.store.plan.answer, call._give, Committed(head))

        return lie

    return [(StoreCall, "refuse_full_disk", wrapper)]


@mutant("A node never writes again after the disk was full once.", "answered", "behind", "late", "overdue", "idle_bot")
def full_disk_is_final() -> list[Change]:
    def wrapper(ask: Any) -> Any:
        async def discouraged(self: StoreProxy, name: str, *given: Any) -> Any:
            if name in WRITES and self.__dict__.get("_discouraged"):
                raise Unavailable(FULL_DISK)
            try:
                return await ask(self, name, *given)
            except Unavailable as why:
                self.__dict__["_discouraged"] = self.__dict__.get("_discouraged") or str(why) == FULL_DISK
                raise

        return discouraged

    return [(StoreProxy, "_ask", wrapper)]


@mutant(
    "A damaged table that is due stops the deadlines of all other tables.",
    *("late", "overdue", "idle_bot", "untold"),
)
def damaged_table_stops_the_clocks() -> list[Change]:
    def wrapper(open_by_ourselves: Any) -> Any:
        async def strict(self: TableDirectory, table: str) -> None:
            if table == DAMAGED_TABLE:
                raise Unavailable
            await open_by_ourselves(self, table)

        return strict

    return [(TableDirectory, "_open_by_ourselves", wrapper)]
