"""A screen to print on and lines that somebody types, while the game goes on.

Each line remembers which question stood on the screen when it was finished; one that was typed for an older question
answers nothing. In a pipe there is no hurry: the next line is taken when something is asked.
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

MOST_LINES = 256  # of a pipe that are read ahead; more wait in the pipe
NOTHING = 0  # the number of no question


class TypedLine(Struct, frozen=True):
    """What was typed, and the question that it answers; no text means that there will be no more."""

    text: str | None
    question: int


class Terminal:
    """What a keyboard and a pipe have in common."""

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
        """Whether a line is begun and not finished."""
        return False

    @property
    def is_attended(self) -> bool:
        """Whether somebody sits there who can be asked."""
        return False

    @property
    def draws_prompts(self) -> bool:
        """Whether a prompt can be seen all the time, and changes."""
        return False

    def say(self, *what: RenderableType) -> None:
        """Print something."""
        for each in what:
            self.console.print(each)

    def dictate(self, command: str) -> None:
        """Print a command in one line, however long, so that it can be copied."""
        self.console.print(f"  {command}", style="green", markup=False, soft_wrap=True)

    def ask(self, prompt: str, question: int) -> None:
        """Let the next line answer this question."""
        self.question = question

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        """Wait for others; whoever likes may type something all the same."""
        self.question = question

    def expire(self) -> None:
        """Let what is typed from now on answer nothing, until something is asked again."""
        self.question = NOTHING

    def remind(self, prompt: str) -> None:
        """Let the prompt say how things stand now, where it can be drawn anew."""

    async def line(self) -> TypedLine:
        """The next line."""
        return await self._lines.get()

    async def answer(self, prompt: str) -> str | None:
        """Ask something and wait for the answer; none if there will be no more."""
        self.ask(prompt, self.question + 1)
        line = await self.line()
        self.idle("")
        return line.text


# A pipe, or a keyboard that we cannot read key by key


class Pipe(Terminal):
    """Lines from standard input, taken when something is asked; from somebody who is shown prompts, at any time."""

    def __init__(self, console: Console, *, prompts: bool = False) -> None:
        super().__init__(console)
        self._prompts, self._asked, self._is_read = prompts, asyncio.Event(), False

    # Ctrl-C once is a wish to go, twice an order; a pipe has no fingers.
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
    """Read standard input in a thread that nobody has to wait for, and put every line somewhere, then None."""
    loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()

    def begin(line: str | None, taken: threading.Event) -> None:
        task = loop.create_task(put(line))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        task.add_done_callback(lambda _: taken.set())

    def run() -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody listens any more
            for line in chain(lines_of(sys.stdin.fileno()), [None]):
                loop.call_soon_threadsafe(begin, line, taken := threading.Event())
                taken.wait()

    threading.Thread(target=run, daemon=True, name="standard input").start()


# Not through sys.stdin: its lock would be held while we wait, and the interpreter could not end.
def lines_of(file: int) -> Iterator[str]:
    """The lines of a file, as they come."""
    rest = b""
    while chunk := os.read(file, 65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode(errors="replace") for line in lines)
    if rest:
        yield rest.decode(errors="replace")
