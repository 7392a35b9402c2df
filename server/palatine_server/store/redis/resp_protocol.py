"""A protocol with Redis: what is sent together, and the replies to all of it.

It takes the place of redis-py on a connection that is ready, because everything that is stored goes through here.
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
    """A command, and somebody who wants to know what Redis replies."""

    def __init__(self, key: str, command: bytes) -> None:
        self.key = key  # what it is about; empty: no key
        self.command = command

    def answer(self, reply: Any) -> None:
        """This is the reply; or Unavailable, if nobody knows what became of the command."""
        raise NotImplementedError


class Query(Command):
    """Somebody waits for the reply."""

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
    """Tell each of them his reply; whoever breaks over it harms no other."""
    for ask, reply in zip(asks, replies, strict=True):
        try:
            ask.answer(reply)
        except Exception:
            LOG.exception("a reply of Redis broke whoever had asked")


def has_errors(replies: list[Any]) -> bool:
    """Whether Redis has refused anything."""
    for reply in replies:  # noqa: SIM110 (quicker than a generator)
        if isinstance(reply, RedisError):
            return True
    return False


Replied = Callable[[list[Any] | Exception], None]


class RespProtocol:
    """One connection; nothing is sent before all replies to what was sent before have come."""

    def __init__(self, connection: FastConnection) -> None:
        self._connection = connection
        self._unread = reader()
        self._replies: list[Any] = []
        self._number = 0  # of replies that are awaited
        self._then: Replied | None = None  # who awaits them
        self._is_over = False
        self._transport = connection.take_transport(cast("BaseProtocol", self))

    def send(self, words: bytes, number: int, then: Replied) -> None:
        """Say this, and call somebody with so many replies, or with the reason why there are none."""
        self._number, self._then = number, then
        self._transport.write(words)

    @property
    def is_in_step(self) -> bool:
        """The other one is there, and has said nothing that he was not asked."""
        return not self._is_over and not self._replies and not self._unread.has_data()

    def abort(self) -> None:
        """End it; nobody is called any more."""
        self._is_over, self._then = True, None
        self._connection.abort()

    # What asyncio calls; it wants no more of a protocol.

    def data_received(self, data: bytes) -> None:
        try:
            self._read_replies(data)
        except HiredisError as error:  # this is no reply at all
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
            self._call_back(Unavailable("there are more replies than questions"))
        else:
            self._replies = []
            self._call_back(replies)

    def _call_back(self, replies: list[Any] | Exception) -> None:
        then, self._then = self._then, None
        if then is not None:
            then(replies)

    def connection_lost(self, error: Exception | None) -> None:
        self._is_over = True
        self._call_back(error or ConnectionError("the server has hung up"))

    def eof_received(self) -> bool:
        """Nothing more will come, so nothing more is said."""
        return False

    def pause_writing(self) -> None:
        """It is bounded what can wait, and nobody waits longer than is patient."""

    def resume_writing(self) -> None:
        """Nobody has paused."""
