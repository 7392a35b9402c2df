"""A terminal: output, and lines of input while the game goes on.

Each line carries the number of the question that was on the screen when it was finished. A line that was typed for an
older question answers nothing. In a pipe the next line is read only when a question is asked.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from itertools import chain
from types import TracebackType
from typing import Any, Self

from msgspec import Struct
from rich.console import Console, RenderableType

MOST_LINES = 256  # read ahead from a pipe; at the limit, the rest stays in the pipe
NOTHING = 0  # a number that no question has


class TypedLine(Struct, frozen=True):
    """A typed line and the question that it answers; without a text, the input has ended."""

    text: str | None
    question: int


class Terminal:
    """The base class of keyboards and pipes; used alone, it only prints."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.question = NOTHING
        self._lines: asyncio.Queue[TypedLine] = asyncio.Queue(MOST_LINES)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def is_typing(self) -> bool:
        """Whether the user has begun a line."""
        return False

    @property
    def is_attended(self) -> bool:
        """Whether a user can answer questions."""
        return False

    @property
    def draws_prompts(self) -> bool:
        """Whether a prompt is always visible and can be redrawn."""
        return False

    def say(self, *what: RenderableType) -> None:
        """Print renderables."""
        for each in what:
            self.console.print(each)

    def dictate(self, command: str) -> None:
        """Print a command without line breaks, so that it can be copied."""
        self.console.print(f"  {command}", style="green", markup=False, soft_wrap=True)

    def ask(self, prompt: str, question: int) -> None:
        """Let the next line answer this question."""
        self.question = question

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        """Show that the table waits for other players; the user may still type commands."""
        self.question = question

    def expire(self) -> None:
        """Ignore typed lines as answers until the next question."""
        self.question = NOTHING

    def remind(self, prompt: str) -> None:
        """Redraw the prompt, if the terminal can."""

    async def line(self) -> TypedLine:
        """Return the next line."""
        return await self._lines.get()

    async def answer(self, prompt: str) -> str | None:
        """Ask a question and return the answer; None if the input has ended."""
        self.ask(prompt, self.question + 1)
        line = await self.line()
        self.idle("")
        return line.text


# A pipe, or a keyboard that we cannot read key by key


class Pipe(Terminal):
    """Reads lines from standard input: with prompts at any time, otherwise only when a question is asked."""

    def __init__(self, console: Console, *, prompts: bool = False) -> None:
        super().__init__(console)
        self._prompts, self._asked, self._is_read = prompts, asyncio.Event(), False

    # With prompts, the first Ctrl-C ends the input and the second one interrupts. In a pipe, the first one interrupts.
    async def __aenter__(self) -> Self:
        with suppress(NotImplementedError):
            if self._prompts:
                asyncio.get_running_loop().add_signal_handler(signal.SIGINT, self._interrupt)
        return self

    def _interrupt(self) -> None:
        asyncio.get_running_loop().remove_signal_handler(signal.SIGINT)
        with suppress(asyncio.QueueFull):
            self._lines.put_nowait(TypedLine(None, NOTHING))

    @property
    def is_attended(self) -> bool:
        return self._prompts

    async def _take(self, text: str | None) -> None:
        await self._lines.put(TypedLine(text, NOTHING))

    def ask(self, prompt: str, question: int) -> None:
        super().ask(prompt, question)
        self._asked.set()
        if self._prompts:
            self.console.print(f"{prompt} > ", end="")

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        super().idle(prompt, question)
        self._asked.clear()

    async def line(self) -> TypedLine:
        if not self._prompts:
            await self._asked.wait()
        if not self._is_read:
            self._is_read = True
            read_lines(self._take)
        line = await super().line()
        self._asked.clear()
        return TypedLine(line.text, self.question)


def read_lines(put: Callable[[str | None], Coroutine[Any, Any, None]]) -> None:
    """Read standard input in a daemon thread, and pass on every line, then None."""
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def begin(line: str | None, taken: threading.Event) -> None:
        task = loop.create_task(put(line))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        task.add_done_callback(lambda _: taken.set())

    def run() -> None:
        with suppress(RuntimeError):  # the loop is closed
            for line in chain(lines_of(sys.stdin.fileno()), [None]):
                loop.call_soon_threadsafe(begin, line, taken := threading.Event())
                taken.wait()

    threading.Thread(target=run, daemon=True, name="standard input").start()


# This does not use sys.stdin: the thread would hold its lock while it waits, and the interpreter could not exit.
def lines_of(file: int) -> Iterator[str]:
    """Yield the lines of a file as they arrive."""
    rest = b""
    while chunk := os.read(file, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode(errors="replace") for line in lines)
    if rest:
        yield rest.decode(errors="replace")
