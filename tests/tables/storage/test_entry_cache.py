"""The newest entries of a table: without gaps, bounded, and the same when they are taken out."""

from palatine_server.store import LogSpan
from palatine_server.store.hash_chain import Head, link, origin
from palatine_server.tables.model import LogEntry
from palatine_server.tables.storage.history import KEPT_ENTRIES, EntryCache
from palatine_server.tables.storage.persistence import encode

ORIGIN = origin("T")


def entries(first: int, last: int) -> list[LogEntry]:
    return [
        LogEntry(version=version, at=1, user="u", did={"do": "act"}, digests=[7]) for version in range(first, last + 1)
    ]


def head(version: int) -> Head:
    """The head of the log at a version."""
    head = ORIGIN
    for entry in entries(1, version):
        head = link(head, encode(entry))
    return head


def span(first: int, last: int) -> LogSpan:
    return LogSpan(head(first - 1), [encode(entry) for entry in entries(first, last)], head(last))


def versions(recent: EntryCache, after: int) -> list[int]:
    return [entry.version for entry in recent.after(after)]


def test_what_was_put_in_comes_out() -> None:
    recent = EntryCache(4, span(1, 3))
    assert recent.after(0) == entries(1, 3)
    assert versions(recent, 2) == [3]
    assert versions(recent, 3) == []


def test_of_too_many_the_oldest_are_forgotten() -> None:
    recent = EntryCache(4, span(1, 9))
    assert (len(recent), recent.head) == (4, head(9))
    assert versions(recent, 0) == versions(recent, 5) == [6, 7, 8, 9]


def test_older_ones_fill_the_room_that_is_left_and_push_nothing_out() -> None:
    recent = EntryCache(4, span(8, 9))
    recent.add_older(span(2, 7))
    assert versions(recent, 0) == [6, 7, 8, 9]


def test_older_ones_may_be_the_first() -> None:
    recent = EntryCache(4, span(8, 7))
    recent.add_older(span(2, 7))
    recent.add(encode(*entries(8, 8)), head(8))
    assert versions(recent, 6) == [7, 8]


def test_the_head_is_known_at_each_version_that_is_here() -> None:
    recent = EntryCache(4, span(5, 6))
    recent.add(encode(*entries(7, 7)), head(7))
    recent.add_older(span(2, 4))
    assert [recent.head_at(version) for version in range(1, 9)] == [None, None, *map(head, range(3, 8)), None]


def test_a_log_that_starts_over_leaves_nothing_of_the_old_one() -> None:
    recent = EntryCache(4, span(1, 3))
    recent.start_over(span(2, 2))
    assert versions(recent, 0) == [2]
    assert (recent.head, recent.head_at(3), recent.head_at(0)) == (head(2), None, None)


def test_large_entries_are_forgotten_when_the_log_goes_on_but_for_the_newest() -> None:
    recent, bytes_of = EntryCache(99, span(1, 0)), [f"{number:1000}".encode() for number in range(20)]
    for number, entry in enumerate(bytes_of, 1):
        recent.add(entry, Head(number, b""))
    assert len(recent) == KEPT_ENTRIES
    assert recent.start.version == 20 - KEPT_ENTRIES


def test_older_ones_stay_until_the_log_goes_on() -> None:
    recent = EntryCache(99, span(100, 100))
    recent.add_older(span(1, 99))
    assert len(recent) == 99
    before = len(recent)
    recent.add(encode(*entries(101, 101)), head(101))
    assert KEPT_ENTRIES <= len(recent) < before
    assert versions(recent, 99)[-2:] == [100, 101]
