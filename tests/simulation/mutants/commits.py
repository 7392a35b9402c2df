"""Bugs of storing, acknowledging and repeating."""

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

from ..memory_store import Log, Memory
from .injection import Change, mutant

# The store


@mutant("The store carries a request out again when it comes again.", "refused", "twice")
def no_dedupe() -> list[Change]:
    return [(Log, "known", lambda known: lambda log, key: None)]


@mutant("The store forgets request ids with every snapshot.", "refused", "twice")
def dedupe_until_the_snapshot() -> list[Change]:
    def wrapper(known: Any) -> Any:
        def forgetful(log: Log, key: RequestKey) -> Any:
            recent = next((n for n in range(log.version, 0, -1) if log.appended[n - 1].snapshot is not None), 0)
            found = known(log, key)
            return None if isinstance(found, Duplicate) and found.version <= recent else found

        return forgetful

    return [(Log, "known", wrapper)]


@mutant("The store appends wherever the log ends, whatever was expected.", "contiguous", "unfit", "digest")
def no_compare() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def blind(memory: Memory, given: Append) -> Any:
            return append(memory, replace(given, head=memory.logs[given.table].head))

        return blind

    return [(Memory, "append", wrapper)]


@mutant("The store stores a snapshot one entry too early.", "snapshot")
def snapshot_of_an_older_version() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def older(self: Table, commit: Commit) -> None:
            before = persistence.encode(self.state.take_snapshot())
            kept, self.__dict__["_older"] = self.__dict__.get("_older", before), before
            page = self.state.take_snapshot
            self.state.take_snapshot = lambda: persistence._snapshots.decode(kept)  # type: ignore[method-assign]
            try:
                append(self, commit)
            finally:
                self.state.take_snapshot = page  # type: ignore[method-assign]

        return older

    return [(Table, "append", wrapper)]


# Commit, acknowledge, broadcast


@mutant("An entry is told before it is stored.", "uncommitted")
def publish_before_commit() -> list[Change]:
    def early(append: Any) -> Any:
        def told_first(self: Table, commit: Commit) -> None:
            self.broadcaster.live.send_entry(self.state, commit.entry, "")
            append(self, commit)

        return told_first

    return [(Table, "append", early)]


@mutant("A request is acknowledged before it is stored.", "not_durable")
def acknowledge_before_commit() -> list[Change]:
    def early(append: Any) -> Any:
        def answered_first(self: Table, commit: Commit) -> None:
            if commit.request is not None and commit.reply is not None:
                commit.request.answer(commit.reply)
                commit.request.answer = lambda again: None
            append(self, commit)

        return answered_first

    return [(Table, "append", early)]


@mutant(
    "A store that does not answer counts as one that has stored.", "not_durable", "uncommitted", "gap", "other_reply"
)
def no_answer_is_good_news() -> list[Change]:
    def wrapper(conclude: Any) -> Any:
        def hopeful(self: Table, outcome: Any) -> None:
            conclude(self, _stored(self) if isinstance(outcome, Unavailable) else outcome)

        return hopeful

    return [(Table, "_conclude", wrapper)]


@mutant("Whatever the store says of an entry, it counts as stored.", "not_durable", "gap", "another_history")
def any_answer_is_good_news() -> list[Change]:
    return [(Table, "_conclude", lambda conclude: lambda self, outcome: conclude(self, _stored(self)))]


def _stored(table: Table) -> Committed:
    """What the store would say if it had the entry at hand."""
    assert table._commit is not None
    return Committed(link(table.history.head, table._commit.encoded))


@mutant("After a store did not answer, the book is not read again.", "gap", "refused", "another_history", "uncommitted")
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
    "After somebody else was quicker, the own change stays in the book.",
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
    "A table that could not be read again goes on with what it has.",
    *("refused", "unfit", "digest", "gap", "uncommitted", "snapshot", "snapshot_told", "leak", "offered"),
    "another_history",
)
def unread_book_goes_on() -> list[Change]:
    return [(Table, "lose", lambda lose: lambda self, why=None: self.broadcaster.live.lose(why))]


@mutant("A refusal of the store's silence is final, though the request may have been carried out.", "refused", "lost")
def unavailable_is_final() -> list[Change]:
    def wrapper(refuse: Any) -> Any:
        return lambda code, rule="", **given: refuse(Code.NOT_NOW if code is Code.TRY_AGAIN else code, rule)

    return [(table, "refuse", wrapper)]


@mutant(
    "The table goes on with the next request while the store is asked about an entry.",
    *("uncommitted", "broke", "gap", "another_history", "contiguous", "not_durable", "unfit", "exception"),
)
def table_not_held() -> list[Change]:
    def wrapper(append: Any) -> Any:
        def going_on(self: Table, commit: Commit) -> None:
            append(self, commit)
            self.activity = IDLE

        return going_on

    return [(Table, "append", wrapper)]


# Repetition


@mutant(
    "Requests are known only to the node that carried them out, as long as the table is open there.",
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

    return [(Log, "known", lambda known: lambda log, key: None), (Table, "_change", wrapper)]


@mutant("The same id counts as the same request, whatever it asks for.", "forged")
def key_not_bound_to_payload() -> list[Change]:
    def wrapper(key_of: Any) -> Any:
        return lambda *given: replace(key_of(*given), hash=b"")

    return [(table, "build_request_key", wrapper)]


@mutant("A repeated request is answered with the version the table has now.", "not_durable", "other_reply")
def repetition_gets_the_newest_version() -> list[Change]:
    def wrapper(answer: Any) -> Any:
        async def newest(self: Table, call: TableRequest, outcome: Any) -> Any:
            if isinstance(outcome, Duplicate):
                call.reply(Done(re=call.message.id, table=self.id, version=self.state.version))
                return True
            return await answer(self, call, outcome)

        return newest

    return [(repetition, "answer_repetition", wrapper)]


@mutant("A reply is sent under the id of the request before it.", "another")
def reply_of_another_request() -> list[Change]:
    def wrapper(reply: Any) -> Any:
        def mixed_up(self: Connection, said: Any) -> None:
            re = said.re if said else ""
            before, self.__dict__["_before"] = self.__dict__.get("_before", re), re
            is_repeated = isinstance(said, Done) and said.version % 5 == 0
            reply(self, replace(said, re=before) if is_repeated else said)

        return mixed_up

    return [(Connection, "conclude", wrapper)]


@mutant("A refusal is not doubted by a node that is behind.", "refused")
def refusal_not_doubted() -> list[Change]:
    def wrapper(doubt: Any) -> Any:
        async def sure(self: Table, call: TableRequest, key: Any, why: Any) -> None:
            raise why

        return sure

    return [(repetition, "recheck_refusal", wrapper)]


@mutant("What was refused at a node once is refused there for ever, also when it was done elsewhere.", "refused")
def refusal_remembered_too_well() -> list[Change]:
    def wrapper(refuse_again: Any) -> Any:
        async def stubborn(self: Table, call: TableRequest, key: RequestKey) -> None:
            raise self.refusals.reason(key)

        return stubborn

    return [(repetition, "refuse_again", wrapper)]


@mutant("A create that comes again opens another table.", "other_reply")
def create_not_deduped() -> list[Change]:
    def fresh(create: Any) -> Any:
        def created(memory: Memory, name: str, snapshot: bytes, summary: Any, key: RequestKey) -> Any:
            return create(memory, name, snapshot, summary, replace(key, id=f"{key.id} {name}"))

        return created

    return [(Memory, "create", fresh), (Memory, "created", lambda created: lambda memory, key: None)]
