"""Checks a primary before it is used: its role, its durability settings, and our functions."""

from __future__ import annotations

import logging
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from redis.exceptions import ResponseError

from ..contract import CannotOpen, Unavailable
from .topology import FastConnection, ask_server, pairs

LOG = logging.getLogger(__name__)

# The functions are named after a hash of their code: they are loaded when missing and never replaced.
CODE = Path(__file__).with_name("functions.lua").read_text()
VERSION = sha256(CODE.encode()).hexdigest()[:12]
LIBRARY = f"palatine_{VERSION}"

# What a user of Redis must be permitted; without the last, it cannot be checked whether the server syncs its disk.
RIGHTS = (
    "+ping +role +select +wait +function|list +function|load +fcall +fcall_ro +cluster|info +cluster|slots "
    "+get +set +exists +time +pexpire +pexpireat +pttl +scan +hget +hmget +hset +hsetnx +hdel +hscan +xadd +xrange "
    "+zadd +zrem +zremrangebyscore +zrange +zscan "
    "+ssubscribe +sunsubscribe +spublish "
    "+config|get"
)


def rights(prefix: str = "palatine") -> list[str]:
    """Return the rules for ACL SETUSER, except the password."""
    return ["on", f"~{prefix}:*", f"&{prefix}:*", *RIGHTS.split()]


@cache
def function(name: str) -> str:
    """Return the name of one of our functions in Redis."""
    return f"palatine_{name}_{VERSION}"


class Durability(NamedTuple):
    """When a change counts as stored: when the primary has synced its disk, or when so many replicas know it."""

    replicas: int = 0  # 0: the disk
    within: float = 0.0  # seconds for them to confirm it

    @classmethod
    def read(cls, text: str, within: float) -> Durability:
        """Read `fsync`, `replicas=1`, `replicas=2`, …"""
        word, _, number = text.partition("=")
        if text == "fsync":
            return cls()
        if word == "replicas" and number.isdecimal() and int(number) > 0:
            return cls(int(number), within)
        raise CannotOpen(f"durability is 'fsync' or 'replicas=1' (or more), not {text!r}")


async def prepare(connection: FastConnection, durability: Durability) -> None:
    """Check that what is stored over this connection is durable, and load our functions."""
    if (await ask_server(connection, "ROLE"))[0] != b"master":
        raise Unavailable("the server is a replica now")
    await _check_configuration(connection, durability)
    await _load_functions(connection)


async def _check_configuration(connection: FastConnection, durability: Durability) -> None:
    names = ("appendonly", "appendfsync", "maxmemory", "maxmemory-policy")
    try:
        found = pairs(await ask_server(connection, "CONFIG", "GET", *names))
    except ResponseError as error:  # not permitted, or renamed by the operator
        LOG.warning("the settings of Redis cannot be checked; permit CONFIG GET to this user: %s", error)
        return
    if wrong := _find_missing_settings(found, durability):
        raise CannotOpen(f"this Redis can lose what it stored; its configuration must say: {', '.join(wrong)}")


def _find_missing_settings(found: dict[str, str], durability: Durability) -> list[str]:
    """Return the settings that a server needs and does not have."""
    wanted = {"appendonly": "yes"}  # also with replicas: a primary that starts again empty would empty them
    if not durability.replicas:
        wanted["appendfsync"] = "always"
    if found["maxmemory"] != "0":
        wanted["maxmemory-policy"] = "noeviction"
    return [f"{name} {value}" for name, value in wanted.items() if found[name] != value]


async def _load_functions(connection: FastConnection) -> None:
    try:
        if not await ask_server(connection, "FUNCTION", "LIST", "LIBRARYNAME", LIBRARY):
            await ask_server(connection, "FUNCTION", "LOAD", CODE.replace("VERSION", VERSION))
    except ResponseError as error:
        if "unknown command" in str(error):
            raise CannotOpen("Redis 7 or Valkey is needed; this server has no functions") from error
        if "already exists" not in str(error):  # otherwise another node loaded them meanwhile
            raise
