"""One game of the arena on a local server, with contenders that play over the wire.

The arena is the host. House bots of the server play for policies, the arena's own connections for bot classes and bot
processes, and a contender over the wire is a process that gets the address, a token and the table. The table has a
clock: a house bot takes the seat of a contender that is late or whose process ends, and plays the rest of the game.

The server gets the seed that the game has in process as well, so that deals are duplicates here too. The record is the
server's, with the arena's commitment to the seed in place of the server's.
"""

from __future__ import annotations

import asyncio
import os
import signal
import urllib.request
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from math import ceil
from typing import Any

import msgspec

from palatine_client.bots import Bot, load_bot
from palatine_client.bots.bot_process import BotFailure
from palatine_client.bots.process_bot import ProcessBot
from palatine_client.client import Client, connect, run_bot
from palatine_client.exceptions import Disconnected, RequestRefused
from palatine_client.guest_tokens import HTTP_SCHEMES, Guest, build_url, create_guest, send_request
from palatine_client.table import Table
from palatine_protocol.messages import Clock

from ..games.kit import Game
from ..records import Record, decode_record, encode_record
from ..tables.fairness import compute_commitment
from .match import MatchResult, SeatTally, rank_seats
from .schedule import ArenaGame
from .workers import ArenaSetup

SIT_WITHIN = 60.0  # seconds for a process to take its seat
LONGEST_GAME = 3_600.0  # seconds
PLAYED = {"act", "bot", "overdue", "lapse"}  # entries that are moves


def play_over_wire(setup: ArenaSetup, game: Game, planned: ArenaGame) -> MatchResult:
    """Play a game on the local server, and return its result."""
    return asyncio.run(WireMatch(setup, game, planned).play())


