"""A terminal that reads single keys: it draws the typed line itself, and prints everything else above it."""

from __future__ import annotations

import asyncio
import codecs
import os
import signal
import sys
from importlib.util import find_spec
from types import TracebackType
from typing import Any, Self

from rich.console import Console, RenderableType

from ...screen_text import screen_text
from .terminal import NOTHING, Pipe, Terminal, TypedLine

ROOM_TO_TYPE = 24  # characters after a prompt
LONGEST_LINE = 400  # characters; a chat line may have 300
CLEAR_LINE = "\r\x1b[2K"
BACKSPACE, DELETE_WORD, DELETE_LINE, END, ENTER, ESCAPE = "\x7f\b", "\x17", "\x15", "\x04", "\r\n", "\x1b"


class Keyboard(Terminal):
    """A terminal that reads single keys."""

    def __init__(self, console: Console) -> None:
        super().__init__(console)
        self._prompt, self._typed = "", ""
        self._sequence = ""  # the escape sequence of a special key, as far as it has arrived
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="ignore")
        self._task: asyncio.Task[Any] | None = None
        self._was_interrupted = False

    async def __aenter__(self) -> Self:
        import termios

        self._file = sys.stdin.fileno()
        self._before = termios.tcgetattr(self._file)
        self._task = asyncio.current_task()
        self._enter_cbreak_mode()
        loop = asyncio.get_running_loop()
        loop.add_reader(self._file, self._read_keys)
        loop.add_signal_handler(signal.SIGINT, self._interrupt)
        loop.add_signal_handler(signal.SIGCONT, self._enter_cbreak_mode)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        import termios

        loop = asyncio.get_running_loop()
        loop.remove_reader(self._file)
        loop.remove_signal_handler(signal.SIGINT)
        loop.remove_signal_handler(signal.SIGCONT)
        self._clear_line()
        termios.tcsetattr(self._file, termios.TCSADRAIN, self._before)

    def _enter_cbreak_mode(self) -> None:
        """Switch the terminal to single keys; this runs again after SIGCONT, because the shell resets the mode."""
        import tty

        tty.setcbreak(self._file)
        self._draw()

    @property
    def is_attended(self) -> bool:
        return True

    @property
    def draws_prompts(self) -> bool:
        return True

    @property
    def is_typing(self) -> bool:
        return bool(self._typed)

    # Printing

    def say(self, *what: RenderableType) -> None:
        """Print above the line that is being typed."""
        self._clear_line()
        super().say(*what)
        self._draw()

    def dictate(self, command: str) -> None:
        self._clear_line()
        super().dictate(command)
        self._draw()

    def ask(self, prompt: str, question: int) -> None:
        """Show a prompt, and drop the text that the user typed for another question."""
        if question != self.question:
            self._typed = ""
        super().ask(prompt, question)
        self._prompt = clean_prompt(prompt)
        self._draw()

    def idle(self, prompt: str, question: int = NOTHING) -> None:
        """Show a prompt here too, because commands can be typed at any time."""
        self.ask(prompt, question)

    def remind(self, prompt: str) -> None:
        """Replace the prompt and keep the typed text."""
        if self._prompt not in ("", clean_prompt(prompt)):
            self._prompt = clean_prompt(prompt)
            self._draw()

    def _draw(self) -> None:
        if self._prompt:
            self._write(f"{CLEAR_LINE}\x1b[1m{self._short_prompt} ❯\x1b[0m {self._end_of_line}")

    # The line must not wrap, because only one row can be cleared.
    @property
    def _end_of_line(self) -> str:
        """The typed text, or the end of it that fits."""
        room = max(self.console.width - len(self._short_prompt) - 4, 2)
        return self._typed if len(self._typed) <= room else f"…{self._typed[1 - room :]}"

    @property
    def _short_prompt(self) -> str:
        most = max(self.console.width - min(ROOM_TO_TYPE, self.console.width // 3), 1)
        return self._prompt if len(self._prompt) <= most else f"{self._prompt[: most - 1]}…"

    def _clear_line(self) -> None:
        self._write(CLEAR_LINE)

    def _write(self, text: str) -> None:
        self.console.file.write(text)
        self.console.file.flush()

    # Typing

    def _read_keys(self) -> None:
        try:
            read = os.read(self._file, 1024)
        except OSError:  # the terminal is gone
            read = b""
        for key in self._decoder.decode(read):
            self._handle_key(key)
        if not read:
            asyncio.get_running_loop().remove_reader(self._file)
            self._end_input()

    def _handle_key(self, key: str) -> None:
        if self._sequence or key == ESCAPE:
            self._skip_escape_sequence(key)
        elif key in ENTER:
            self._finish_line()
        elif key == END and not self._typed:
            self._end_input()
        else:
            self._edit(key)

    # Arrow keys and the like send Escape, a bracket or O, parameters, and a letter.
    def _skip_escape_sequence(self, key: str) -> None:
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
        elif key.isprintable() and len(self._typed) < LONGEST_LINE:
            self._typed += key
        self._draw()

    def _finish_line(self) -> None:
        text, self._typed = self._typed, ""
        self._write("\r\n")
        self._put_line(TypedLine(text, self.question))

    def _end_input(self) -> None:
        self._put_line(TypedLine(None, NOTHING))

    # The first Ctrl-C ends the input, so that the screen quits in good order. The second one cancels the task.
    def _interrupt(self) -> None:
        if self._was_interrupted and self._task:
            self._task.cancel()
        self._was_interrupted = True
        self._end_input()

    # At the limit, the oldest line is dropped, because no player types that far ahead.
    def _put_line(self, line: TypedLine) -> None:
        if self._lines.full():
            self._lines.get_nowait()
        self._lines.put_nowait(line)


def clean_prompt(prompt: str) -> str:
    """Return a prompt without control characters, because it may contain names."""
    return screen_text(prompt)


def open_terminal(console: Console, *, plain: bool = False) -> Terminal:
    """Return a keyboard for a terminal, otherwise a pipe; screen readers cannot follow a line redrawn for each key."""
    if not (sys.stdin.isatty() and console.is_terminal):
        return Pipe(console)
    has_keys = find_spec("termios") is not None and not console.is_dumb_terminal and not plain
    return Keyboard(console) if has_keys else Pipe(console, prompts=True)
