"""Requests to a table, their replies, and the refusals that the table remembers."""

from __future__ import annotations

import hashlib
from asyncio import Event
from collections.abc import Callable

from palatine_protocol import messages
from palatine_protocol.messages import AtTable, Reply

from ..games.kit import Refused
from ..store import RequestKey
from .model import TableSnapshot
from .state import Requester
from .storage.persistence import encode
from .viewers.updates import Viewer

MOST_REFUSED = 64  # requests of which a table remembers that it refused them


class TableRequest:
    """A message to a table, with its sender and the callback for its one reply."""

    __slots__ = (
        "answer",
        "answered",
        "attempts",
        "earlier",
        "finished",
        "has_earlier",
        "is_admin",
        "is_deferred",
        "is_resumption",
        "message",
        "name",
        "user",
        "viewer",
    )

    def __init__(
        self,
        user: str,
        name: str,
        message: AtTable,
        answer: Callable[[Reply], None],
        viewer: Viewer | None = None,
        is_admin: bool = False,
        is_resumption: bool = False,
    ) -> None:
        self.user, self.name, self.message, self.answer = user, name, message, answer
        self.viewer, self.is_admin = viewer, is_admin
        self.is_resumption = is_resumption  # of a table that the viewer watched before the connection broke
        self.answered: Reply | None = None
        self.attempts = 0  # that failed because the store did not answer
        self.earlier: TableSnapshot | None = None  # the snapshot that the request needs, if the table has looked for it
        self.has_earlier = False
        self.is_deferred = False  # the answer comes from a worker, and the table goes on
        self.finished: Event | None = None  # for a caller that waits for the reply

    def requester(self) -> Requester:
        return Requester(self.user, self.name, self.is_admin)

    def reply(self, reply: Reply) -> None:
        self.answer(reply)
        self.answered = reply
        if self.finished is not None:
            self.finished.set()

    def refuse(self, why: Refused) -> None:
        self.reply(build_refusal(self.message.id, why))


class Refusals:
    """The requests that a table refused last, with the reasons: it must not carry out a second copy of one of them."""

    __slots__ = "_refused"

    def __init__(self) -> None:
        self._refused: dict[RequestKey, Refused] = {}

    def __contains__(self, key: RequestKey) -> bool:
        return bool(self._refused) and key in self._refused

    def remember(self, key: RequestKey, why: Refused) -> None:
        """Remember a refusal, unless the client should try again later."""
        if why.retry_after_ms is not None:
            return
        self._refused[key] = Refused(why.code, why.sentence, why.rule, path=why.path)
        if len(self._refused) > MOST_REFUSED:
            del self._refused[next(iter(self._refused))]

    def reason(self, key: RequestKey) -> Refused:
        return self._refused[key].with_traceback(None)

    def clear(self) -> None:
        """Forget all refusals: they rest on a history that the store has lost."""
        self._refused.clear()


def build_request_key(user: str, request: messages.Request) -> RequestKey:
    """Build the key by which the store recognises a request, and distinguishes it from another one with the same id."""
    return RequestKey(user, request.id, hashlib.sha256(encode(request)).digest()[:16])


def build_refusal(request_id: str, why: Refused) -> messages.Refused:
    """Build the message that refuses a request."""
    return messages.Refused(
        re=request_id,
        code=why.code,
        sentence=why.sentence,
        rule=why.rule,
        path=why.path,
        retry_after_ms=why.retry_after_ms,
    )
