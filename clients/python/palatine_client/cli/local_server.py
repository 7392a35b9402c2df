"""A server of one's own, for as long as one plays.

It is a process of its own that lives no longer than we do: it ends when its standard input does, which the system
closes for us whatever kills us.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from ..render.translations import label
from .errors import CommandError

READY = "palatine serves "
READY_WITHIN, STOPPED_WITHIN = 30.0, 6.0  # seconds
ONE_USER = {"PALATINE_BOT_MOVES_PER_USER": "100"}  # nobody else would have to wait for their bots
MOST_SAID = 20  # lines of what a server says that does not start


@asynccontextmanager
async def local_server(data: Path, lang: str) -> AsyncIterator[str]:
    """Run a server on a free port with its tables in this directory; the address at which it serves."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", __name__, "serve", "--port", "0", "--data", str(data)),
        env={**ONE_USER, **os.environ, "FORCE_COLOR": "", "TTY_COMPATIBLE": "0"},  # it speaks to us, not to a person
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,  # Ctrl-C is for the player
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


async def wait_for_address(address_found: asyncio.Future[str], lang: str) -> str:
    """Where the server serves, unless it takes too long to say so."""
    try:
        async with asyncio.timeout(READY_WITHIN):
            return await address_found
    except TimeoutError:
        raise CommandError(label(lang, "server ended", said="")) from None


async def fail_when_ended(process: asyncio.subprocess.Process, lang: str) -> None:
    """A server that ends before we do ends the evening."""
    await process.wait()
    raise CommandError(label(lang, "server gone"))


async def read_output(process: asyncio.subprocess.Process, address_found: asyncio.Future[str], lang: str) -> None:
    """Hear what the server says: first where it serves, or else why it does not."""
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
    """Stop the server as an operator would, and if that takes too long, at once."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(STOPPED_WITHIN):
            await process.wait()
    except (TimeoutError, asyncio.CancelledError):
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()


# In the server's own process


def end_with_standard_input() -> None:
    """Stop as soon as whoever started us is gone."""
    with suppress(OSError):
        while os.read(0, 1):
            pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    from palatine_client.cli.main import main

    threading.Thread(target=end_with_standard_input, daemon=True).start()
    main()
