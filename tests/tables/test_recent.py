"""The newest entries of a table: without gaps, bounded, and the same when they are taken out."""

from palatine_server.tables.log import LogEntry
from palatine_server.tables.pages import encode
from palatine_server.tables.recent import Recent


def entries(first: int, last: int) -> list[LogEntry]:
    return [
        LogEntry(version=version, at=1, user="u", did={"do": "act"}, digests=[7]) for version in range(first, last + 1)
    ]


def versions(recent: Recent, after: int) -> list[int]:
    return [entry.version for entry in recent.after(after)]


def test_what_was_put_in_comes_out() -> None:
    recent = Recent(4, entries(1, 3))
    assert recent.after(0) == entries(1, 3)
    assert versions(recent, 2) == [3]
    assert versions(recent, 3) == []


def test_of_too_many_the_oldest_are_forgotten() -> None:
    recent = Recent(4, entries(1, 9))
    assert (len(recent), recent.version) == (4, 9)
    assert versions(recent, 0) == versions(recent, 5) == [6, 7, 8, 9]


def test_older_ones_fill_the_room_that_is_left_and_push_nothing_out() -> None:
    recent = Recent(4, entries(8, 9))
    recent.add_older(entries(2, 7))
    assert versions(recent, 0) == [6, 7, 8, 9]


def test_older_ones_may_be_the_first() -> None:
    recent = Recent(4)
    recent.add_older(entries(2, 7))
    recent.add(*entries(8, 8))
    assert versions(recent, 6) == [7, 8]
    recent.clear()
    assert versions(recent, 0) == []


def test_what_was_encoded_already_comes_out_like_the_rest() -> None:
    recent = Recent(4, entries(1, 2))
    recent.add_encoded(3, encode(*entries(3, 3)))
    assert recent.after(0) == entries(1, 3)
    recent.add_encoded(5, encode(*entries(5, 5)))
    assert versions(recent, 0) == [5]


def test_nothing_is_kept_from_before_a_gap() -> None:
    recent = Recent(4, entries(1, 3))
    recent.add(*entries(5, 5))
    assert versions(recent, 0) == [5]
    assert versions(recent, 2) == [5]
