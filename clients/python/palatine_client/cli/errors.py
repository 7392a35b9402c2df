"""Error handling of commands: each error becomes one line that says what to do next, and an exit code."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import typer

from ..render.translations import label, translate_close_code, translate_refusal
from ..screen_console import ScreenConsole

FAILURE, USAGE, INTERRUPTED, TERMINATED = 1, 2, 130, 143
USAGE_CODES = {"no_such_game", "wrong_number_of_players", "bad_option", "no_such_policy", "no_such_seat", "malformed"}


class CommandError(Exception):
    """An error with a sentence for the user and an exit code."""

    def __init__(self, sentence: str, code: int = FAILURE) -> None:
        super().__init__(sentence)
        self.sentence, self.code = sentence, code


def run(work: Coroutine[Any, Any, None], server: str, lang: str) -> None:
    """Run the coroutine of a command; turn every error into a sentence and an exit code."""
    try:
        asyncio.run(run_until_signal(work))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except asyncio.CancelledError:
        raise typer.Exit(TERMINATED) from None
    except Exception as error:
        handle_error(unwrap_group(error), server, lang)


def unwrap_group(error: BaseException) -> BaseException:
    """Return the first error in a group of errors."""
    return unwrap_group(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def handle_error(error: BaseException, server: str, lang: str) -> None:
    if isinstance(error, BrokenPipeError):  # the process that reads our output has ended, for example `head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(FAILURE) from None
    exit_with(build_error(error, server, lang))


async def run_until_signal(work: Coroutine[Any, Any, None]) -> None:
    """Run the coroutine, and cancel it on SIGTERM and SIGHUP, so that it cleans up."""
    task = asyncio.current_task()
    assert task
    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), task.cancel)
    await work


def exit_with(error: CommandError) -> None:
    ScreenConsole(stderr=True).print(error.sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(error.code) from None


def build_error(error: BaseException, server: str, lang: str) -> CommandError:
    """Return the sentence and exit code for an error; raise unknown errors again."""
    from ..exceptions import Disconnected, RequestRefused, UnexpectedReply
    from ..menu import InputError

    match error:
        case CommandError():
            return error
        case InputError():
            return CommandError(label(lang, error.label, **error.values), USAGE)
        case RequestRefused():
            code = USAGE if error.code in USAGE_CODES else FAILURE
            return CommandError(translate_refusal(lang, error.code, error.sentence), code)
        case Disconnected(code=0):
            return CommandError(label(lang, "no server", server=server))
        case Disconnected():
            return CommandError(translate_close_code(lang, error.code, error.sentence))
        case UnexpectedReply():
            return CommandError(label(lang, "not palatine", server=server))
        case OSError(filename=str(path)):
            return CommandError(f"{path}: {error.strerror}")
        case ModuleNotFoundError(name="websockets"):
            return CommandError(label(lang, "client missing", module="websockets"))
    raise error
