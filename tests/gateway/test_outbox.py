"""The outbox of a connection: bounded, and nobody who waits for room is forgotten."""

import asyncio

import anyio
import pytest

from palatine_server.gateway.outbox import Outbox

FRAME = b"frame"


async def test_everybody_who_waits_for_room_gets_it() -> None:
    outbox, let_go = Outbox(4, 2**20), []

    async def wait(name: str) -> None:
        await outbox.room()
        let_go.append(name)

    for _ in range(4):
        outbox.put(FRAME)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait, "reader")
            tasks.start_soon(wait, "replay")
            await asyncio.sleep(0)
            assert let_go == []
            while outbox.next() is not None:
                await asyncio.sleep(0)
    assert sorted(let_go) == ["reader", "replay"]


@pytest.mark.parametrize(("most_messages", "most_bytes"), [(4, 2**20), (100, 4 * len(FRAME))])
async def test_who_is_too_slow_is_noticed_by_number_and_by_bytes(most_messages: int, most_bytes: int) -> None:
    outbox = Outbox(most_messages, most_bytes)
    outbox.put(FRAME)
    assert outbox.next() == FRAME
    for _ in range(4):
        outbox.put(FRAME)
    assert not outbox.is_overfull
    outbox.put(FRAME)
    assert outbox.is_overfull
    assert outbox.next() is None
