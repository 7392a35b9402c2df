"""The router: finds the primary of each key, sends commands to it, and follows failovers."""

from __future__ import annotations

from asyncio import Future, Task, create_task, gather, get_running_loop, shield, sleep, timeout, timeout_at
from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from operator import attrgetter
from typing import Any

from redis.crc import key_slot

from ..contract import Overloaded, Unavailable
from .pipeline import FRESH, MOST_WAITING, PATIENCE, Pipeline, PrimaryLookup
from .resp_protocol import Command, answer
from .server_setup import Durability, function
from .subscriber import Subscriber
from .topology import Address, SlotRange, Word, read_url

TICK = 0.1  # seconds between two checks whether to look up the primaries
MOST_TOGETHER = 500  # keys in one call, so that no other client of the server waits long


class Router(PrimaryLookup):
    """A pipeline and a subscriber for each primary."""

    def __init__(
        self,
        url: str,
        durability: Durability,
        on_message: Callable[[bytes, bytes], None],
        on_subscribed: Callable[[bytes], None],
    ) -> None:
        self._connect_options, self._directory = read_url(url)
        self._durability, self._on_message, self._on_subscribed = durability, on_message, on_subscribed
        self._ranges: list[SlotRange] = []
        self._doubts, self._settled = (
            1,
            0,
        )  # how often the slot ranges were marked stale, and up to which mark they were looked up
        self._looked = self._tried = 0.0  # when they were looked up, or were to be, on the loop's clock
        self._looking: Task[None] | None = None
        self._pipelines: dict[Address, tuple[Pipeline, Task[None]]] = {}
        self._subscribers: dict[Address, tuple[Subscriber, Task[None]]] = {}
        self._others: set[Task[None]] = set()  # what was cancelled and not awaited yet, and who looks around
        self._unsent: list[Command] = []  # what waits until it is known who is primary
        self._channels: set[str] = set()
        self._is_closed = False

    @property
    def has_replicas(self) -> bool:
        """Return whether there are replicas that might become primary."""
        return any(each.up for each in self._ranges)

    # Commands

    async def ask(self, key: str, *command: Word) -> Any:
        """Send a command about this key, and return the reply."""
        if self._settled < self._doubts:
            await self._ensure_primaries()
        return await self._find_pipeline(key).ask(key, *command)

    def send(self, command: Command) -> None:
        """Send a command about its key; its `answer` is called later, with the reply or with Unavailable."""
        try:
            if self._settled >= self._doubts:
                self._find_pipeline(command.key).send(command)
            else:
                self._queue_unsent(command)
        except Unavailable as error:
            get_running_loop().call_soon(answer, [command], [error.with_traceback(None)])

    def _queue_unsent(self, command: Command) -> None:
        """Send a command once the primaries are known."""
        if self._is_closed:
            raise Unavailable("there is no connection to Redis")
        if len(self._unsent) >= MOST_WAITING:
            raise Overloaded("too many commands wait for Redis")
        self._unsent.append(command)
        if len(self._unsent) == 1:
            self._track_task(create_task(self._send_unsent()))

    async def _send_unsent(self) -> None:
        why = "there is no connection to Redis"
        try:
            await self._ensure_primaries()
        except Unavailable as error:
            why = str(error)
        finally:
            unsent, self._unsent = self._unsent, []
            if self._settled < self._doubts:
                answer(unsent, [Unavailable(why) for _ in unsent])
            else:
                for command in unsent:
                    self.send(command)

    async def call(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """Call one of our functions, and return the result."""
        return await self.ask(keys[0], "FCALL", function(name), len(keys), *keys, *given)

    async def call_readonly(self, name: str, keys: Sequence[str], *given: Word) -> Any:
        """Call one of our functions that changes nothing, and return the result."""
        return await self.ask(keys[0], "FCALL_RO", function(name), len(keys), *keys, *given)

    def slot_of(self, key: str) -> int:
        """Return the slot of a key; one call may name only keys of one slot."""
        return key_slot(key.encode()) if self._directory.is_cluster else 0

    async def find_pipelines(self) -> list[Pipeline]:
        """Return the pipelines of all primaries."""
        await self._ensure_primaries()
        return [pipeline for pipeline, _ in self._pipelines.values()]

    def group_keys(self, keys: Collection[str]) -> list[list[str]]:
        """Return these keys in groups that one call may name."""
        if not self._directory.is_cluster:
            ordered = list(keys)
            return [ordered[at : at + MOST_TOGETHER] for at in range(0, len(ordered), MOST_TOGETHER)]
        slots: dict[int, list[str]] = {}
        for key in keys:
            slots.setdefault(key_slot(key.encode()), []).append(key)
        return list(slots.values())

    async def close(self, until: float) -> None:
        """Finish waiting commands, at most until this time on the loop's clock, and disconnect."""
        self._is_closed = True
        for pipeline, _ in self._pipelines.values():
            pipeline.close()
        with suppress(TimeoutError):  # then the pipelines are cancelled, and fail what waits
            async with timeout_at(until):
                await gather(*(task for _, task in self._pipelines.values()), return_exceptions=True)
        self._ranges = []
        for address in list(self._pipelines):
            self._drop_primary(address)
        for task in self._others:
            task.cancel()
        await gather(*self._others, return_exceptions=True)

    # Subscriptions

    def subscribe(self, channel: str) -> None:
        """Subscribe to a channel; messages may be lost."""
        self._channels.add(channel)
        if self._ranges:
            self._subscribers[self._primary_of(channel)][0].subscribe(channel)

    def unsubscribe(self, channel: str) -> None:
        """Unsubscribe from a channel."""
        self._channels.discard(channel)
        for subscriber, _ in self._subscribers.values():
            subscriber.unsubscribe(channel)

    # Primaries

    def mark_stale(self) -> None:
        self._doubts += 1

    async def _ensure_primaries(self) -> None:
        """Look up the primaries until a lookup began after they were last marked stale."""
        while self._settled < self._doubts:
            await self._find_primaries()

    async def find_slot_range(self, primary: Address) -> SlotRange:
        if self._directory.has_failover and get_running_loop().time() - self._looked > FRESH:
            await self._find_primaries()
        ranges = [each for each in self._ranges if each.primary == primary]
        if not ranges:
            raise Unavailable("another server is primary now")
        return ranges[0]

    def _primary_of(self, key: str) -> Address:
        if len(self._ranges) == 1:
            return self._ranges[0].primary
        at = bisect_right(self._ranges, key_slot(key.encode()), key=attrgetter("first"))
        return self._ranges[max(at - 1, 0)].primary

    def _find_pipeline(self, key: str) -> Pipeline:
        if self._is_closed or not self._ranges:
            raise Unavailable("there is no connection to Redis")
        return self._pipelines[self._primary_of(key)][0]

    # Lookups

    async def _find_primaries(self) -> None:
        """Look up the primaries; concurrent callers share one lookup."""
        if self._looking is None or self._looking.done():
            self._looking = self._track_task(create_task(self._read_topology()))
            self._looking.add_done_callback(_settle)
        await shield(self._looking)

    async def _read_topology(self) -> None:
        now, doubts = get_running_loop().time(), self._doubts
        self._tried = now
        try:
            async with timeout(PATIENCE):
                ranges = await self._directory.read_slot_ranges()
        except TimeoutError as error:
            raise Unavailable("no server said in time which one is primary") from error
        if not self._is_closed:
            self._update_pipelines({each.primary for each in ranges})
            has_moved = [each[:2] for each in ranges] != [each[:2] for each in self._ranges]
            self._ranges, self._looked = ranges, now
            if has_moved:
                self._assign_channels()
        self._settled = doubts

    def _update_pipelines(self, primaries: set[Address]) -> None:
        if self._directory.has_failover and not self._pipelines:
            self._track_task(create_task(self._watch_topology()))
        for address in self._pipelines.keys() - primaries:
            self._drop_primary(address)
        for address in primaries - self._pipelines.keys():
            self._connect_primary(address)

    def _connect_primary(self, address: Address) -> None:
        pipeline = Pipeline(address, self._connect_options, self._durability, self)
        subscriber = Subscriber(
            address, self._connect_options, self._on_message, self._on_subscribed, self._recheck_topology
        )
        self._pipelines[address] = pipeline, create_task(pipeline.run())
        self._subscribers[address] = subscriber, create_task(subscriber.run())

    def _drop_primary(self, address: Address) -> None:
        for _, task in (self._pipelines.pop(address), self._subscribers.pop(address)):
            self._track_task(task).cancel()

    def _assign_channels(self) -> None:
        for address, (subscriber, _) in self._subscribers.items():
            subscriber.set_channels(channel for channel in self._channels if self._primary_of(channel) == address)

    async def _watch_topology(self) -> None:
        """While commands are sent, keep the primaries up to date, and look them up early if a reply is late."""
        while True:
            await sleep(TICK)
            if self._is_lookup_due():
                with suppress(Unavailable):
                    await self._find_primaries()

    def _is_lookup_due(self) -> bool:
        pipelines, since = (
            [pipeline for pipeline, _ in self._pipelines.values()],
            get_running_loop().time() - self._tried,
        )
        is_due = since > FRESH / 2 and any(pipeline.is_busy() for pipeline in pipelines)
        return is_due or any(pipeline.is_late() for pipeline in pipelines)

    async def _recheck_topology(self) -> None:
        """Look up the primaries again: a channel may have moved while no command was sent."""
        self.mark_stale()
        with suppress(Unavailable):
            await self._find_primaries()

    def _track_task(self, task: Task[None]) -> Task[None]:
        self._others.add(task)
        task.add_done_callback(self._others.discard)
        return task


def _settle(done: Future[Any]) -> None:
    """Retrieve the exception, so that asyncio does not report it as unhandled."""
    if not done.cancelled():
        done.exception()
