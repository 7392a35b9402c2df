"""The data that earlier versions stored (tests/fixtures/stored), ready to be opened."""

from __future__ import annotations

import lzma
from pathlib import Path
from typing import Any

import msgspec
from fixtures.stored.generate import FOLDER, StoredTable
from redis import Redis

FOLDERS = sorted(folder for folder in FOLDER.iterdir() if (folder / "sqlite.json").exists())


def read_list(folder: Path, store: str) -> dict[str, StoredTable]:
    """Return the tables of a fixture, by name."""
    return msgspec.json.decode((folder / f"{store}.json").read_bytes(), type=dict[str, StoredTable])


def unpack_sqlite(folder: Path, data: Path) -> None:
    """Put the SQLite file of a fixture into a data directory."""
    data.mkdir(mode=0o700, exist_ok=True)
    (data / "palatine.db").write_bytes(lzma.decompress((folder / "palatine.db.xz").read_bytes()))


def load_redis(folder: Path, redis: Redis) -> None:
    """Write the keys of a fixture into an empty Redis or Valkey, without a time to live."""
    content = lzma.decompress((folder / "redis.msgpack.xz").read_bytes())
    for key, kind, value in msgspec.msgpack.decode(content, strict=False):
        _write(redis, key, kind, value)


def _write(redis: Redis, key: bytes, kind: str, value: Any) -> None:
    match kind:
        case "string":
            redis.set(key, value)
        case "hash":
            redis.hset(key, mapping=value)
        case "set":
            redis.sadd(key, *value)
        case "zset":
            redis.zadd(key, dict(value))
        case "stream":
            for id_, fields in value:
                redis.xadd(key, fields, id=id_)


def records(folder: Path) -> dict[str, bytes]:
    """Return the records of a fixture, by the names of their files."""
    return {path.name: lzma.decompress(path.read_bytes()) for path in sorted(folder.glob("*.palatine.xz"))}
