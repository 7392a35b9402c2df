"""The memory store keeps the store contract as long as no fault is injected."""

from __future__ import annotations

import pytest
from simulation.memory_store import MemoryStore, StoreMemory
from store.contract import *  # noqa: F403 (the whole contract is tested here)
from store.contract import A_SUMMARY, Open, chain, committed, key_of, stale

from palatine_server.store import Append, Duplicate, Store


@pytest.fixture
def open_store() -> Open:
    memory = StoreMemory()

    async def opened() -> Store:
        return MemoryStore(memory)

    return opened


def test_what_is_not_durable_can_be_lost_and_nothing_else() -> None:
    memory, hints = StoreMemory(), list[tuple[str, int]]()
    memory.followers.append(lambda table, version: hints.append((table, version)))
    memory.create("T", b"0", A_SUMMARY, key_of("create"))
    assert memory.append(Append("T", chain(), b"one", key_of("1"))) == committed(1)
    assert memory.append(Append("T", chain(b"one"), b"two", key_of("2"))) == committed(2)
    memory.make_durable("T", 1)
    assert memory.lose_what_is_not_durable() == 1
    assert (memory.read("T", 0, 9).entries, hints) == ([b"one"], [("T", 1)])
    assert memory.find_request("T", key_of("1")) == Duplicate(1)
    assert memory.append(Append("T", chain(), b"late")) == stale(1)
    assert memory.append(Append("T", chain(b"one"), b"two again", key_of("2"))) == committed(2)
