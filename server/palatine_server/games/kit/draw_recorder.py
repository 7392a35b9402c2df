"""The draw recorder: collects all drawings that are made during a block."""

from __future__ import annotations

from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from .chance import Drawing

# The list that collects drawings, if any.
DRAW_LOG: Final[ContextVar[list[Drawing] | None]] = ContextVar("draw_log", default=None)


class record_draws:  # noqa: N801 (a context manager, entered at every action: the one of contextlib takes longer)
    """Collect all drawings that are made during the block."""

    _token: Token[list[Drawing] | None]

    def __enter__(self) -> list[Drawing]:
        drawings: list[Drawing] = []
        self._token = DRAW_LOG.set(drawings)
        return drawings

    def __exit__(self, *raised: object) -> None:
        DRAW_LOG.reset(self._token)
