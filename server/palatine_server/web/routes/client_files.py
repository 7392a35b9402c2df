"""The files of the web client, read and compressed once. `make` builds them; without a build there are none."""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "client"  # vite builds into it; the wheel contains it
INDEX = "index.html"
TYPES = {".webmanifest": "application/manifest+json", ".js": "text/javascript", ".svg": "image/svg+xml"}
COMPRESSED = ("text/", "image/svg", "application/")


@dataclass(frozen=True)
class ClientFile:
    """One file, ready to be sent."""

    content: bytes
    compressed: bytes  # empty if that saves nothing
    media_type: str
    tag: str


@cache
def load_files(folder: Path = FOLDER) -> Mapping[str, ClientFile]:
    """Return the files of a build by their paths. This takes some milliseconds: call it in a thread."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): load_file(path) for path in paths}


def load_file(path: Path) -> ClientFile:
    content = path.read_bytes()
    media_type = TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    compressed = gzip.compress(content, mtime=0) if media_type.startswith(COMPRESSED) else b""
    tag = f'"{hashlib.sha256(content).hexdigest()[:24]}"'
    return ClientFile(content, compressed if len(compressed) < len(content) else b"", media_type, tag)
