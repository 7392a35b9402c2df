"""A process full of players: `python -m chaos.worker SETTING`. It is told what to do on standard input."""

from __future__ import annotations

import asyncio
import gc
import logging
import sys
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from time import time

import msgspec
import uvloop
from chaos.balancer import Door
from chaos.observations import Count, Setting, Word
from chaos.players import Friend, Group, Notes

from palatine_server.gateway.tokens import TokenSigner

EVERY = 0.25  # seconds between two reports
COLLECT_AFTER = 100_000  # new objects; hundreds of clients are many, and they share the cores with the house
QUICK = 10  # every tenth group is as many times as quick, so that nodes get in each other's way


class Crowd:
    """All groups of this process."""

    def __init__(self, setting: Setting, door: Door) -> None:
        self.setting, self.door, self.notes = setting, door, Notes()
        self.groups: list[Group] = []
        self.told = False
        self.heard = 0

    async def arrive(self, stack: AsyncExitStack) -> None:
        identities = TokenSigner(self.setting.secret, time)
        for number in range(self.setting.tables):
            friends = []
            for seat in range(self.setting.seats):
                name = f"{self.setting.seed}.{number}.{seat}"
                token, user = identities.create_token(name)
                friends.append(Friend(self.door, name, user.id, token, self.notes, may_lose=self.setting.may_lose))
            pace = self.setting.pace / (1 if number % QUICK else QUICK)
            self.groups.append(Group(friends, pace, self.notes, self.setting.move))
        await asyncio.gather(*(stack.enter_async_context(friend) for group in self.groups for friend in group.friends))

    async def listen(self) -> None:
        """Do what we are told, until we have told all."""
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while not self.told:
            self._obey(msgspec.json.decode(await reader.readline(), type=Word))

    def _obey(self, word: Word) -> None:
        match word.do:
            case "cut":
                self.door.cut(word.share)
            case "share out":
                self.door.share_out()
            case "rest":
                for group in self.groups:
                    group.go_home()
            case "tell":
                self._tell()
        self.heard += 1

    def is_equal(self) -> bool:
        return all(group.is_equal() for group in self.groups)

    def _tell(self) -> None:
        memory = self.notes.memory
        memory.replied_at, memory.is_equal = self.notes.replied_at, self.is_equal()
        memory.reached = dict(self.notes.reached)
        for group in self.groups:
            group.remember()
        Path(self.setting.memory).write_bytes(msgspec.msgpack.encode(memory))
        self.told = True

    async def report(self) -> None:
        while not self.told:
            self.say()
            await asyncio.sleep(EVERY)

    def say(self) -> None:
        count = Count(
            acks=len(self.notes.memory.acks),
            refused=self.notes.refused,
            problem=next(iter(self.notes.memory.problems), ""),
            is_equal=self.is_equal(),
            away=sum(not friend.is_welcome for group in self.groups for friend in group.friends),
            heard=self.heard,
            told=self.told,
        )
        sys.stdout.buffer.write(msgspec.json.encode(count) + b"\n")
        sys.stdout.flush()


async def main(setting: Setting) -> None:
    async with Door(setting.nodes, Random(setting.seed)) as door, AsyncExitStack() as stack:
        crowd = Crowd(setting, door)
        await crowd.arrive(stack)
        async with asyncio.TaskGroup() as tasks:
            others = [tasks.create_task(work) for work in (crowd.report(), *(group.play() for group in crowd.groups))]
            await crowd.listen()
            for task in others:  # somebody may still wait for a reply
                task.cancel()
        crowd.say()


if __name__ == "__main__":
    logging.getLogger("palatine.client").setLevel(logging.CRITICAL)  # its problems are remembered
    gc.set_threshold(COLLECT_AFTER)
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=Setting)))
