"""Mutants of commits, acknowledgements and repeated requests."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from palatine_protocol.errors import Code
from palatine_protocol.messages import Done
from palatine_server.gateway.connection import Connection
from palatine_server.store import Append, Committed, Duplicate, RequestKey, Stale, Unavailable
from palatine_server.store.hash_chain import link
from palatine_server.tables import repetition, table
from palatine_server.tables.requests import TableRequest
from palatine_server.tables.storage import loader, persistence
from palatine_server.tables.storage.committer import Commit
from palatine_server.tables.table import IDLE, Table

from ..memory_store import StoreMemory, TableLog
from .injection import Change, mutant, patch_instance

# The store


@mutant("The store carries out a repeated request again.", "refused", "twice")
def no_dedupe() -> list[Change]:
    return [(TableLog, "known", lambda known: lambda log, key: None)]


@mutant("The store forgets request ids with every snapshot.", "refused", "twice")
def dedupe_until_the_snapshot() -> list[Change]:
    def wrapper(known: Any) -> Any:
        def forgetful(log: TableLog, key: RequestKey) -> Any:
            recent = next((n for n in range(log.version, 0, -1) if log.appended[n - 1].snapshot is not None), 0)
            found = known(log, key)
            return None if isinstance(found, Duplicate) and found.version <= recent else found

        return forgetful

    return [(TableLog, "known", wrapper)]


@mutant("The store appends an entry without comparing the expected head.", "contiguous", "unfit", "digest")
def no_compare() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def blind(memory: StoreMemory, given: Append) -> Any:
            return append(memory, replace(given, head=memory.logs[given.table].head))

        return blind

    return [(StoreMemory, "append", wrapper)]


@mutant("A node stores the snapshot of the version before.", "snapshot")
def snapshot_of_an_older_version() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def older(self: Table, commit: Commit) -> None:
            before = persistence.encode(self.state.take_snapshot())
            kept, self.__dict__["_older"] = self.__dict__.get("_older", before), before
            with patch_instance(self.state, "take_snapshot", lambda: persistence._snapshots.decode(kept)):
                append(self, commit)

        return older

    return [(Table, "append", wrapper)]


# Commit, acknowledge, broadcast


@mutant("A node broadcasts an entry before it is stored.", "uncommitted")
def publish_before_commit() -> list[Change]:
    def early(append: Any) -> Any:
        def told_first(self: Table, commit: Commit) -> None:
            self.broadcaster.live.send_entry(self.state, commit.entry, "")
            append(self, commit)

        return told_first

    return [(Table, "append", early)]


@mutant("A node acknowledges a request before it is stored.", "not_durable")
def acknowledge_before_commit() -> list[Change]:
    def early(append: Any) -> Any:
        def answered_first(self: Table, commit: Commit) -> None:
            if commit.request is not None and commit.reply is not None:
                commit.request.answer(commit.reply)
                commit.request.answer = lambda again: None
            append(self, commit)

        return answered_first

    return [(Table, "append", early)]


@mutant("A node takes a missing answer of the store for a commit.", "not_durable", "uncommitted", "gap", "other_reply")
def no_answer_is_good_news() -> list[Change]:
    def wrapper(conclude: Any) -> Any:
        def hopeful(self: Table, outcome: Any) -> None:
            conclude(self, _stored(self) if isinstance(outcome, Unavailable) else outcome)

        return hopeful

    return [(Table, "_conclude", wrapper)]


@mutant("A node takes every answer of the store for a commit.", "not_durable", "gap", "another_history")
def any_answer_is_good_news() -> list[Change]:
    return [(Table, "_conclude", lambda conclude: lambda self, outcome: conclude(self, _stored(self)))]


def _stored(table: Table) -> Committed:
    """Return the outcome that the store would return if it had stored the pending entry."""
    assert table._commit is not None
    return Committed(link(table.history.head, table._commit.encoded))


@mutant(
    "A node does not reload the table after the store did not answer.",
    "gap",
    "refused",
    "another_history",
    "uncommitted",
)
def no_reread_after_unavailable() -> list[Change]:
    def note(conclude: Any) -> Any:
        def noted(self: Table, outcome: Any) -> None:
            self.__dict__["_trusting"] = isinstance(outcome, Unavailable)
            conclude(self, outcome)

        return noted

    def skip(reload: Any) -> Any:
        async def skipped(self: Table) -> None:
            if not self.__dict__.pop("_trusting", False):
                await reload(self)

        return skipped

    return [(Table, "_conclude", note), (loader, "reload", skip)]


@mutant(
    "After a stale commit, the rejected change stays in the state.",
    "broke",
    "refused",
    "snapshot",
    "unfit",
    "snapshot_told",
    "gap",
    "digest",
    "another_page",
)
def book_kept_after_stale() -> list[Change]:
    def note(conclude: Any) -> Any:
        def noted(self: Table, outcome: Any) -> None:
            self.__dict__["_stale"] = isinstance(outcome, Stale)
            conclude(self, outcome)

        return noted

    def keep(reload: Any) -> Any:
        async def kept(self: Table) -> None:
            if not self.__dict__.pop("_stale", False):
                await reload(self)
                return
            self.state.version -= 1
            await loader.read_on(self)

        return kept

    return [(Table, "_conclude", note), (loader, "reload", keep)]


@mutant(
    "A table that could not be reloaded goes on with its old state.",
    *("refused", "unfit", "digest", "gap", "uncommitted", "snapshot", "snapshot_told", "leak", "offered"),
    "another_history",
)
def unread_book_goes_on() -> list[Change]:
    return [(Table, "lose", lambda lose: lambda self, why=None: self.broadcaster.live.lose(why))]


@mutant("A node refuses for good after the store did not answer, though the request may be stored.", "refused", "lost")
def unavailable_is_final() -> list[Change]:
    def wrapper(refuse: Any) -> Any:
        return lambda code, rule="", **given: refuse(Code.NOT_NOW if code is Code.TRY_AGAIN else code, rule)

    return [(table, "refuse", wrapper)]


@mutant(
    "The table handles the next request while a commit is pending.",
    *("uncommitted", "broke", "gap", "another_history", "contiguous", "not_durable", "unfit", "exception"),
)
def table_not_held() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def going_on(self: Table, commit: Commit) -> None:
            append(self, commit)
            self.activity = IDLE

        return going_on

    return [(Table, "append", wrapper)]


# Repeated requests


@mutant(
    "Only the node that carried out a request recognises its repetition, while the table is open there.",
    "refused",
    "twice",
    "forged",
)
def dedupe_forgotten_after_reconnect() -> list[Change]:
    def wrapper(change: Any) -> Any:
        def changed(self: Table, call: TableRequest) -> None:
            known = self.__dict__.setdefault("_known", {})
            if call.message.id in known:
                call.reply(known[call.message.id])
                return
            answer = call.answer

            def remember(reply: Any) -> None:
                known.update({reply.re: reply} if isinstance(reply, Done) else {})
                answer(reply)

            call.answer = remember
            change(self, call)

        return changed

    return [(TableLog, "known", lambda known: lambda log, key: None), (Table, "_change", wrapper)]


@mutant("Two requests with the same id count as the same request, whatever they ask for.", "forged")
def key_not_bound_to_payload() -> list[Change]:
    def wrapper(key_of: Any) -> Any:
        return lambda *given: replace(key_of(*given), hash=b"")

    return [(table, "build_request_key", wrapper)]


@mutant("A repeated request gets the current version of the table in its reply.", "not_durable", "other_reply")
def repetition_gets_the_newest_version() -> list[Change]:
    def wrapper(answer: Any) -> Any:
        async def newest(self: Table, call: TableRequest, outcome: Any) -> Any:
            if isinstance(outcome, Duplicate):
                call.reply(Done(re=call.message.id, table=self.id, version=self.state.version))
                return True
            return await answer(self, call, outcome)

        return newest

    return [(repetition, "answer_repetition", wrapper)]


@mutant("A reply carries the id of the request before.", "another")
def reply_of_another_request() -> list[Change]:
    def wrapper(reply: Any) -> Any:
        def mixed_up(self: Connection, said: Any) -> None:
            re = said.re if said else ""
            before, self.__dict__["_before"] = self.__dict__.get("_before", re), re
            is_repeated = isinstance(said, Done) and said.version % 5 == 0
            reply(self, replace(said, re=before) if is_repeated else said)

        return mixed_up

    return [(Connection, "conclude", wrapper)]


@mutant("A node that is behind refuses without checking its state first.", "refused")
def refusal_not_doubted() -> list[Change]:
    def wrapper(doubt: Any) -> Any:
        async def sure(self: Table, call: TableRequest, key: Any, why: Any) -> None:
            raise why

        return sure

    return [(repetition, "recheck_refusal", wrapper)]


@mutant("A node repeats an earlier refusal although another node has carried out the request.", "refused")
def refusal_remembered_too_well() -> list[Change]:
    def wrapper(refuse_again: Any) -> Any:
        async def stubborn(self: Table, call: TableRequest, key: RequestKey) -> None:
            raise self.refusals.reason(key)

        return stubborn

    return [(repetition, "refuse_again", wrapper)]


@mutant("A repeated create request creates another table.", "other_reply")
def create_not_deduped() -> list[Change]:
    def fresh(create: Any) -> Any:
        def created(memory: StoreMemory, name: str, snapshot: bytes, summary: Any, key: RequestKey) -> Any:
            return create(memory, name, snapshot, summary, replace(key, id=f"{key.id} {name}"))

        return created

    return [(StoreMemory, "create", fresh), (StoreMemory, "find_creation", lambda created: lambda memory, key: None)]
