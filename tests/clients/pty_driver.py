"""Somebody at a real terminal: a command in a pseudo-terminal, what it shows, and keys pressed at the right moment."""

from __future__ import annotations

import asyncio
import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import sys
import termios
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

PALATINE = str(Path(sys.executable).with_name("palatine"))
PATIENCE = 20.0  # seconds after which a test that waits has failed; generous, for machines with other work
ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
WIPE = "\r\x1b[2K"
PROMPT = "❯ "
TIME_LEFT = re.compile(r" \(\d+:\d\d\)(?= ❯ $)")  # which runs in the prompt


def legible(line: str) -> str:
    """A line as it looks in the end."""
    return ANSI.sub("", line.rpartition(WIPE)[2]).replace("\r", "")


def environment(home: Path, **more: str) -> dict[str, str]:
    """A machine on which nobody has ever played."""
    usual = {"XDG_CONFIG_HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm-256color", "COLUMNS": "", "LINES": ""}
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "PYTHONPATH") if name in os.environ}
    return {**kept, **usual, "PYTHONWARNINGS": "error", "PYTHONFAULTHANDLER": "1", **more}


class Ended(Exception):  # noqa: N818 (it may be what a test waits for)
    """The command has ended."""


class Typist:
    """A terminal with somebody before it."""

    def __init__(self, process: asyncio.subprocess.Process, master: int) -> None:
        self.process, self._master = process, master
        self.colours = ""  # what was sent, as it was sent
        self._lines: list[str] = []  # that will not change any more
        self._line = ""  # in which the cursor stands
        self._read_up_to = 0  # characters
        self._typed_at = -1  # lines
        self._is_open, self._more = True, asyncio.Event()
        self._decoder = codecs.getincrementaldecoder("utf-8")()
        asyncio.get_running_loop().add_reader(master, self._look)

    def _look(self) -> None:
        try:
            read = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            read = b""
        if not read:
            self._is_open = False
            asyncio.get_running_loop().remove_reader(self._master)
        self._print(self._decoder.decode(read))

    def _print(self, seen: str) -> None:
        self.colours += seen
        *whole, self._line = (self._line + seen).split("\n")
        self._lines += map(legible, whole)
        self._more.set()

    @property
    def screen(self) -> str:
        """What can be read on the screen and above it, without colours and without lines that were wiped."""
        return "\n".join([*self._lines, legible(self._line)])

    async def sees(self, *words: str) -> str:
        """Wait until one of these can be read below what was read before; it and all above it count as read."""
        async with self._patiently(words):
            while not (found := [(self._unread.index(word), word) for word in words if word in self._unread]):
                await self._changes()
        at, word = min(found)
        self._read_up_to += at + len(word)
        return word

    async def has_seen(self, word: str) -> None:
        """Wait until this can be read anywhere."""
        async with self._patiently((word,)):
            while word not in self.screen:
                await self._changes()

    async def prompted(self, *prompts: str) -> str:
        """Wait until the cursor stands behind one of these prompts, below what was typed; a clock may run there."""
        async with self._patiently(prompts):
            while not (found := [prompt for prompt in prompts if self._asks(prompt)]):
                await self._changes()
        return found[0]

    def _asks(self, prompt: str) -> bool:
        line = TIME_LEFT.sub("", legible(self._line))
        return len(self._lines) > self._typed_at and line == f"{prompt} {PROMPT}"

    @property
    def _unread(self) -> str:
        return self.screen[self._read_up_to :]

    @asynccontextmanager
    async def _patiently(self, words: tuple[str, ...]) -> AsyncIterator[None]:
        try:
            async with asyncio.timeout(PATIENCE):
                yield
        except TimeoutError:
            raise AssertionError(f"{words} did not appear below\n{self.screen[-3000:]}") from None

    async def _changes(self) -> None:
        if not self._is_open:
            raise Ended(self.screen)
        self._more.clear()
        await self._more.wait()

    def type(self, *lines: str) -> None:
        """Type lines, each with Enter; what stands above the prompt by then counts as read."""
        self._typed_at, self._read_up_to = len(self._lines), self.screen.rfind("\n") + 1
        self.press("".join(f"{line}\n" for line in lines))

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    async def ends(self) -> int:
        """Wait until the command has ended; its exit code. One that does not end is asked where it hangs."""
        try:
            return await asyncio.wait_for(self.process.wait(), PATIENCE)
        except TimeoutError:
            self.process.send_signal(signal.SIGABRT)  # on which Python shows all its threads
            await self.process.wait()
            raise AssertionError(f"it did not end\n{self.screen[-5000:]}") from None

    def settings(self) -> list[object]:
        """How the terminal is set."""
        return termios.tcgetattr(self._master)


def mind_the_keyboard() -> None:
    """Let Ctrl-C be more than a character, also where the tests run in the background, where it is ignored."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@asynccontextmanager
async def typing(*words: str, home: Path, columns: int = 80, rows: int = 50, **more: str) -> AsyncIterator[Typist]:
    """Run `palatine` with these words at a terminal; whatever happens, it ends with the block."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, *words),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        cwd=home,
        env=environment(home, **more),
        start_new_session=True,
        preexec_fn=mind_the_keyboard,
    )
    os.close(slave)
    typist = Typist(process, master)
    try:
        yield typist
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        await process.wait()
        asyncio.get_running_loop().remove_reader(master)
        os.close(master)


async def piped(*words: str, home: Path, said: str | None = "", **more: str) -> tuple[int, str, str]:
    """Run `palatine` in a pipe: its exit code, what it wrote and what it complained of."""
    process = await asyncio.create_subprocess_exec(
        *(PALATINE, *words),
        stdin=asyncio.subprocess.DEVNULL if said is None else asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        cwd=home,
        env=environment(home, **more),
    )
    try:
        async with asyncio.timeout(60):
            out, err = await process.communicate(None if said is None else said.encode())
    finally:
        with suppress(ProcessLookupError):
            process.kill()
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()
