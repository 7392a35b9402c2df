"""Bugs of storing, acknowledging and repeating."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from palatine_protocol.errors import Code
from palatine_protocol.messages import Done
from palatine_server.gateway.connection import Connection
from palatine_server.store import Append, Committed, Duplicate, RequestKey, Stale, Unavailable
from palatine_server.store.hash_chain import link
from palatine_server.tables import changing, pages, table
from palatine_server.tables.calls import Call
from palatine_server.tables.changing import Change as Begun
from palatine_server.tables.inbox import Inbox
from palatine_server.tables.table import Table

from ..memory import Log, Memory
from .planting import Change, mutant

# The store


@mutant("The store carries a request out again when it comes again.", "refused", "twice")
def no_dedupe() -> list[Change]:
    return [(Log, "known", lambda known: lambda log, key: None)]


@mutant("The store forgets request ids with every snapshot.", "refused", "twice")
def dedupe_until_the_snapshot() -> list[Change]:
    def wrapper(known: Any) -> Any:
        def forgetful(log: Log, key: RequestKey) -> Any:
            recent = next((n for n in range(log.version, 0, -1) if log.appended[n - 1].snapshot is not None), 0)
            return known(Log(log.table, log.first, log.first_summary, log.appended[recent:]), key)

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
        async def older(self: Table, entry: Any, *given: Any) -> Any:
            before = pages.encode(self.book.page())
            kept, self.__dict__["_older"] = self.__dict__.get("_older", before), before
            page = self.book.page
            self.book.page = lambda: pages._pages.decode(kept)  # type: ignore[method-assign]
            try:
                return await append(self, entry, *given)
            finally:
                self.book.page = page  # type: ignore[method-assign]

        return older

    return [(Table, "_append", wrapper)]


# Commit, acknowledge, tell


@mutant("An entry is told before it is stored.", "uncommitted")
def publish_before_commit() -> list[Change]:
    def early(append: Any) -> Any:
        async def told_first(self: Table, entry: Any, *given: Any) -> Any:
            self.audience.tell(self.book, entry, "")
            return await append(self, entry, *given)

        return told_first

    return [(Table, "_append", early)]


@mutant("A request is acknowledged before it is stored.", "not_durable")
def acknowledge_before_commit() -> list[Change]:
    def remember(change: Any) -> Any:
        async def changed(self: Table, call: Call) -> None:
            self.__dict__["_at_hand"] = call
            await change(self, call)

        return changed

    def early(append: Any) -> Any:
        async def answered_first(self: Table, entry: Any, key: Any, reply: Any) -> Any:
            if key is not None:
                call = self.__dict__["_at_hand"]
                call.answer(reply)
                call.answer = lambda again: None
            return await append(self, entry, key, reply)

        return answered_first

    return [(Table, "_change", remember), (Table, "_append", early)]


@mutant(
    "A store that does not answer counts as one that has stored.", "not_durable", "uncommitted", "gap", "other_reply"
)
def no_answer_is_good_news() -> list[Change]:
    def wrapper(append: Any) -> Any:
        async def hopeful(self: Table, entry: Any, *given: Any) -> Any:
            try:
                return await append(self, entry, *given)
            except Unavailable:
                return Committed(link(self.history.head, pages.encode(entry)))

        return hopeful

    return [(Table, "_append", wrapper)]


@mutant("After a store did not answer, the book is not read again.", "gap", "refused", "another_history")
def no_reread_after_unavailable() -> list[Change]:
    def note(append: Any) -> Any:
        async def noted(self: Table, *given: Any) -> Any:
            try:
                return await append(self, *given)
            except Unavailable:
                self.__dict__["_trusting"] = True
                raise

        return noted

    def skip(read_again: Any) -> Any:
        async def skipped(self: Table) -> None:
            if not self.__dict__.pop("_trusting", False):
                await read_again(self)

        return skipped

    return [(Table, "_append", note), (Table, "_read_again", skip)]


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
    def note(append: Any) -> Any:
        async def noted(self: Table, *given: Any) -> Any:
            outcome = await append(self, *given)
            self.__dict__["_stale"] = isinstance(outcome, Stale)
            return outcome

        return noted

    def keep(read_again: Any) -> Any:
        async def kept(self: Table) -> None:
            if not self.__dict__.pop("_stale", False):
                await read_again(self)
                return
            self.book.version -= 1
            await self._read_on()

        return kept

    return [(Table, "_append", note), (Table, "_read_again", keep)]


@mutant(
    "A table that could not be read again goes on with what it has.",
    *("refused", "unfit", "digest", "gap", "uncommitted", "snapshot", "snapshot_told", "leak", "offered"),
    "another_history",
)
def unread_book_goes_on() -> list[Change]:
    return [(Table, "_lose_everybody", lambda lose: lambda self, why=None: self.audience.lose(why))]


@mutant("A refusal of the store's silence is final, though the request may have been carried out.", "refused", "lost")
def unavailable_is_final() -> list[Change]:
    def wrapper(refuse: Any) -> Any:
        return lambda code, rule="": refuse(Code.NOT_NOW if code is Code.TRY_AGAIN else code, rule)

    return [(table, "refuse", wrapper)]


# The short way


@mutant("An action that takes the short way is told before it is stored.", "uncommitted")
def publish_before_commit_at_once() -> list[Change]:
    def early(append: Any) -> Any:
        def told_first(self: Table, change: Begun) -> Any:
            self.audience.tell(self.book, change.entry, "")
            return append(self, change)

        return told_first

    return [(Table, "_append_soon", early)]


@mutant("An action that takes the short way is acknowledged before it is stored.", "not_durable")
def acknowledge_before_commit_at_once() -> list[Change]:
    def early(append: Any) -> Any:
        def answered_first(self: Table, change: Begun) -> Any:
            change.call.answer(change.reply)
            change.call.answer = lambda again: None
            return append(self, change)

        return answered_first

    return [(Table, "_append_soon", early)]


@mutant(
    "Whatever the store says of an action that took the short way, it counts as stored.",
    *("not_durable", "gap", "another_history"),
)
def any_answer_is_good_news() -> list[Change]:
    def wrapper(stored: Any) -> Any:
        def hopeful(self: Table, change: Begun, outcome: Any) -> None:
            stored(self, change, Committed(link(self.history.head, pages.encode(change.entry))))

        return hopeful

    return [(Table, "_stored", wrapper)]


@mutant(
    "The table goes on while the store is asked about an action that took the short way.",
    *("uncommitted", "broke", "gap", "another_history"),
)
def table_not_held() -> list[Change]:
    def wrapper(hold: Any) -> Any:
        def held(self: Inbox[Any]) -> bool:
            is_held = hold(self)
            self._is_held = False
            return bool(is_held)

        return held

    return [(Inbox, "hold", wrapper)]


# Repetition


@mutant(
    "Requests are known only to the node that carried them out, as long as the table is open there.",
    "refused",
    "twice",
    "forged",
)
def dedupe_forgotten_after_reconnect() -> list[Change]:
    def wrapper(change: Any) -> Any:
        async def changed(self: Table, call: Call) -> None:
            known = self.__dict__.setdefault("_known", {})
            if call.request.id in known:
                call.reply(known[call.request.id])
                return
            answer = call.answer

            def remember(reply: Any) -> None:
                known.update({reply.re: reply} if isinstance(reply, Done) else {})
                answer(reply)

            call.answer = remember
            await change(self, call)

        return changed

    return [(Log, "known", lambda known: lambda log, key: None), (Table, "_change", wrapper)]


@mutant("The same id counts as the same request, whatever it asks for.", "forged")
def key_not_bound_to_payload() -> list[Change]:
    def wrapper(key_of: Any) -> Any:
        return lambda *given: replace(key_of(*given), hash=b"")

    return [(table, "key_of", wrapper), (changing, "key_of", wrapper)]


@mutant("A repeated request is answered with the version the table has now.", "not_durable", "other_reply")
def repetition_gets_the_newest_version() -> list[Change]:
    def wrapper(repeated: Any) -> Any:
        async def newest(self: Table, call: Call, outcome: Any) -> Any:
            if isinstance(outcome, Duplicate):
                reply = Done(re=call.request.id, table=self.id, version=self.book.version)
                outcome = Duplicate(pages.encode(reply))
            return await repeated(self, call, outcome)

        return newest

    return [(Table, "_repeated", wrapper)]


@mutant("A reply is sent under the id of the request before it.", "another")
def reply_of_another_request() -> list[Change]:
    def wrapper(reply: Any) -> Any:
        def mixed_up(self: Connection, said: Any) -> None:
            before, self.__dict__["_before"] = self.__dict__.get("_before", said.re), said.re
            is_repeated = isinstance(said, Done) and said.version % 5 == 0
            reply(self, replace(said, re=before) if is_repeated else said)

        return mixed_up

    return [(Connection, "_reply", wrapper)]


@mutant("A refusal is not doubted by a node that is behind.", "refused")
def refusal_not_doubted() -> list[Change]:
    def wrapper(doubt: Any) -> Any:
        async def sure(self: Table, call: Call, key: Any, why: Any) -> None:
            raise why

        return sure

    return [(Table, "_doubt", wrapper)]


@mutant("What was refused at a node once is refused there for ever, also when it was done elsewhere.", "refused")
def refusal_remembered_too_well() -> list[Change]:
    def wrapper(refuse_again: Any) -> Any:
        async def stubborn(self: Table, call: Call, key: RequestKey) -> None:
            raise self._refused[key].with_traceback(None)

        return stubborn

    return [(Table, "_refuse_again", wrapper)]


@mutant("A create that comes again opens another table.", "other_reply")
def create_not_deduped() -> list[Change]:
    def fresh(create: Any) -> Any:
        def created(memory: Memory, name: str, snapshot: bytes, summary: Any, key: RequestKey) -> Any:
            return create(memory, name, snapshot, summary, replace(key, id=f"{key.id} {name}"))

        return created

    return [(Memory, "create", fresh), (Memory, "created", lambda created: lambda memory, key: None)]
