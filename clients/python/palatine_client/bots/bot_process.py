"""The parent's end of a bot process: it starts the process, asks it, and ends it. Nothing that it writes is trusted.

time     every exchange has a deadline; a bot that is late forfeits the move, and is ended when it is late too often
lines    a line has at most 64 KiB; a longer one, or too many lines that answer nothing, end the process
content  a line is decoded into one of two types; an answer to an earlier offer is skipped
buffers  the parent keeps one unfinished line and the last words on standard error, and nothing else
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from select import POLLIN, POLLOUT, poll
from time import monotonic
from typing import IO, Literal

from .line_protocol import (
    LONGEST_ANSWER,
    BadAnswer,
    BotAct,
    BotAsked,
    BotHello,
    BotOver,
    BotReady,
    BotStart,
    FromBot,
    read_answer,
    write_message,
)

START_WITHIN = 60.0  # seconds until the first answer; a bot may load a large model first
TELL_WITHIN = 5.0  # seconds in which a bot must read a message that wants no answer
MOST_LATE = 3  # moves in a row; then the process is ended
MOST_SKIPPED = 100  # lines that answer no open question, for each question
LONGEST_WORDS = 2_000  # bytes of standard error that are kept
LONGEST_QUOTE = 200  # characters of the last line of them, for the author
CHUNK = 16 * 1024  # bytes

FailureKind = Literal["late", "crashed", "nonsense"]


class BotFailure(Exception):  # noqa: N818 (an event that the table handles)
    """A bot did not decide: it was late, has crashed, or answered nonsense. The text is for its author."""

    def __init__(self, kind: FailureKind, why: str) -> None:
        super().__init__(why)
        self.kind: FailureKind = kind


class BotProcess:
    """One running bot. After a crash it stays ended; start another one."""

    def __init__(self, command: Sequence[str], hello: BotHello, start_within: float = START_WITHIN) -> None:
        self.is_running, self._buffer, self._words, self._late = False, b"", b"", 0
        self._ended = BotFailure("crashed", "the process has ended")  # the answer to all later questions
        self._process = _open(command)
        self.is_running = True
        files = self._process.stdin, self._process.stdout, self._process.stderr
        self._input, self._output, self._errors = map(_take, files)
        self._poll = poll()
        for file in (self._output, self._errors):
            self._poll.register(file, POLLIN)
        try:
            self._exchange(write_message(hello), BotReady, -1, start_within)
        except BotFailure as failure:
            self.end()
            raise BotFailure("crashed", f"it did not get ready: {failure}") from None

    @property
    def last_words(self) -> str:
        """The end of what the bot wrote on standard error."""
        return self._words.decode(errors="replace")

    def start(self, start: BotStart) -> None:
        """Tell the bot that a game begins."""
        self._late = 0
        self._tell(write_message(start))

    def ask(self, asked: BotAsked, seconds: float) -> BotAct:
        """Return the bot's answer; raise BotFailure if there is none in time."""
        try:
            answer = self._exchange(write_message(asked), BotAct, asked.offer.id, seconds)
        except BotFailure as failure:
            self._count_late(failure)
            raise
        self._late = 0
        assert isinstance(answer, BotAct)
        return answer

    def finish(self, over: BotOver) -> None:
        """Tell the bot the result of a game."""
        self._tell(write_message(over))

    def end(self) -> None:
        """End the process and everything that it started."""
        if self.is_running:
            self.is_running = False
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._read_words()
            for file in (self._process.stdin, self._process.stdout, self._process.stderr):
                assert file
                file.close()
            self._process.wait()

    # Exchanges

    def _count_late(self, failure: BotFailure) -> None:
        self._late = self._late + 1 if failure.kind == "late" else 0
        if self._late >= MOST_LATE:
            self._ended = BotFailure("late", "the process was late too often, and was ended")
            self.end()

    def _tell(self, content: bytes) -> None:
        try:
            self._send(content, monotonic() + TELL_WITHIN)
        except BotFailure:
            self.end()
            raise

    def _exchange(self, content: bytes, kind: type[FromBot], offer: int, seconds: float) -> FromBot:
        if not self.is_running:
            raise self._ended
        deadline = monotonic() + seconds
        try:
            self._send(content, deadline)
            for _ in range(MOST_SKIPPED):
                answer = read_answer(self._read_line(deadline))
                if not _is_outdated(answer, kind, offer):
                    return _check_answer(answer, kind, offer)
        except BadAnswer as why:
            raise BotFailure("nonsense", str(why)) from None
        self.end()
        raise BotFailure("nonsense", "it wrote too many lines that answer no question")

    def _send(self, content: bytes, deadline: float) -> None:
        if not self.is_running:
            raise self._ended
        rest = memoryview(content)
        self._poll.register(self._input, POLLOUT)
        try:
            while rest:
                if self._wait(deadline, self._input):
                    rest = rest[self._write(rest) :]
        finally:
            if self.is_running:
                self._poll.unregister(self._input)

    def _write(self, rest: memoryview) -> int:
        try:
            return os.write(self._input, rest)
        except BlockingIOError:
            return 0
        except OSError:
            raise self._note_crash() from None

    def _read_line(self, deadline: float) -> bytes:
        while b"\n" not in self._buffer:
            if len(self._buffer) > LONGEST_ANSWER:
                self.end()
                raise BotFailure("nonsense", f"it wrote a line of more than {LONGEST_ANSWER // 1024} KiB")
            if self._wait(deadline, self._output):
                self._read_output()
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _read_output(self) -> None:
        chunk = os.read(self._output, CHUNK)
        if not chunk:
            raise self._note_crash()
        self._buffer += chunk

    # Waiting

    def _wait(self, deadline: float, file: int) -> bool:
        """Wait until something happens; return whether it happened to this file. Standard error is read meanwhile."""
        left = deadline - monotonic()
        if left <= 0:
            raise BotFailure("late", "it did not answer in time")
        ready = {number for number, _ in self._poll.poll(1000 * left)}
        if self._errors in ready:
            self._read_words()
        return file in ready

    def _read_words(self) -> None:
        with suppress(BlockingIOError):
            chunk = os.read(self._errors, CHUNK)
            self._words = (self._words + chunk)[-LONGEST_WORDS:]
            if not chunk and self.is_running:
                self._poll.unregister(self._errors)  # it is closed, so it would be ready for ever

    def _note_crash(self) -> BotFailure:
        self.end()
        code, words = self._process.returncode, self.last_words.strip().splitlines()
        said = f": {words[-1][:LONGEST_QUOTE]}" if words else ""
        return BotFailure("crashed", f"the process ended{f' with exit code {code}' if code >= 0 else ''}{said}")


def _open(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """Start the process in a session of its own, without our environment variables, which may hold passwords."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PALATINE_")}
    pipe = subprocess.PIPE
    try:
        return subprocess.Popen(  # noqa: S603 (the user's own command)
            list(command), stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=True, bufsize=0
        )
    except OSError as error:
        raise BotFailure("crashed", f"{command[0]} cannot be started: {error.strerror}") from None


def _take(file: IO[bytes] | None) -> int:
    assert file
    os.set_blocking(file.fileno(), False)
    return file.fileno()


def _is_outdated(answer: FromBot, kind: type[FromBot], offer: int) -> bool:
    """Return whether a bot that was late answers an earlier question only now."""
    return isinstance(answer, BotReady if kind is BotAct else BotAct) or (
        isinstance(answer, BotAct) and answer.offer < offer
    )


def _check_answer(answer: FromBot, kind: type[FromBot], offer: int) -> FromBot:
    if isinstance(answer, BotAct) and answer.offer != offer:
        raise BadAnswer("it answers an offer that it does not have")
    return answer
