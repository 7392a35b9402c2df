"""The outbox of a connection: bounded, and nobody who waits for room is forgotten."""

import asyncio

import anyio

from palatine_server.gateway.outbox import Outbox


async def test_everybody_who_waits_for_room_gets_it() -> None:
    outbox, let_go = Outbox(4, 2**20), []

    async def wait(name: str) -> None:
        await outbox.room()
        let_go.append(name)

    for _ in range(4):
        outbox.put(b"frame")
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait, "reader")
            tasks.start_soon(wait, "replay")
            await asyncio.sleep(0)
            assert let_go == []
            while outbox.next() is not None:
                await asyncio.sleep(0)
    assert sorted(let_go) == ["reader", "replay"]


async def test_who_is_too_slow_is_noticed_by_number_and_by_bytes() -> None:
    for frame, most in ((b"frame", 4), (bytes(2**18), 4)):
        outbox = Outbox(4, 2**20)
        outbox.put(frame)
        assert outbox.next() == frame
        for _ in range(most):
            outbox.put(frame)
        assert not outbox.is_overfull
        outbox.put(frame)
        assert outbox.is_overfull
        assert outbox.next() is None
