"""The Redis protocol on an open connection: commands that are sent together, and their replies.

It replaces redis-py once a connection is ready, for speed: every stored entry passes through it.
"""

from __future__ import annotations

import logging
from asyncio import BaseProtocol, Future
from collections.abc import Callable
from typing import Any, cast

from hiredis import HiredisError
from redis.exceptions import RedisError

from ..contract import Unavailable
from .topology import NOTHING, FastConnection, reader

LOG = logging.getLogger(__name__)


class Command:
    """A command, and what is done with its reply."""

    def __init__(self, key: str, command: bytes) -> None:
        self.key = key  # the key it is about; empty: none
        self.command = command

    def answer(self, reply: Any) -> None:
        """Take the reply; or Unavailable, if the fate of the command is unknown."""
        raise NotImplementedError


class Query(Command):
    """A command whose reply a caller awaits."""

    def __init__(self, key: str, command: bytes, waiting: Future[Any]) -> None:
        super().__init__(key, command)
        self._waiting = waiting

    def answer(self, reply: Any) -> None:
        if self._waiting.done():  # the caller was cancelled
            return
        if isinstance(reply, Unavailable):
            self._waiting.set_exception(reply)
        else:
            self._waiting.set_result(reply)


def answer(asks: list[Command], replies: list[Any]) -> None:
    """Give each command its reply; an exception of one does not affect the others."""
    for ask, reply in zip(asks, replies, strict=True):
        try:
            ask.answer(reply)
        except Exception:
            LOG.exception("a reply of Redis could not be handled; please report this")


def has_errors(replies: list[Any]) -> bool:
    """Return whether Redis has refused any command."""
    for reply in replies:  # noqa: SIM110 (quicker than a generator)
        if isinstance(reply, RedisError):
            return True
    return False


Replied = Callable[[list[Any] | Exception], None]


class RespProtocol:
    """One connection; the next commands are sent when all replies to the previous ones are there."""

    def __init__(self, connection: FastConnection) -> None:
        self._connection = connection
        self._unread = reader()
        self._replies: list[Any] = []
        self._number = 0  # of replies that are awaited
        self._then: Replied | None = None  # the callback for them
        self._is_over = False
        self._transport = connection.take_transport(cast("BaseProtocol", self))

    def send(self, words: bytes, number: int, then: Replied) -> None:
        """Send bytes; call `then` with `number` replies, or with the reason why there are none."""
        self._number, self._then = number, then
        self._transport.write(words)

    @property
    def is_in_step(self) -> bool:
        """Return whether the connection is open, and no unexpected reply has arrived."""
        return not self._is_over and not self._replies and not self._unread.has_data()

    def abort(self) -> None:
        """Close the connection; no callback is called any more."""
        self._is_over, self._then = True, None
        self._connection.abort()

    # What asyncio calls

    def data_received(self, data: bytes) -> None:
        try:
            self._read_replies(data)
        except HiredisError as error:  # this is not the Redis protocol
            self._is_over = True
            self._call_back(error)
            return
        if self._then is not None and len(self._replies) >= self._number:
            self._finish(self._replies)

    def _read_replies(self, data: bytes) -> None:
        unread, replies = self._unread, self._replies
        unread.feed(data)
        reply = unread.gets()
        while reply is not NOTHING:
            replies.append(reply)
            reply = unread.gets()

    def _finish(self, replies: list[Any]) -> None:
        if len(replies) > self._number:
            self._call_back(Unavailable("there are more replies than commands"))
        else:
            self._replies = []
            self._call_back(replies)

    def _call_back(self, replies: list[Any] | Exception) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(replies)

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over = True
        self._call_back(error or ConnectionError("the server has closed the connection"))

    def eof_received(self) -> bool:
        """Close our side too."""
        return False

    def pause_writing(self) -> None:
        """Do nothing: the number of waiting commands and their time are limited."""

    def resume_writing(self) -> None:
        """Do nothing: writing never pauses."""
