"""Runs a client once for each scenario, and collects the verdicts."""

from __future__ import annotations

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from typing import IO, NamedTuple

from .scripted_server import TABLE, TOKEN, ScriptedServer, Verdict

LINGER = 0.3  # seconds for a client to say more when the game is over
LONGEST_OUTPUT = 2_000  # characters of the client's last words in a report
PLACEHOLDERS = ("{url}", "{token}", "{table}", "{scenario}")


class ScenarioResult(NamedTuple):
    """The verdicts of one scenario, and the last words of the client."""

    scenario: type[ScriptedServer]
    verdicts: list[Verdict]
    output: str
    exit_code: int | None  # None: the kit ended the client


class CannotStart(Exception):  # noqa: N818 (a mistake in the command line)
    """The client cannot be started."""


async def run_scenarios(
    command: Sequence[str], scenarios: Sequence[type[ScriptedServer]]
) -> AsyncIterator[ScenarioResult]:
    """Run the client with each scenario, one after the other."""
    for scenario in scenarios:
        yield await run_scenario(command, scenario)


async def run_scenario(command: Sequence[str], scenario: type[ScriptedServer]) -> ScenarioResult:
    """Run the client with one scenario."""
    server = scenario()
    async with server.socket:
        with tempfile.TemporaryFile() as output:
            try:
                exit_code = await _run_client(fill_placeholders(command, server), server, output)
            finally:
                await server.stop()
            verdicts = list(server.judge())
            return ScenarioResult(scenario, verdicts, _read_end(output), exit_code)


def fill_placeholders(command: Sequence[str], server: ScriptedServer) -> list[str]:
    """Return the command with the address, the token, the table and the scenario in place of their names."""
    values = dict(zip(PLACEHOLDERS, (server.url, TOKEN, TABLE, server.name), strict=True))
    filled = []
    for word in command:
        for name, value in values.items():
            word = word.replace(name, value)
        filled.append(word)
    return filled


async def _run_client(command: list[str], server: ScriptedServer, output: IO[bytes]) -> int | None:
    try:
        process = await asyncio.create_subprocess_exec(
            *command, stdin=asyncio.subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
        )
    except OSError as error:
        raise CannotStart(f"{command[0]} cannot be started: {error.strerror}") from None
    try:
        ended = asyncio.create_task(process.wait())
        finished = asyncio.create_task(server.finished.wait())
        await asyncio.wait({ended, finished}, timeout=server.seconds, return_when=asyncio.FIRST_COMPLETED)
        if finished.done():
            await asyncio.wait({ended}, timeout=LINGER)
        finished.cancel()
        return process.returncode
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _read_end(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(max(0, size - LONGEST_OUTPUT))
    return output.read().decode(errors="replace")
