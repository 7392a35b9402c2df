"""A screen to print on and lines that somebody types, while the game goes on.

At a real terminal we read key by key and draw the line ourselves: what happens meanwhile is printed above it. Each line
remembers which question stood on the screen when it was finished; one that was typed for an older question answers
nothing. In a pipe there is no hurry: the next line is taken when something is asked.
"""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from importlib.util import find_spec
from itertools import chain
from types import TracebackType
from typing import Any, Self

from msgspec import Struct
from rich.console import Console, RenderableType

ROOM_TO_TYPE = 24  # characters behind a prompt
MOST_LINES = 256  # of a pipe that are read ahead; more wait in the pipe
NOTHING = 0  # the number of no question


class Line(Struct, frozen=True):
    """What was typed, and the question that it answers; no text means that there will be no more."""

    text: str | None
    question: int


class Terminal:
    """What a keyboard and a pipe have in common."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.question = NOTHING
        self._lines: asyncio.Queue[Line] = asyncio.Queue(MOST_LINES)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    @property
    def is_typing(self) -> bool:
        """Whether a line is begun and not finished."""
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

    async def line(self) -> Line:
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
    """Lines from standard input, taken when something is asked."""

    def __init__(self, console: Console, *, prompts: bool = False) -> None:
        super().__init__(console)
        self._prompts, self._asked, self._is_read = prompts, asyncio.Event(), False

    async def _take(self, text: str | None) -> None:
        await self._lines.put(Line(text, NOTHING))

    def ask(self, prompt: str, question: int) -> None:
        super().ask(prompt, question)
        self._asked.set()
        if self._prompts:
            self.console.print(f"{prompt} > ", end="")

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        super().idle(prompt, question)
        self._asked.clear()

    async def line(self) -> Line:
        await self._asked.wait()
        if not self._is_read:
            self._is_read = True
            read_lines(self._take)
        line = await super().line()
        self._asked.clear()
        return Line(line.text, self.question)


def read_lines(put: Callable[[str | None], Coroutine[Any, Any, None]]) -> None:
    """Read standard input in a thread that nobody has to wait for, and put every line somewhere, then None."""
    loop = asyncio.get_running_loop()

    def run() -> None:
        with suppress(RuntimeError, CancelledError):  # the loop is closed: nobody listens any more
            for line in chain(lines_of(sys.stdin.fileno()), [None]):
                asyncio.run_coroutine_threadsafe(put(line), loop).result()

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


# A keyboard

CLEAR_LINE = "\r\x1b[2K"
BACKSPACE, DELETE_WORD, DELETE_LINE, END, ENTER, ESCAPE = "\x7f\b", "\x17", "\x15", "\x04", "\r\n", "\x1b"


class Keyboard(Terminal):
    """A terminal that we read key by key."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._prompt, self._typed = "", ""
        self._sequence = ""  # the beginning of what a special key sends
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._task: asyncio.Task[Any] | None = None
        self._was_interrupted = False

    async def __aenter__(self) -> Self:
        import termios

        self._file = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._file)
        self._task = asyncio.current_task()
        self._begin()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._file, self._read)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGCONT, self._begin)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import termios

        loop = asyncio.get_running_loop()
        loop.remove_reader(self._file)
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGCONT)
        self._wipe()
        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def _begin(self) -> None:
        """Take the keys one by one; also after we were stopped for a while and the shell changed that."""
        import tty

        tty.setcbreak(self._file)
        self._draw()

    @property
    def is_typing(self) -> bool:
        return bool(self._typed)

    # Printing

    def say(self, *what: RenderableType) -> None:
        """Print something above the line that is being typed."""
        self._wipe()
        super().say(*what)
        self._draw()

    def dictate(self, command: str) -> None:
        self._wipe()
        super().dictate(command)
        self._draw()

    def ask(self, prompt: str, question: int) -> None:
        """Show a prompt; what was typed for another question is forgotten."""
        if question != self.question:
            self._typed = ""
        super().ask(prompt, question)
        self._prompt = "".join(filter(str.isprintable, prompt))  # there are names in it
        self._draw()

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        """A prompt is shown here too: commands can be typed at any time."""
        self.ask(prompt, question)

    def _draw(self) -> None:
        if self._prompt:
            self._write(f"{CLEAR_LINE}\x1b[1m{self._short_prompt} ❯\x1b[0m {self._typed}")

    # The line must fit into one, or it could not be wiped.
    @property
    def _short_prompt(self) -> str:
        most = max(self.console.width - ROOM_TO_TYPE, 1)
        return self._prompt if len(self._prompt) <= most else f"{self._prompt[: most - 1]}…"

    def _wipe(self) -> None:
        self._write(CLEAR_LINE)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()

    # Typing

    def _read(self) -> None:
        try:
            read = os.read(self._file, 1024)
        except OSError:  # the terminal is gone
            read = b""
        for key in self._decoder.decode(read):
            self._press(key)
        if not read:
            asyncio.get_running_loop().remove_reader(self._file)
            self._end()

    def _press(self, key: str) -> None:
        if self._sequence or key == ESCAPE:
            self._special(key)
        elif key in ENTER:
            self._finish()
        elif key == END and not self._typed:
            self._end()
        else:
            self._edit(key)

    # What arrows and the like send: Escape, a bracket or O, parameters, a letter.
    def _special(self, key: str) -> None:
        self._sequence += key
        is_whole = key.isalpha() or key == "~" if len(self._sequence) > 2 else self._sequence[1:] not in ("", "[", "O")
        self._sequence = "" if is_whole else self._sequence

    def _edit(self, key: str) -> None:
        if key in BACKSPACE:
            self._typed = self._typed[:-1]
        elif key == DELETE_LINE:
            self._typed = ""
        elif key == DELETE_WORD:
            self._typed = self._typed.rstrip().rpartition(" ")[0]
        elif key.isprintable() and len(self._typed) < self.console.width - len(self._short_prompt) - 4:
            self._typed += key
        self._draw()

    def _finish(self) -> None:
        text, self._typed = self._typed, ""
        self._write("\r\n")
        self._pass_on(Line(text, self.question))

    def _end(self) -> None:
        self._pass_on(Line(None, NOTHING))

    # Once is a wish, to be granted when we come to it. Twice is an order.
    def _interrupt(self) -> None:
        if self._was_interrupted and self._task:
            self._task.cancel()
        self._was_interrupted = True
        self._end()

    # Who types faster than we read for so long is not playing: the oldest line is forgotten.
    def _pass_on(self, line: Line) -> None:
        if self._lines.full():
            self._lines.get_nowait()
        self._lines.put_nowait(line)


def terminal(console: Console, *, plain: bool = False) -> Terminal:
    """A keyboard if somebody sits there, else a pipe; a line that is drawn anew with each key is not for the ear."""
    if not (sys.stdin.isatty() and console.is_terminal):
        return Pipe(console)
    has_keys = find_spec("termios") is not None and not console.is_dumb_terminal and not plain
    return Keyboard(console) if has_keys else Pipe(console, prompts=True)
