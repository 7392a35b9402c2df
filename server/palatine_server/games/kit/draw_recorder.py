"""The witness of an action: whoever enters is told of all drawings that are made meanwhile."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .chance import Drawing

# Who notes all drawings, if anybody.
DRAW_LOG: Final[ContextVar[list[Drawing] | None]] = ContextVar("draw_log", default=None)


class record_draws:  # noqa: N801 (a context manager, entered at every action: the one of contextlib takes longer)
    """Note all drawings that are made meanwhile."""

    _token: Token[list[Drawing] | None]

    def __enter__(self) -> list[Drawing]:
        drawings: list[Drawing] = []
        self._token = DRAW_LOG.set(drawings)
        return drawings

    def __exit__(self, *raised: object) -> None:
        DRAW_LOG.reset(self._token)
