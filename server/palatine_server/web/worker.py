"""A worker: one of several processes that serve the same address. `palatine serve --workers` starts and stops it.

It is given the socket, and its settings on standard input, where passwords are seen by nobody. It says when it serves,
and stays while standard input is open: when whoever started it is killed, it stops in good order.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from threading import Thread
from typing import NoReturn

import msgspec

from palatine_client.screen_text import screen_text

from ..log_format import log_as
from ..settings import Settings
from .preflight import check, in_one_line
from .server import Server, server

READY = b"ready\n"


def words(settings: Settings) -> bytes:
    """Settings as a worker is told them."""
    return msgspec.json.encode(settings, enc_hook=str) + b"\n"


def main() -> None:
    """Serve until told to stop."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    if not (told := sys.stdin.buffer.readline()):
        return  # whoever started us is gone already
    settings = msgspec.json.decode(told, type=Settings, dec_hook=lambda kind, text: kind(text))
    log_as(settings.log)
    with in_one_line(_give_up):
        check(settings)
    served = server(settings, _say_ready)
    Thread(target=_stay_while_wanted, args=[served], daemon=True).start()
    served.run(sockets=[listener])


def _give_up(sentence: str) -> NoReturn:
    sys.exit(screen_text(f"a worker cannot start: {sentence}"))


def _say_ready(url: str) -> None:
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), READY)


def _stay_while_wanted(served: Server) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    served.should_exit = True


if __name__ == "__main__":
    main()
