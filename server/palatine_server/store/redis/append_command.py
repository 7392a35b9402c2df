"""Append commands: they send entries to our Redis function, and interpret its replies.

Every entry is stored through this module. Outside a cluster, all appends that wait in one iteration of the loop become
one call of the function; in a cluster, those of one slot do. A command is joined from prepared parts, and renews the
time to live of its table only now and then.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

import msgspec

from ..contract import (
    Append,
    Committed,
    Damaged,
    Duplicate,
    Gone,
    IdReused,
    OnOutcome,
    Outcome,
    Overloaded,
    RequestKey,
    Retention,
    Stale,
    Summary,
    Unavailable,
    milliseconds,
)
from ..hash_chain import UNKNOWN, Head, link, seal
from .head_cache import CachedHead, HeadCache
from .index import Index, IndexRow
from .log_reader import read_head
from .resp_protocol import Command, answer
from .server_setup import function
from .topology import pack

NEARLY: Final = 995  # thousandths of its time to live; while more are left, it is not renewed
KEYS: Final = 2  # of each append
ARGUMENTS: Final = 8  # of each append; four more with a time to live, a summary or a snapshot
MOST_TOGETHER: Final = (
    64  # appends in one call, so that no other client of the server waits for more than a millisecond
)
CALL: Final = pack(("FCALL", function("append")))[2:-2]
SIZES: Final = [b"\r\n$%d\r\n" % size for size in range(2048)]  # the header of each word, by its size

NOTHING_MORE: Final = SIZES[0]

LOG = logging.getLogger(__name__)
_json = msgspec.json.Encoder()


class AppendCommand(Command):
    """An entry to append, and the callback for its outcome."""

    def __init__(self, encoder: AppendEncoder, append: Append, on_outcome: OnOutcome) -> None:
        super().__init__("", b"")
        self.encoder, self.append, self.on_outcome = encoder, append, on_outcome
        self.table, self.before, self.summary = append.table, append.head, append.summary
        self.keys = self.arguments = b""  # its parts of the call
        self.number, self.slot = ARGUMENTS, 0
        self.after = UNKNOWN  # the head when it is stored
        self.is_news = False  # whether this summary is not stored yet
        self.keep = self.until = 0  # for how long the store then keeps the table, and until when

    def answer(self, reply: Any) -> None:
        self.on_outcome(self._outcome(reply))

    def _outcome(self, reply: Any) -> Outcome | Unavailable:
        try:
            return self.encoder.interpret_reply(self, reply)
        except Exception as error:  # every append gets an outcome; a retry finds out what was stored
            LOG.exception(
                "table %s: the reply of Redis could not be handled; please report this",
                self.table,
            )
            return Unavailable(f"the reply of Redis could not be handled: {type(error).__name__}")


class RedisAppendBatch(Command):
    """Several appends in one call of our function."""

    def __init__(self, appends: list[Command]) -> None:
        parts, arguments, number = [b"", CALL, _word(b"%d" % (KEYS * len(appends)))], list[bytes](), 0
        for append in appends:
            assert isinstance(append, AppendCommand)
            parts.append(append.keys)
            arguments.append(append.arguments)
            number += append.number
        parts[0] = b"*%d" % (3 + KEYS * len(appends) + number)
        arguments.append(b"\r\n")
        super().__init__(appends[0].key, b"".join(parts + arguments))
        self._appends = appends

    def answer(self, reply: Any) -> None:
        """Give each append its reply; a number instead of a list means that all appends are committed."""
        number = len(self._appends)
        if isinstance(reply, int):
            reply = [1] * reply
        elif isinstance(reply, Unavailable):
            reply = [type(reply)(*reply.args) for _ in self._appends]
        if len(reply) != number:
            reply = [Unavailable("Redis sent a reply with the wrong number of outcomes") for _ in self._appends]
        answer(self._appends, reply)


def batch(commands: list[Command]) -> list[Command]:
    """Put appends into batches; no command moves back, and appends keep their order."""
    batched, open_batches = list[Command | list[Command]](), dict[int, list[Command]]()
    for command in commands:
        if not isinstance(command, AppendCommand):
            batched.append(command)
            continue
        appends = open_batches.get(command.slot)
        if appends is None or len(appends) == MOST_TOGETHER:
            appends = open_batches[command.slot] = []
            batched.append(appends)
        appends.append(command)
    return [RedisAppendBatch(some) if isinstance(some, list) else some for some in batched]


class AppendEncoder:
    """Encodes appends, and interprets the replies."""

    def __init__(
        self,
        cache: HeadCache,
        index: Index,
        keep: Retention,
        on_commit: Callable[[str, CachedHead], None],
        check: Callable[..., Any],
    ) -> None:
        self._cache, self._index, self._keep, self._longest = cache, index, keep, keep.longest
        self._on_commit, self._check = on_commit, check

    # Commands

    def encode(self, command: AppendCommand) -> None:
        """Fill in the parts of the call that this command contributes."""
        cached, before, entry = self._cache.get_with_keys(command.table), command.before, command.append.entry
        mine = cached if cached.mine == before.version and cached.head.hash == before.hash else None
        after = command.after = link(before, entry)
        command.is_news = command.summary is not None and (mine is None or not _is_same(command.summary, mine.summary))
        if command.summary is None and mine is not None:
            command.summary = mine.summary
        command.key, command.keys, command.slot = cached.key, cached.keys, cached.slot
        expected, version, request, record = b"%d" % before.version, b"%d" % after.version, b"", b""
        if command.append.request is not None:
            request = request_field(command.append.request)
            record = b"%b %b" % (version, command.append.request.hash)
        words = [_size(expected), expected, _size(before.hash), before.hash, _size(version), version]
        words += [_size(after.hash), after.hash, _size(entry), entry, _size(request), request]
        words += [_size(record), record, self._encode_extras(command, mine)]
        command.arguments = b"".join(words)

    def _encode_extras(self, command: AppendCommand, mine: CachedHead | None) -> bytes:
        """Encode what most appends lack: the time to live, the summary, the snapshot with its seal."""
        keep, snapshot = self._encode_retention(command, mine), command.append.snapshot
        if not keep and not command.is_news and snapshot is None:
            return NOTHING_MORE
        command.number = ARGUMENTS + 4
        summary = _json.encode(command.summary) if command.is_news else b""
        sealed = b"" if snapshot is None else seal(command.after, snapshot)
        return b"".join(map(_word, (b"+", keep, summary, sealed, snapshot or b"")))

    def _encode_retention(self, command: AppendCommand, mine: CachedHead | None) -> bytes:
        """Encode the new time to live of the table; empty if nearly all of the old one is left."""
        now = milliseconds()
        command.keep = keep = self._find_retention(command, mine, now)
        if mine is not None and NEARLY * keep <= 1000 * (mine.until - now) <= 1000 * keep:
            command.until = mine.until
            return b""
        command.until = now + keep
        return b"%d" % keep

    def _find_retention(self, command: AppendCommand, mine: CachedHead | None, now: int) -> int:
        summary = command.summary
        if summary is None:
            return self._longest
        if mine is not None and not command.is_news and summary.deadline is None:
            return mine.keep
        return self._keep.for_table(summary, now)

    # Replies

    def interpret_reply(self, command: AppendCommand, reply: Any) -> Outcome | Unavailable:
        """Return the outcome that a reply means; update the cache and the index."""
        if reply == 1:
            return self._remember(command)
        if isinstance(reply, Unavailable):
            if not isinstance(reply, Overloaded):  # the entry may be stored, by this attempt or an earlier one
                self._index.queue_recheck(command.table)
            return reply
        try:
            return self._interpret_refusal(command, reply)
        except Damaged as error:
            return error.with_traceback(None)

    def _remember(self, command: AppendCommand) -> Committed:
        cached = self._cache.remember(command.table, command.after)
        cached.mine, cached.summary = command.after.version, command.summary
        cached.keep, cached.until = command.keep, command.until
        if command.is_news and command.summary is not None:
            self._index.queue_row(command.table, IndexRow(cached.mine, command.summary))
        self._on_commit(command.table, cached)
        return Committed(command.after)

    def _interpret_refusal(self, command: AppendCommand, reply: Any) -> Outcome | Unavailable:
        table, request = command.table, command.append.request
        match reply:
            case [b"duplicate", known] if request is not None:
                repeated: Duplicate | IdReused = self._check(table, read_request, request, known)
                return repeated
            case [b"stale", version, hash_]:
                head: Head = self._check(table, read_head, version, hash_)
                if self._cache.is_ahead_of(table, head):
                    self._index.queue_correction(table)
                self._cache.remember(table, head)
                return Stale(head)
            case [b"error", why]:
                self._index.queue_recheck(table)
                return Unavailable(f"table {table}: {why.decode(errors='replace')}")
        self._cache.forget(table)
        return Gone()


class Hint(Command):
    """A message to other nodes, which may be lost; the reply is the number of nodes that received it."""

    def __init__(self, channel: str, message: bytes, cached: CachedHead | None) -> None:
        super().__init__(channel, pack(("SPUBLISH", channel, message)))
        self._cached = cached

    def answer(self, reply: Any) -> None:
        if self._cached is not None and isinstance(reply, int):
            self._cached.receivers = max(reply, self._cached.receivers)


def _is_same(summary: Summary, other: Summary | None) -> bool:
    return summary is other or summary == other


def _size(word: bytes) -> bytes:
    size = len(word)
    return SIZES[size] if size < len(SIZES) else b"\r\n$%d\r\n" % size


def _word(word: bytes) -> bytes:
    return _size(word) + word


def request_field(key: RequestKey) -> bytes:
    """Return the field of the table's hash that holds the version of a request."""
    return _json.encode((key.user, key.id))


def read_request(table: str, key: RequestKey, known: bytes) -> Duplicate | IdReused:
    """Return the outcome that a stored request record describes; raise Damaged if it cannot be read."""
    version, space, hash_ = known.partition(b" ")
    if not version.isdigit() or not space:
        raise Damaged(f"table {table}: the record of a request cannot be read")
    return Duplicate(int(version)) if hash_ == key.hash else IdReused()
