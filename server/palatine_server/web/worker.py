"""A worker: one of several processes that serve the same address. The supervisor starts and stops it.

The worker inherits the socket and reads its settings from standard input, where no other process sees the passwords. It
reports when it serves. It stops in good order when standard input closes, so it does not outlive the supervisor.
"""

from __future__ import annotations

import os
import socket
import sys
from contextlib import suppress
from threading import Thread
from typing import NoReturn

from palatine_client.screen_text import screen_text

from ..log_format import configure_logging
from ..settings import decode_settings
from .preflight import check_settings, explain_failures
from .server import Server, create_server

READY = b"ready\n"


def main() -> None:
    """Serve until a signal to stop, or until standard input closes."""
    listener = socket.socket(fileno=int(sys.argv[1]))
    if not (line := sys.stdin.buffer.readline()):
        return  # the supervisor is gone already
    settings = decode_settings(line)
    configure_logging(settings.log)
    with explain_failures(_give_up):
        check_settings(settings)
    served = create_server(settings, _report_ready)
    Thread(target=_stop_with_supervisor, args=[served], daemon=True).start()
    served.run(sockets=[listener])


def _give_up(sentence: str) -> NoReturn:
    sys.exit(screen_text(f"a worker cannot start: {sentence}"))


def _report_ready(url: str) -> None:
    with suppress(BrokenPipeError):
        os.write(sys.stdout.fileno(), READY)


def _stop_with_supervisor(served: Server) -> None:
    while os.read(sys.stdin.fileno(), 1):
        pass
    served.should_exit = True


if __name__ == "__main__":
    main()
