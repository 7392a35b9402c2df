"""ForkIds: they name a history, and tell nothing of it."""

from palatine_server.tables.storage.history import ForkIds, fork_of

SECRET, OTHER = "ab" * 32, "cd" * 32


def test_a_fork_is_the_same_for_the_same_history_and_no_other() -> None:
    assert fork_of(SECRET, b"1" * 32) == ForkIds(SECRET).of(b"1" * 32) == "oG42ynoa"
    assert len({fork_of(SECRET, b"%032d" % number) for number in range(1000)}) == 1000


def test_who_does_not_know_the_secret_cannot_test_a_guess() -> None:
    assert fork_of(SECRET, b"1" * 32) != fork_of(OTHER, b"1" * 32)
    assert fork_of("", b"1" * 32) != fork_of(SECRET, b"1" * 32)
