"""Describing: a view in words. They are the client's own words, so that everybody who asks hears the same."""

from __future__ import annotations

import logging
from typing import Any

from palatine_protocol.codec import JSON, for_client
from palatine_protocol.errors import Code
from palatine_protocol.messages import Snapshot

from ..games.kit import Game, refuse
from ..tables.queries.descriptions import Describer

log = logging.getLogger("palatine.web")
_received = for_client(JSON)


def describer(shelf: dict[str, Game]) -> Describer:
    """Who finds words for the games of this shelf."""

    def describe(snapshot: bytes, news: list[dict[str, Any]], lang: str) -> str:
        # Imported when it is needed: a server starts without drawings and texts.
        from palatine_client.render.text import describe_view

        seen = _received.decode(snapshot)  # nothing but what a client is sent
        assert isinstance(seen, Snapshot)
        try:
            return describe_view(seen.info.game, shelf[seen.info.game].catalog, seen, lang, news=news)
        except Exception:  # a table must not break because somebody is lost for words
            log.exception("no words", extra={"table": seen.table, "version": seen.version})
            raise refuse(Code.TRY_AGAIN) from None

    return describe
