"""The refusals of a table: after a refusal, the table must not carry out a second copy of the same request."""

from __future__ import annotations

from ..games.kit import Refused
from ..store import RequestKey

MOST_REFUSED = 64  # requests of which a table remembers that it refused them


class Refusals:
    """The requests that a table refused last, with the reasons."""

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
