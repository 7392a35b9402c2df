"""Descriptions: texts that describe a view, computed once for each view and cached.

The key of a text is a hash of everything that the server sends its viewer: the encoded snapshot, the news and the
language. So two viewers share a text only if the server sends both the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from threading import Lock
from typing import Any, NamedTuple

from palatine_protocol.codec import JSON, for_server
from palatine_protocol.messages import Snapshot

from ..storage.persistence import encode

MOST_BYTES = 8 * 2**20  # of cached texts; beyond that, the least recently used one is dropped
Describer = Callable[[bytes, list[dict[str, Any]], str], str]  # a snapshot in JSON and its last news, in a language
_wire = for_server(JSON)


class DescribedView(NamedTuple):
    """The snapshot and the news that a viewer is sent, and the language for the description."""

    snapshot: bytes  # in JSON
    news: list[dict[str, Any]]
    lang: str

    def key(self) -> bytes:
        return hashlib.sha256(encode(self)).digest()


def encode_view(snapshot: Snapshot, news: list[dict[str, Any]], lang: str) -> DescribedView:
    """Return a view with its snapshot as bytes, which do not change while a worker thread reads them."""
    return DescribedView(_wire.encode(snapshot), news, lang)


class Descriptions:
    """Finds and caches the texts of views. Threads share it."""

    def __init__(self, describer: Describer, most_bytes: int = MOST_BYTES) -> None:
        self._describer, self._most_bytes = describer, most_bytes
        self._texts: dict[bytes, str] = {}  # the text used last comes last
        self._bytes = 0
        self._lock = Lock()

    def known(self, view: DescribedView) -> str | None:
        """Return the text for a view, if it is cached."""
        key = view.key()
        with self._lock:
            text = self._texts.pop(key, None)
            if text is not None:
                self._texts[key] = text
        return text

    def find(self, view: DescribedView) -> str:
        """Return the text for a view, and cache it; computing it takes some milliseconds."""
        known = self.known(view)
        if known is not None:
            return known
        text = self._describer(*view)
        with self._lock:
            self._remember(view.key(), text)
        return text

    def _remember(self, key: bytes, text: str) -> None:
        self._bytes += len(text) - len(self._texts.pop(key, ""))
        self._texts[key] = text
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._texts.pop(next(iter(self._texts))))
