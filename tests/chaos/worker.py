"""A process that runs players: `python -m chaos.worker CONFIG`. It reads commands from standard input."""

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
from chaos.balancer import LoadBalancer
from chaos.observations import WorkerCommand, WorkerConfig, WorkerStatus
from chaos.players import ChaosPlayer, ObservationLog, PlayerGroup

from palatine_server.gateway.tokens import TokenSigner

EVERY = 0.25  # seconds between two status lines
COLLECT_AFTER = 100_000  # new objects; hundreds of clients share the cores with the servers
QUICK = 10  # every tenth group plays ten times as fast, so that commits collide


class Worker:
    """The groups of players of this process."""

    def __init__(self, config: WorkerConfig, balancer: LoadBalancer) -> None:
        self.config, self.balancer, self.notes = config, balancer, ObservationLog()
        self.groups: list[PlayerGroup] = []
        self.has_reported = False
        self.commands = 0

    async def connect_players(self, stack: AsyncExitStack) -> None:
        identities = TokenSigner(self.config.secret, time)
        for number in range(self.config.tables):
            players = []
            for seat in range(self.config.seats):
                name = f"{self.config.seed}.{number}.{seat}"
                create_token, user = identities.create_token(name)
                players.append(
                    ChaosPlayer(self.balancer, name, user.id, create_token, self.notes, may_lose=self.config.may_lose)
                )
            pace = self.config.pace / (1 if number % QUICK else QUICK)
            self.groups.append(PlayerGroup(players, pace, self.notes, self.config.move))
        await asyncio.gather(*(stack.enter_async_context(player) for group in self.groups for player in group.players))

    async def read_commands(self) -> None:
        """Carry out commands until the observations are written."""
        reader = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
        while not self.has_reported:
            self._carry_out(msgspec.json.decode(await reader.readline(), type=WorkerCommand))

    def _carry_out(self, command: WorkerCommand) -> None:
        match command.do:
            case "cut":
                self.balancer.cut(command.share)
            case "rebalance":
                self.balancer.rebalance()
            case "stop":
                for group in self.groups:
                    group.stop_playing()
            case "report":
                self._write_observations()
        self.commands += 1

    def is_equal(self) -> bool:
        return all(group.is_equal() for group in self.groups)

    def _write_observations(self) -> None:
        observed = self.notes.observed
        observed.replied_at, observed.is_equal = self.notes.replied_at, self.is_equal()
        observed.reached = dict(self.notes.reached)
        for group in self.groups:
            group.remember()
        Path(self.config.output).write_bytes(msgspec.msgpack.encode(observed))
        self.has_reported = True

    async def print_statuses(self) -> None:
        while not self.has_reported:
            self.print_status()
            await asyncio.sleep(EVERY)

    def print_status(self) -> None:
        count = WorkerStatus(
            acks=len(self.notes.observed.acks),
            refused=self.notes.refused,
            problem=next(iter(self.notes.observed.problems), ""),
            is_equal=self.is_equal(),
            away=sum(not player.is_welcome for group in self.groups for player in group.players),
            commands=self.commands,
            has_reported=self.has_reported,
        )
        sys.stdout.buffer.write(msgspec.json.encode(count) + b"\n")
        sys.stdout.flush()


async def main(config: WorkerConfig) -> None:
    async with LoadBalancer(config.nodes, Random(config.seed)) as balancer, AsyncExitStack() as stack:
        worker = Worker(config, balancer)
        await worker.connect_players(stack)
        async with asyncio.TaskGroup() as tasks:
            others = [
                tasks.create_task(work)
                for work in (worker.print_statuses(), *(group.play() for group in worker.groups))
            ]
            await worker.read_commands()
            for task in others:  # a request may still be open
                task.cancel()
        worker.print_status()


if __name__ == "__main__":
    logging.getLogger("palatine.client").setLevel(logging.CRITICAL)  # the players record its problems
    gc.set_threshold(COLLECT_AFTER)
    uvloop.run(main(msgspec.json.decode(sys.argv[1], type=WorkerConfig)))
