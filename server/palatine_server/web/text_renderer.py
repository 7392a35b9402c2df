"""The text renderer: it describes a view in words. It uses the client's renderer, so that server and client agree."""

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


def create_describer(games: dict[str, Game]) -> Describer:
    """Return a function that describes a snapshot of any of these games as text."""

    def describe(snapshot: bytes, news: list[dict[str, Any]], lang: str) -> str:
        # Imported late, so that a server starts without the renderers.
        from palatine_client.render.text import describe_view

        seen = _received.decode(snapshot)  # exactly what a client receives
        assert isinstance(seen, Snapshot)
        seen.seat = seen.view  # the text describes what that seat sees
        try:
            game = games[seen.info.game]
            return describe_view(game.name, game.catalog, seen, lang, news=news, description=game.description)
        except Exception:  # a mistake in a renderer must not break the table
            log.exception("a view cannot be described; report it", extra={"table": seen.table, "version": seen.version})
            raise refuse(Code.TRY_AGAIN) from None

    return describe
