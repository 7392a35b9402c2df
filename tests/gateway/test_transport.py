"""Batched transports: what one turn of the loop sends goes out in one write, and one that fails holds nobody up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from palatine_server.gateway.transport import LARGEST_BATCH, BatchedTransport, WriteBatch


class Transport:
    """Takes what is written, and notes in which pieces."""

    def __init__(self) -> None:
        self.written, self.is_broken, self.calls = list[bytes](), False, list[str]()

    def is_closing(self) -> bool:
        return bool(self.calls)

    def write(self, data: bytes) -> None:
        if self.is_broken:
            raise RuntimeError("broken")
        self.written.append(data)

    def close(self) -> None:
        self.calls.append("close")

    def abort(self) -> None:
        self.calls.append("abort")

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return self

    def setsockopt(self, *given: Any) -> None:
        raise OSError("closed already")


@pytest.fixture
async def batch() -> WriteBatch:
    return WriteBatch(asyncio.get_running_loop())


def made(batch: WriteBatch) -> tuple[Transport, BatchedTransport]:
    transport: Any = Transport()
    return transport, BatchedTransport(transport, batch)


async def test_what_one_turn_writes_goes_out_in_one_piece_at_its_end(batch: WriteBatch) -> None:
    (first, to_first), (second, to_second) = made(batch), made(batch)
    for part in (b"one", b"two"):
        to_first.write(part)
        to_second.write(part)
    assert first.written == []
    await asyncio.sleep(0)
    assert first.written == second.written == [b"onetwo"]
    to_first.write(b"three")
    await asyncio.sleep(0)
    assert first.written == [b"onetwo", b"three"]


async def test_views_are_copied_before_their_buffer_is_used_again(batch: WriteBatch) -> None:
    transport, batched = made(batch)
    buffer = bytearray(b"head")
    batched.writelines([memoryview(buffer), b"body"])
    buffer[:] = b"next"
    await asyncio.sleep(0)
    assert transport.written == [b"headbody"]


async def test_the_last_part_can_be_replaced_until_it_is_sent(batch: WriteBatch) -> None:
    transport, batched = made(batch)
    batched.write(b"one")
    batched.write(b"two")
    batched.replace_last(b"three")
    await asyncio.sleep(0)
    batched.replace_last(b"four")
    await asyncio.sleep(0)
    assert transport.written == [b"onethree"]


async def test_one_that_fails_does_not_hold_the_others_up(batch: WriteBatch) -> None:
    mistakes: list[Any] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: mistakes.append(context["exception"]))
    pairs = [made(batch) for _ in range(3)]
    pairs[1][0].is_broken = True
    for _, batched in pairs:
        batched.write(b"one")
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert [transport.written for transport, _ in pairs] == [[b"one"], [], [b"one"]]
    assert [str(mistake) for mistake in mistakes] == ["broken"]


async def test_much_is_written_before_the_turn_ends(batch: WriteBatch) -> None:
    transport, batched = made(batch)
    for _ in range(5):
        batched.write(bytes(LARGEST_BATCH // 4))
    assert [len(data) for data in transport.written] == [5 * (LARGEST_BATCH // 4)]
    batched.write(b"rest")
    await asyncio.sleep(0)
    assert transport.written[1:] == [b"rest"]


async def test_closing_writes_what_waits_and_aborting_drops_it(batch: WriteBatch) -> None:
    (closed, to_closed), (aborted, to_aborted) = made(batch), made(batch)
    to_closed.write(b"one")
    to_closed.close()
    to_aborted.write(b"one")
    to_aborted.abort()
    to_closed.write(b"two")
    await asyncio.sleep(0)
    assert (closed.written, closed.calls) == ([b"one"], ["close"])
    assert (aborted.written, aborted.calls) == ([], ["abort"])
