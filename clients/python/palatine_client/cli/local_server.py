"""A local server that runs for as long as the user plays.

The server is a child process. It stops when its standard input closes. The operating system closes the input even if
the parent process is killed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ..render.translations import label
from .errors import CommandError

READY = "palatine serves "
READY_WITHIN, STOPPED_WITHIN = 30.0, 6.0  # seconds
ONE_USER = {"PALATINE_BOT_MOVES_PER_USER": "100"}  # a quick pace, because no other user waits for bots
MOST_SAID = 20  # lines of output in the error message when the server does not start


@asynccontextmanager
async def local_server(
    data: Path, games: list[str], lang: str, settings: Mapping[str, str] = ONE_USER
) -> AsyncIterator[str]:
    """Run a server on a free port with its data in this folder, and yield its address."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, "serve", "--port", "0", "--data", str(data), *list_game_arguments(games)),
        env={**settings, **os.environ, "FORCE_COLOR": "", "TTY_COMPATIBLE": "0"},  # we parse its output
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # so that Ctrl-C reaches only the client
    )
    address_found: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    listening = asyncio.create_task(read_output(process, address_found, lang))  # ends with the process
    try:
        address = await wait_for_address(address_found, lang)
        async with asyncio.TaskGroup() as tasks:
            guarding = tasks.create_task(fail_when_ended(process, lang))
            yield address
            guarding.cancel()
    finally:
        await stop_process(process)
        await listening


def list_game_arguments(games: list[str]) -> list[str]:
    """Return the arguments that name these games to a server."""
    return [word for game in games for word in ("--game", game)]


async def wait_for_address(address_found: asyncio.Future[str], lang: str) -> str:
    """Return the address of the server; raise a CommandError if it does not start in time."""
    try:
        async with asyncio.timeout(READY_WITHIN):
            return await address_found
    except TimeoutError:
        raise CommandError(label(lang, "server ended", said="")) from None


async def fail_when_ended(process: asyncio.subprocess.Process, lang: str) -> None:
    """Raise a CommandError when the server process ends."""
    await process.wait()
    raise CommandError(label(lang, "server gone"))


async def read_output(process: asyncio.subprocess.Process, address_found: asyncio.Future[str], lang: str) -> None:
    """Read the output of the server, which holds its address or the reason why it did not start."""
    assert process.stderr
    said: list[str] = []
    async for line in process.stderr:
        text = line.decode(errors="replace").strip()
        if text.startswith(READY) and not address_found.done():
            address_found.set_result(text.removeprefix(READY))
        said = [*said[-MOST_SAID:], text]
    if not address_found.done():
        key = "server missing" if any("No such command" in line for line in said) else "server ended"
        address_found.set_exception(CommandError(label(lang, key, said=" ".join(said))))


async def stop_process(process: asyncio.subprocess.Process) -> None:
    """Terminate the server, and kill it if it does not stop in time."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOPPED_WITHIN):
            await process.wait()
    except (TimeoutError, asyncio.CancelledError):
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


# These functions run in the server process.


def end_with_standard_input() -> None:
    """Terminate this process when its parent has ended."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    from palatine_client.cli.main import main

    threading.Thread(target=end_with_standard_input, daemon=True).start()
    main()
