"""All servers together: finds the primary that has a key, asks it, and follows it when another takes its place."""

from __future__ import annotations

from asyncio import Future, Task, create_task, gather, get_running_loop, shield, sleep, timeout, timeout_at
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any

from redis.crc import key_slot

from ..contract import Overloaded, Unavailable
from .pipeline import FRESH, MOST_WAITING, PATIENCE, Exchange, Pipeline
from .resp_protocol import Command, answer
from .server_setup import Durability, function
from .subscriber import Subscriber
from .topology import Address, SlotRange, Word, read_url

TICK = 0.1  # seconds between two looks whether anybody should be asked who is primary
MOST_TOGETHER = 500  # keys in one call, so that nobody else waits long for the server


class Router(Exchange):
    """The lines to all primaries, and an ear at each."""

    def __init__(
        self,
        url: str,
        durability: Durability,
        heard: Callable[[bytes, bytes], None],
        begun: Callable[[bytes], None],
    ) -> None:
        self._manner, self._directory = read_url(url)
        self._durability, self._heard, self._begun = durability, heard, begun
        self._spans: list[SlotRange] = []
        self._doubts, self._settled = 1, 0  # how often the spans were doubted, and how many of these doubts are settled
        self._looked = self._tried = 0.0  # when they were looked up, or were to be, on the loop's clock
        self._looking: Task[None] | None = None
        self._lines: dict[Address, tuple[Pipeline, Task[None]]] = {}
        self._ears: dict[Address, tuple[Subscriber, Task[None]]] = {}
        self._others: set[Task[None]] = set()  # what was cancelled and not awaited yet, and who looks around
        self._unsent: list[Command] = []  # what waits until it is known who is primary
        self._channels: set[str] = set()
        self._is_closed = False

    @property
    def has_replicas(self) -> bool:
        """There are some that might become primary."""
        return any(span.up for span in self._spans)

    # Asking

    async def ask(self, key: str, *command: Word) -> Any:
        """The reply to a command about this key."""
        if self._settled < self._doubts:
            await self._be_sure()
        return await self._line_of(key).ask(key, *command)

    def send(self, ask: Command) -> None:
        """Send a command about its key; its `answer` is called later, with the reply or with Unavailable."""
        try:
            if self._settled >= self._doubts:
                self._line_of(ask.key).send(ask)
            else:
                self._hold_back(ask)
        except Unavailable as error:
            get_running_loop().call_soon(answer, [ask], [error.with_traceback(None)])

    def _hold_back(self, ask: Command) -> None:
        """Send a command when it is known who is primary."""
        if self._is_closed:
            raise Unavailable("there is no line to Redis")
        if len(self._unsent) >= MOST_WAITING:
            raise Overloaded("too many commands wait for Redis")
        self._unsent.append(ask)
        if len(self._unsent) == 1:
            self._keep(create_task(self._send_when_sure()))

    async def _send_when_sure(self) -> None:
        why = "there is no line to Redis"
        try:
            await self._be_sure()
        except Unavailable as error:
            why = str(error)
        finally:
            unsent, self._unsent = self._unsent, []
            if self._settled < self._doubts:
                answer(unsent, [Unavailable(why) for _ in unsent])
            else:
                for ask in unsent:
                    self.send(ask)

    async def call(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What one of our functions returns."""
        return await self.ask(keys[0], "FCALL", function(name), len(keys), *keys, *given)

    async def look(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """What one of our functions returns that changes nothing."""
        return await self.ask(keys[0], "FCALL_RO", function(name), len(keys), *keys, *given)

    def slot_of(self, key: str) -> int:
        """Return which keys may be named in one call with this one: those of the same number."""
        return key_slot(key.encode()) if self._directory.is_cluster else 0

    async def lines(self) -> list[Pipeline]:
        """The lines to all primaries."""
        await self._be_sure()
        return [line for line, _ in self._lines.values()]

    def grouped(self, keys: Collection[str]) -> list[list[str]]:
        """These keys, in groups that may be named in one call."""
        if not self._directory.is_cluster:
            ordered = list(keys)
            return [ordered[at : at + MOST_TOGETHER] for at in range(0, len(ordered), MOST_TOGETHER)]
        slots: dict[int, list[str]] = {}
        for key in keys:
            slots.setdefault(key_slot(key.encode()), []).append(key)
        return list(slots.values())

    async def close(self, until: float) -> None:
        """Finish what waits, but not after this time on the loop's clock, and hang up."""
        self._is_closed = True
        for line, _ in self._lines.values():
            line.close()
        with suppress(TimeoutError):  # the lines are cancelled, and tell whoever waits for them
            async with timeout_at(until):
                await gather(*(task for _, task in self._lines.values()), return_exceptions=True)
        self._spans = []
        for address in list(self._lines):
            self._hang_up(address)
        for task in self._others:
            task.cancel()
        await gather(*self._others, return_exceptions=True)

    # Listening

    def listen(self, channel: str) -> None:
        """Hear what is published on this channel from now on, more or less."""
        self._channels.add(channel)
        if self._spans:
            self._ears[self._primary_of(channel)][0].listen(channel)

    def ignore(self, channel: str) -> None:
        """Hear this channel no longer."""
        self._channels.discard(channel)
        for ear, _ in self._ears.values():
            ear.ignore(channel)

    # Who is primary

    def doubt(self) -> None:
        self._doubts += 1

    async def _be_sure(self) -> None:
        """Look up who is primary; who began to look before the last doubt does not settle it."""
        while self._settled < self._doubts:
            await self._look_up()

    async def span_of(self, primary: Address) -> SlotRange:
        if self._directory.may_hand_over and get_running_loop().time() - self._looked > FRESH:
            await self._look_up()
        spans = [span for span in self._spans if span.primary == primary]
        if not spans:
            raise Unavailable("another server is primary now")
        return spans[0]

    def _primary_of(self, key: str) -> Address:
        if len(self._spans) == 1:
            return self._spans[0].primary
        at = bisect_right(self._spans, key_slot(key.encode()), key=attrgetter("first"))
        return self._spans[max(at - 1, 0)].primary

    def _line_of(self, key: str) -> Pipeline:
        if self._is_closed or not self._spans:
            raise Unavailable("there is no line to Redis")
        return self._lines[self._primary_of(key)][0]

    # Looking up

    async def _look_up(self) -> None:
        """Find out who is primary; all who need to know wait for the same answer."""
        if self._looking is None or self._looking.done():
            self._looking = self._keep(create_task(self._draw()))
            self._looking.add_done_callback(_settle)
        await shield(self._looking)

    async def _draw(self) -> None:
        now, doubts = get_running_loop().time(), self._doubts
        self._tried = now
        try:
            async with timeout(PATIENCE):
                spans = await self._directory.spans()
        except TimeoutError as error:
            raise Unavailable("nobody says in time who is primary") from error
        if not self._is_closed:
            self._take_over({span.primary for span in spans})
            has_moved = [span[:2] for span in spans] != [span[:2] for span in self._spans]
            self._spans, self._looked = spans, now
            if has_moved:
                self._tune()
        self._settled = doubts

    def _take_over(self, primaries: set[Address]) -> None:
        if self._directory.may_hand_over and not self._lines:
            self._keep(create_task(self._look_around()))
        for address in self._lines.keys() - primaries:
            self._hang_up(address)
        for address in primaries - self._lines.keys():
            self._call_up(address)

    def _call_up(self, address: Address) -> None:
        line = Pipeline(address, self._manner, self._durability, self)
        ear = Subscriber(address, self._manner, self._heard, self._begun, self._look_again)
        self._lines[address] = line, create_task(line.run())
        self._ears[address] = ear, create_task(ear.run())

    def _hang_up(self, address: Address) -> None:
        for _, task in (self._lines.pop(address), self._ears.pop(address)):
            self._keep(task).cancel()

    def _tune(self) -> None:
        for address, (ear, _) in self._ears.items():
            ear.tune(channel for channel in self._channels if self._primary_of(channel) == address)

    async def _look_around(self) -> None:
        """While somebody asks, know who is primary before he has to wait for it; find out soon if he does."""
        while True:
            await sleep(TICK)
            if self._should_look():
                with suppress(Unavailable):
                    await self._look_up()

    def _should_look(self) -> bool:
        lines, since = [line for line, _ in self._lines.values()], get_running_loop().time() - self._tried
        is_due = since > FRESH / 2 and any(line.is_busy() for line in lines)
        return is_due or any(line.is_late() for line in lines)

    async def _look_again(self) -> None:
        """A channel may have moved, with nobody who asks and would be sent elsewhere."""
        self.doubt()
        with suppress(Unavailable):
            await self._look_up()

    def _keep(self, task: Task[None]) -> Task[None]:
        self._others.add(task)
        task.add_done_callback(self._others.discard)
        return task


def _settle(done: Future[Any]) -> None:
    """Nobody waits for it, so nobody is told that it failed."""
    if not done.cancelled():
        done.exception()
