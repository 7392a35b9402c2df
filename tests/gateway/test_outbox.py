"""The outbox of a connection: bounded, and nothing that waits for room is forgotten."""

import asyncio

import anyio
import pytest

from palatine_server.gateway.outbox import Flow, Outbox

FRAME = b"frame"


async def test_every_task_that_waits_for_room_gets_it() -> None:
    outbox, let_go = Outbox(4, 2**20), []

    async def wait(name: str) -> None:
        await outbox.wait_for_room()
        let_go.append(name)

    outbox.pause()
    for _ in range(4):
        outbox.put(FRAME)
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(wait, "resume")
            tasks.start_soon(wait, "replay")
            await asyncio.sleep(0)
            assert let_go == []
            outbox.resume()
            while outbox.next() is not None:
                await asyncio.sleep(0)
    assert sorted(let_go) == ["replay", "resume"]


@pytest.mark.parametrize(("most_messages", "most_bytes"), [(4, 2**20), (100, 4 * len(FRAME))])
def test_a_slow_client_is_noticed_by_number_and_by_bytes(most_messages: int, most_bytes: int) -> None:
    outbox = Outbox(most_messages, most_bytes)
    outbox.pause()
    outbox.stall()
    for _ in range(4):
        outbox.put(FRAME)
    assert not outbox.is_overfull
    outbox.put(FRAME)
    assert outbox.is_overfull
    outbox.resume()
    assert outbox.next() is None


def test_what_one_turn_sends_is_never_too_much_and_one_message_later_is() -> None:
    outbox = Outbox(4, 2**20)
    outbox.pause()
    for _ in range(100):
        outbox.put(FRAME)
    assert not outbox.is_overfull
    outbox.stall()
    outbox.put(FRAME)
    assert outbox.is_overfull


def test_messages_come_out_in_order_while_the_transport_takes_them() -> None:
    outbox = Outbox(4, 2**20)
    outbox.pause()
    for frame in (b"1", b"2", b"3"):
        outbox.put(frame)
    assert outbox.next() is None
    outbox.resume()
    assert [outbox.next(), outbox.next()] == [b"1", b"2"]
    outbox.pause()
    assert (outbox.next(), outbox.is_empty, outbox.flow) == (None, False, Flow.PAUSED)
    outbox.resume()
    assert (outbox.next(), outbox.is_free) == (b"3", True)