class WireMatch:
    """A game on the local server."""

    def __init__(self, setup: ArenaSetup, game: Game, planned: ArenaGame) -> None:
        self._setup, self._game, self._planned = setup, game, planned
        self._seated = [setup.contenders[each] for each in planned.lineup]
        self._failures: dict[int, BotFailure] = {}  # by seat: why a house bot took it

    async def play(self) -> MatchResult:
        """Seat all contenders, play, and read the record."""
        async with AsyncExitStack() as stack, asyncio.timeout(LONGEST_GAME):
            host = await stack.enter_async_context(connect(self._setup.url, name="Arena"))
            guests = [await self._invite(seat) for seat in range(len(self._seated))]
            table = await self._create(host, guests)
            async with asyncio.TaskGroup() as tasks:
                playing = [
                    tasks.create_task(self._play_seat(table, seat, guest)) for seat, guest in enumerate(guests) if guest
                ]
                await self._start(table)
                await table.until(lambda: table.is_over)
                for task in playing:
                    task.cancel()
            record = await fetch_record(self._setup.url, table.id)
        return self._build_result(record)

    # Seats

    async def _invite(self, seat: int) -> Guest | None:
        """Return the user of a contender; None if a house bot of the server plays its policy."""
        contender = self._seated[seat]
        return None if contender.kind == "policy" else await create_guest(self._setup.url, contender.name)

    async def _create(self, host: Client, guests: list[Guest | None]) -> Table:
        setup = self._setup
        table = await host.create(
            self._game.name,
            len(guests),
            options=setup.options,
            clock=Clock(move=max(1, ceil(setup.seconds)), overdue=setup.house),
            reserved=[guest.user if guest else None for guest in guests],
            seed=self._planned.game_seed,
        )
        for seat, contender in enumerate(self._seated):
            if contender.kind == "policy":
                await table.add_bot(contender.what, seat)
        return table

    async def _start(self, table: Table) -> None:
        """Start when all have sat down; house bots take the seats of those who do not come."""
        with suppress(TimeoutError):
            async with asyncio.timeout(SIT_WITHIN):
                await table.until(
                    lambda: all(sitting or seat in self._failures for seat, sitting in enumerate(table.info.seats))
                )
        for seat, sitting in enumerate(table.info.seats):
            if sitting is None:
                self._failures.setdefault(seat, BotFailure("crashed", "it did not sit down in time"))
                await table.reserve(seat, None)
                await table.add_bot(self._setup.house, seat)
        await table.start()

    async def _play_seat(self, table: Table, seat: int, guest: Guest) -> None:
        """Let a contender play its seat; when it fails, the arena leaves the seat to a house bot."""
        try:
            if self._seated[seat].kind == "wire":
                await self._run_command(table, seat, guest)
            else:
                await self._run_bot(table, seat, guest)
        except BotFailure as failure:
            self._failures[seat] = failure
            table.wake()
            await self._leave(table, guest)

    async def _run_bot(self, table: Table, seat: int, guest: Guest) -> None:
        async with connect(self._setup.url, guest) as client, self._open_bot(seat) as bot:
            try:
                await run_bot(client, table.id, bot)
            except (Disconnected, RequestRefused, BotFailure):
                raise
            except Exception as error:
                raise BotFailure("crashed", f"{type(error).__name__}: {error}") from error

    @asynccontextmanager
    async def _open_bot(self, seat: int) -> AsyncIterator[Bot]:
        contender = self._seated[seat]
        if contender.kind == "bot":
            yield load_bot(contender.what)()
            return
        bot = ProcessBot(contender.command, self._planned.derive(f"seat {seat}"), self._setup.seconds)
        try:
            yield bot
        finally:
            await asyncio.to_thread(bot.close)

    async def _run_command(self, table: Table, seat: int, guest: Guest) -> None:
        """Run a process that plays over the wire; if it ends before the game does, it has failed."""
        given = {"{url}": self._setup.url, "{token}": guest.token, "{table}": table.id}
        command = [fill(word, given) for word in self._seated[seat].command]
        process = await _open_process(command)
        try:
            await process.wait()
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if not table.is_over:
            raise BotFailure("crashed", f"the process ended with exit code {process.returncode}")

    async def _leave(self, table: Table, guest: Guest) -> None:
        """Give up the seat in the name of a contender that has failed, so that a house bot takes it at once."""
        await table.until(lambda: table.info.status != "open")
        with suppress(RequestRefused):  # it is over, or a house bot plays there already
            async with connect(self._setup.url, guest) as client:
                await (await client.join(table.id)).leave()

    # The result

    def _build_result(self, content: bytes) -> MatchResult:
        record = commit(decode_record(content), self._planned.seed)
        tallies = [SeatTally(contender) for contender in self._planned.lineup]
        for entry in record.entries:
            if entry.seat is not None and entry.did["do"] in PLAYED:
                self._note(entry.seat, entry.did["do"], tallies[entry.seat])
        final = _read_standings(record)
        return MatchResult(
            planned=self._planned,
            seats=rank_seats([tally.result for tally in tallies], final),
            record=encode_record(record) if self._setup.records else b"",
        )

    def _note(self, seat: int, did: str, tally: SeatTally) -> None:
        tally.note_move(0.0)  # the arena does not see how long a contender over the wire thinks
        if self._seated[seat].kind != "policy" and did != "act" and did != "lapse":
            tally.note_forfeit(self._failures.get(seat) or BotFailure("late", "it did not act in time"))


def fill(word: str, given: dict[str, str]) -> str:
    """Return a word of a command with the placeholders filled in."""
    for name, value in given.items():
        word = word.replace(name, value)
    return word


async def _open_process(command: list[str]) -> asyncio.subprocess.Process:
    nowhere = asyncio.subprocess.DEVNULL
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PALATINE_")}
    try:
        return await asyncio.create_subprocess_exec(
            *command, stdin=nowhere, stdout=nowhere, stderr=nowhere, env=environment, start_new_session=True
        )
    except OSError as error:
        raise BotFailure("crashed", f"{command[0]} cannot be started: {error.strerror}") from None


async def fetch_record(url: str, table: str) -> bytes:
    """Return the record file of a finished table."""
    address = build_url(url, HTTP_SCHEMES, f"/v1/tables/{table}/record")
    request = urllib.request.Request(address)  # noqa: S310 (our own server)
    return await asyncio.to_thread(send_request, request)


def commit(record: Record, seed: str) -> Record:
    """Return a record with the arena's part of the seed; the seed of the game that follows from it is the same."""
    header = record.header
    commitment = compute_commitment(seed)
    opening = {**header.opening, "commitment": commitment}
    committed = msgspec.structs.replace(
        header, seed=seed, commitment=commitment, opening=opening, entropy=[""] * len(opening["seats"])
    )
    return msgspec.structs.replace(record, header=committed, signature=None)


def _read_standings(record: Record) -> list[dict[str, Any]]:
    from ..records.verify import compute_info

    standings: list[dict[str, Any]] = compute_info(record, len(record.entries))["standings"]
    return standings
