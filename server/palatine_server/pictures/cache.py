"""The cache of drawn pictures, bounded in bytes. A key is a digest of everything that its picture shows."""

from __future__ import annotations

MOST_BYTES = 32 * 2**20  # above this, the least recently used picture is dropped


class PictureCache:
    """The pictures that were drawn or asked for last."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most_bytes, self._bytes = most_bytes, 0
        self._pictures: dict[str, bytes] = {}  # the most recently used picture is last

    def get(self, key: str) -> bytes | None:
        """Return a picture, and note that it was used."""
        picture = self._pictures.pop(key, None)
        if picture is not None:
            self._pictures[key] = picture
        return picture

    def put(self, key: str, picture: bytes) -> None:
        """Add a picture; drop those that were not used for the longest time."""
        self._bytes += len(picture) - len(self._pictures.pop(key, b""))
        self._pictures[key] = picture
        while self._bytes > self._most_bytes:
            self._bytes -= len(self._pictures.pop(next(iter(self._pictures))))
