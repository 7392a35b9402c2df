"""Answers to slow queries: a worker thread finds them, while the table and the event loop go on."""

from __future__ import annotations

import logging
from collections.abc import Callable

from anyio import to_thread
from anyio.abc import TaskGroup

from palatine_protocol.errors import Code
from palatine_protocol.messages import Reply

from ...games.kit import Refused, refuse
from ...metrics import Metrics
from ..requests import TableRequest
from .fair_turns import FairTurns

log = logging.getLogger("palatine.tables")


class Answers:
    """Finds answers one after the other; users take turns."""

    def __init__(self, tasks: TaskGroup, metrics: Metrics) -> None:
        self._tasks, self._metrics, self._turns = tasks, metrics, FairTurns()

    def answer_later(self, request: TableRequest, game: str, find: Callable[[], Reply]) -> None:
        """Answer a request with what `find` returns; it runs in a thread, and must use nothing the table may change."""
        request.is_deferred = True
        self._tasks.start_soon(self._answer, request, game, find)

    async def _answer(self, request: TableRequest, game: str, find: Callable[[], Reply]) -> None:
        try:
            async with self._turns.of(request.user):
                request.reply(await to_thread.run_sync(find))
        except Refused as why:
            request.refuse(why)
        except Exception:  # the table is not affected and goes on
            self._metrics.count_broken_table()
            log.exception("a question broke", extra={"table": request.message.table})
        finally:
            if request.answered is None:
                request.refuse(refuse(Code.TRY_AGAIN))
            self._metrics.count_request(game, request.message, request.answered)
