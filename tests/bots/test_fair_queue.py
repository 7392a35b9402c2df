"""The fair queue: users take turns, and so do the tables of each user."""

from __future__ import annotations

import anyio

from palatine_server.bots.fair_queue import FairQueue
from palatine_server.bots.turns import HouseBotTurn


def turn(user: str, table: str) -> HouseBotTurn:
    return HouseBotTurn(user, table, False, lambda: None, lambda action: None)


def drain(queue: FairQueue) -> list[str]:
    """The tables in the order in which they are served."""
    served = []
    while (taken := queue.take()) is not None:
        served.append(taken.table)
    return served


async def test_users_take_turns_however_many_tables_one_has() -> None:
    queue = FairQueue()
    for table in ("a1", "a2", "a3", "a4"):
        queue.put(turn("anna", table))
    queue.put(turn("bela", "b1"))
    queue.put(turn("cora", "c1"))
    assert drain(queue) == ["a1", "b1", "c1", "a2", "a3", "a4"]
    assert len(queue) == 0


async def test_tables_of_one_user_take_turns() -> None:
    queue = FairQueue()
    for table in ("a1", "a2", "a3"):
        queue.put(turn("anna", table))
    served = []
    for _ in range(6):
        taken = queue.take()
        assert taken is not None
        served.append(taken.table)
        queue.put(turn("anna", taken.table))  # its next bot is to move
    assert served == ["a1", "a2", "a3"] * 2


async def test_a_user_who_comes_back_at_once_does_not_pass_those_who_wait() -> None:
    queue = FairQueue()
    for user in ("anna", "bela", "cora"):
        queue.put(turn(user, user))
    served = []
    for _ in range(7):
        taken = queue.take()
        assert taken is not None
        served.append(taken.user)
        queue.put(turn(taken.user, taken.table))
    assert served == ["anna", "bela", "cora"] * 2 + ["anna"]


async def test_a_table_waits_once_and_keeps_its_place() -> None:
    queue, newer = FairQueue(), turn("anna", "a1")
    queue.put(turn("anna", "a1"))
    queue.put(turn("bela", "b1"))
    assert queue.put(newer)
    assert len(queue) == 2
    assert queue.take() is newer


async def test_at_the_limit_a_new_table_is_turned_away_and_nobody_else() -> None:
    queue = FairQueue(most=2)
    assert queue.put(turn("anna", "a1"))
    assert queue.put(turn("anna", "a2"))
    assert not queue.put(turn("bela", "b1"))
    assert queue.put(turn("anna", "a2"))
    assert drain(queue) == ["a1", "a2"]


async def test_a_turn_that_is_withdrawn_is_not_served() -> None:
    queue, one, other = FairQueue(), turn("anna", "a1"), turn("anna", "a2")
    queue.put(one)
    queue.put(other)
    queue.discard(one)
    queue.discard(turn("anna", "a2"))  # another turn of that table, which does not wait
    assert len(queue) == 1
    assert drain(queue) == ["a2"]


async def test_each_arrival_wakes_one_who_waits() -> None:
    queue, taken = FairQueue(), list[str]()

    async def serve() -> None:
        await queue.wait()
        if (found := queue.take()) is not None:
            taken.append(found.table)

    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            for _ in range(2):
                tasks.start_soon(serve)
            await anyio.wait_all_tasks_blocked()
            queue.put(turn("anna", "a1"))
            queue.put(turn("bela", "b1"))
    assert sorted(taken) == ["a1", "b1"]
