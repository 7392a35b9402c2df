"""Appending: what our function is told of an entry, and what is made of its answer.

All that is stored goes through here. So a command is put together from parts that are ready, and says only now and then
for how long the table is kept.
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
    Keep,
    Outcome,
    RequestKey,
    Stale,
    Summary,
    Unavailable,
    milliseconds,
)
from ..hash_chain import UNKNOWN, Head, link, seal
from .addresses import pack
from .chain import read_head
from .index import Index, Row
from .keys import Keys
from .memory import Known, Memory
from .primary import function
from .talk import Ask

Then = Callable[[Outcome | Unavailable], None]

NEARLY: Final = 995  # thousandths of its time; half of what may be missing, for our function has the same patience
GIVEN: Final = 16  # words of a command, and more if there is a summary or a snapshot
SIZES: Final = [b"\r\n$%d\r\n" % size for size in range(2048)]  # what stands before a word

LOG = logging.getLogger(__name__)
_json = msgspec.json.Encoder()
_msgpack = msgspec.msgpack.Encoder()
_replies = msgspec.msgpack.Decoder(tuple[bytes, bytes])  # the hash of the request, and what was replied


class AskToAppend(Ask):
    """An entry on its way into the log, and who is told what becomes of it."""

    def __init__(self, appending: Appending, given: Append) -> None:
        super().__init__("", b"")
        self.appending, self.table, self.before, self.entry = appending, given.table, given.head, given.entry
        self.request, self.reply, self.summary, self.snapshot = given.key, given.reply, given.summary, given.snapshot
        self.then: Then | None = None
        self.after = UNKNOWN  # the head when it is stored
        self.is_news = False  # whether nobody has stored this summary before
        self.last_summary = given.summary  # the one that is stored then
        self.keep = self.until = 0  # for how long the table is kept then, and until when
        self.has_replies = False

    def answer(self, reply: Any) -> None:
        outcome = self._outcome(reply)
        if self.then is not None:
            self.then(outcome)

    def _outcome(self, reply: Any) -> Outcome | Unavailable:
        try:
            return self.appending.outcome(self, reply)
        except Exception as error:  # nobody shall wait for ever; whoever asks again learns what was stored
            LOG.exception("table %s: the answer of Redis could not be taken in", self.table)
            return Unavailable(f"the answer of Redis could not be taken in: {type(error).__name__}")


class Appending:
    """Puts entries into words, and understands the answers."""

    def __init__(
        self,
        memory: Memory,
        index: Index,
        keys: Keys,
        keep: Keep,
        node: bytes,
        is_hinted: bool,
        committed: Callable[[str, int], None],
        checked: Callable[..., Any],
    ) -> None:
        self._memory, self._index, self._keys, self._keep = memory, index, keys, keep
        self._longest = keep.longest
        self._node, self._is_hinted = node, is_hinted  # whether our function tells the others
        self._committed, self._checked = committed, checked

    # Asking

    def prepare(self, append: AskToAppend) -> None:
        """Make a command of it."""
        known, before = self._memory.known.get(append.table), append.before
        names = known if known is not None and known.call else self._named(append.table, known)
        is_mine = known is not None and known.mine == before.version and known.head.hash == before.hash
        mine = known if is_mine else None  # nobody has added more since
        append.after = link(before, append.entry)
        append.is_news = append.summary is not None and (mine is None or not _same(append.summary, mine.summary))
        append.key = names.key
        append.command = self._command(append, names, self._time(append, mine))
        if append.summary is None and mine is not None:
            append.last_summary, append.keep = mine.summary, mine.keep

    def _named(self, table: str, known: Known | None) -> Known:
        """What is the same in every call for this table."""
        named = Known(UNKNOWN, 0.0) if known is None else known
        keys = self._keys.all_of(table)
        named.key, named.call = keys[0], pack(("FCALL", function("append"), 3, *keys))[4:-2]
        channel = self._keys.hints(table).encode() if self._is_hinted else b""
        named.channel = _size(channel) + channel
        return named

    def _time(self, append: AskToAppend, mine: Known | None) -> bytes:
        """For how long the table is to be kept from now on; nothing, if nearly as much time is left for all of it."""
        now = milliseconds()
        append.keep = keep = self._keep_of(append, mine, now)
        append.has_replies = append.request is not None
        if mine is not None and (mine.has_replies or not append.has_replies):
            left = mine.until - now
            append.has_replies = mine.has_replies
            if NEARLY * keep <= 1000 * left <= 1000 * keep:
                append.until = mine.until
                return b""
        append.until = now + keep
        return b"%d" % keep

    def _keep_of(self, append: AskToAppend, mine: Known | None, now: int) -> int:
        if append.summary is None:
            return self._longest
        if mine is not None and not append.is_news and append.summary.deadline is None:
            return mine.keep
        return self._keep.of(append.summary, now)

    def _command(self, append: AskToAppend, names: Known, keep: bytes) -> bytes:
        """What our function wants to be given; empty is what is missing, or was stored before."""
        before, version, request, record = append.before, append.after.version, b"", b""
        if append.request is not None:
            request = request_of(append.request)
            record = _msgpack.encode((append.request.hash, append.reply))
        hint = b"%d %b" % (version, self._node) if self._is_hinted else b""
        expected, next_ = b"%d" % before.version, b"%d" % version
        words = [b"", names.call, _size(expected), expected, _size(before.hash), before.hash, _size(next_), next_]
        words += [_size(append.after.hash), append.after.hash, _size(append.entry), append.entry]
        words += [_size(request), request, _size(record), record, _size(keep), keep]
        words += [names.channel, _size(hint), hint]
        words[0] = b"*%d\r\n" % (GIVEN + self._add_rest(append, words))
        words.append(b"\r\n")
        return b"".join(words)

    def _add_rest(self, append: AskToAppend, words: list[bytes]) -> int:
        """What is seldom given; how many words that are."""
        summary = _json.encode(append.summary) if append.is_news else b""
        if append.snapshot is None and not summary:
            return 0
        words += [_size(summary), summary]
        if append.snapshot is None:
            return 1
        sealed = seal(append.after, append.snapshot)
        words += [_size(sealed), sealed, _size(append.snapshot), append.snapshot]
        return 3

    # Answers

    def outcome(self, append: AskToAppend, reply: Any) -> Outcome | Unavailable:
        """What has become of it; it is remembered, and written into the index."""
        if reply == b"committed":
            return self._remember(append)
        if isinstance(reply, Unavailable):  # it may be stored all the same
            self._index.doubt(append.table)
            return reply
        try:
            return self._refusal(append, reply)
        except Damaged as error:
            return error

    def _remember(self, append: AskToAppend) -> Committed:
        known = self._memory.remember(append.table, append.after)
        known.mine, known.summary = append.after.version, append.last_summary
        known.keep, known.until, known.has_replies = append.keep, append.until, append.has_replies
        if append.is_news and append.summary is not None:
            self._index.note(append.table, Row(known.mine, append.summary))
        self._committed(append.table, known.mine)
        return Committed(append.after)

    def _refusal(self, append: AskToAppend, reply: Any) -> Outcome:
        table = append.table
        match reply:
            case [b"duplicate", known] if append.request is not None:
                repeated: Duplicate | IdReused = self._checked(table, repetition, append.request, known)
                return repeated
            case [b"stale", version, hash_]:
                head: Head = self._checked(table, read_head, version, hash_)
                if self._memory.is_ahead_of(table, head):
                    self._index.correct(table)
                self._memory.remember(table, head)
                return Stale(head)
        self._memory.forget(table)
        return Gone()


def _same(summary: Summary, other: Summary | None) -> bool:
    return summary is other or summary == other


def _size(word: bytes) -> bytes:
    size = len(word)
    return SIZES[size] if size < len(SIZES) else b"\r\n$%d\r\n" % size


def request_of(key: RequestKey) -> bytes:
    """The name of a request, under which its reply is stored."""
    return _json.encode((key.user, key.id))


def repetition(table: str, key: RequestKey, known: bytes) -> Duplicate | IdReused:
    """The answer to a request of which this is stored; or Damaged."""
    try:
        hash_, reply = _replies.decode(known)
    except msgspec.DecodeError as error:
        raise Damaged(f"table {table}: the reply to a request cannot be read") from error
    return Duplicate(reply) if hash_ == key.hash else IdReused()
