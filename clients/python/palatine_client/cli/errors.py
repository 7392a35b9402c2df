"""What went wrong, in one line that says what to do next; never a traceback."""

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
OUR_FAULT = {"no_such_game", "wrong_number_of_players", "bad_option", "no_such_policy", "no_such_seat", "malformed"}


class Advice(Exception):  # noqa: N818 (it is for people)
    """A sentence for somebody at a command line, and the code to exit with."""

    def __init__(self, sentence: str, code: int = FAILURE) -> None:
        super().__init__(sentence)
        self.sentence, self.code = sentence, code


def run(work: Coroutine[Any, Any, None], server: str, lang: str) -> None:
    """Do the work of a command; whatever stops it ends in a sentence and an exit code."""
    try:
        asyncio.run(until_told_to_stop(work))
    except KeyboardInterrupt:
        raise typer.Exit(INTERRUPTED) from None
    except asyncio.CancelledError:
        raise typer.Exit(TERMINATED) from None
    except Exception as error:
        explain(single(error), server, lang)


def single(error: BaseException) -> BaseException:
    """What lies at the bottom of a group of errors."""
    return single(error.exceptions[0]) if isinstance(error, BaseExceptionGroup) else error


def explain(error: BaseException, server: str, lang: str) -> None:
    if isinstance(error, BrokenPipeError):  # whoever read what we wrote has gone, as `head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(FAILURE) from None
    give_up(advice_about(error, server, lang))


async def until_told_to_stop(work: Coroutine[Any, Any, None]) -> None:
    """Work, and clean up when the system or a closed window ends us."""
    task = asyncio.current_task()
    assert task
    for name in ("SIGTERM", "SIGHUP"):
        with suppress(AttributeError, NotImplementedError, RuntimeError):
            asyncio.get_running_loop().add_signal_handler(getattr(signal, name), task.cancel)
    await work


def give_up(advice: Advice) -> None:
    ScreenConsole(stderr=True).print(advice.sentence, style="red", markup=False, highlight=False, soft_wrap=True)
    raise typer.Exit(advice.code) from None


def advice_about(error: BaseException, server: str, lang: str) -> Advice:
    """What to do about an error; one that we cannot explain is ours and is raised again."""
    from ..exceptions import Disconnected, RequestRefused, Unexpected
    from ..menu import Mistake

    match error:
        case Advice():
            return error
        case Mistake():
            return Advice(label(lang, error.label, **error.values), USAGE)
        case RequestRefused():
            code = USAGE if error.code in OUR_FAULT else FAILURE
            return Advice(translate_refusal(lang, error.code, error.sentence), code)
        case Disconnected(code=0):
            return Advice(label(lang, "no server", server=server))
        case Disconnected():
            return Advice(translate_close_code(lang, error.code, error.sentence))
        case Unexpected():
            return Advice(label(lang, "not palatine", server=server))
        case OSError(filename=str(path)):
            return Advice(f"{path}: {error.strerror}")
        case ModuleNotFoundError(name="websockets"):
            return Advice(label(lang, "client missing", module="websockets"))
    raise error
