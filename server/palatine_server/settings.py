"""Settings: every limit and every path in one place, each with its default and its variable in the environment."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Positive = Annotated[int, Meta(ge=1)]  # of nothing at all, nobody can say when there is more again
Burst = Annotated[int, Meta(ge=40)]  # with less, an expensive request could never be paid
PositiveFloat = Annotated[float, Meta(gt=0)]


class Settings(Struct, frozen=True, kw_only=True):
    """What an operator may set."""

    data: Path = Path("data")
    store: str = ""  # the URL of a Redis or Valkey; without one, tables are kept in a file of the data directory
    check_within: float = 120.0  # seconds to check that file after an unclean stop, before it is served; 0 does not
    durability: str = "fsync"  # what an acknowledgement of a Redis promises: "fsync", or "replicas=1" and more
    host: str = "127.0.0.1"
    port: int = 8080
    origins: list[str] = []  # web origins that may use the server, besides its own; "*" allows all
    public_url: str = ""  # where clients reach the server through a proxy, e.g. https://play.example
    workers: int = 1  # processes that serve this address together
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0  # for Prometheus; each further worker takes the next one; 0 is none
    log: Literal["auto", "json", "text"] = "auto"  # text for a terminal, JSON for machines
    allow_seeds: bool = False  # for tests: tables with a chosen seed
    games: list[str] = []  # games from elsewhere, each as package.module:GAME

    # Webhooks
    webhooks: Literal["https", "http", "off"] = "https"  # over what users may be told that it is their turn
    webhook_networks: list[str] = []  # private networks that webhooks may lead into, e.g. 10.1.2.0/24
    webhook_grace: float = 5.0  # seconds in which a user may come back before he is told
    webhooks_per_minute: Positive = 12  # of one user

    # Connections
    largest_frame: int = 16 * 1024  # bytes a client may send at once
    hello_within: float = 5.0  # seconds
    heartbeat: int = 30  # seconds; a connection silent for twice as long is dead
    burst: Burst = 1_000  # units of their budget that a user may spend at once; each request has its cost
    rate: PositiveFloat = 100.0  # units that come back per second
    budgets_per_address: int = 8  # users from one address may spend as much as so many; 0 is no limit
    bad_frames: int = 5  # unreadable messages before the connection is closed
    outbox_messages: int = 256
    outbox_bytes: int = 256 * 1024
    write_stall: float = 4.0  # seconds a client may take to read what was sent
    most_connections: int = 18_000
    connections_per_user: int = 8  # at once, on one node; 0 is no limit
    connections_per_address: int = 64  # at once, on one node; 0 is no limit, and this machine itself has none
    byte_budgets_per_user: int = 2  # all his connections may send as much as so many, on one node; 0 is no limit
    byte_budgets_per_address: int = 8  # the same from one address; 0 is no limit, and this machine itself has none
    joins_per_minute: Positive = 120  # connections of one user, and from one address
    trusted_proxies: list[str] = []  # addresses or networks whose X-Forwarded-For is believed, besides this machine
    drain_notice: float = 0.0  # seconds to go on when told to stop, no longer ready, so that a balancer notices
    drain: float = 3.0  # seconds for replies to get out when the server stops
    reconnect_within: int = 3_000  # milliseconds over which clients are told to spread when they come back
    reconnect_to: str = ""  # where they are sent then, e.g. wss://b.example; empty: to the same address again

    # House bots
    bot_workers: Positive = 1  # processes in which the bots of one server process think, all but random ones
    bot_moves_per_second: PositiveFloat = 100.0  # of all house bots of one server process together
    bot_moves_per_user: PositiveFloat = (
        5.0  # per second, of the bots at the tables of one host; 32 more after a quiet moment
    )
    bot_seconds: PositiveFloat = 5.0  # of processor time for one decision; then the bot moves at random
    bot_niceness: Annotated[int, Meta(ge=0, le=19)] = 19  # 0: as important as the server itself

    # Users and tables
    tables_per_user: int = 8  # running or open ones
    keep_days: float = 7.0  # for which a game that has begun is kept after its last entry; longer while a clock runs
    keep_waiting_hours: float = 24.0  # for which a table is kept before its game, after somebody was last there
    keep_empty_hours: float = 1.0  # the same if nobody sits there
    entries_per_table: Annotated[int, Meta(ge=100)] = 10_000  # of its log; a quarter more to play the game to its end
    watched_per_connection: int = 32
    viewers_per_table: int = 1_000
    inbox: int = 256  # requests that may wait at one table
    tail: int = 256  # entries sent one by one to a client that comes back; more are sent as a snapshot
    snapshot_every: int = 32  # entries
    idle: float = 30.0  # seconds until a table that nobody watches is put away
    open_tables: int = 5_000  # of more, those that nobody watches are put away within a second
    guest_days: int = 30
    guests_per_minute: Positive = 60  # new guests from one address


class BadSetting(ValueError):  # noqa: N818 (said to a person, who mistyped a value)
    """A variable of the environment that cannot be read as the setting it names."""


def name_variable(name: str) -> str:
    """The variable of the environment that sets this."""
    return f"PALATINE_{name.upper()}"


def read_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    """What these variables set: PALATINE_HEARTBEAT=60 the heartbeat, and so on; lists are separated by spaces."""
    given = {
        name: variables[name_variable(name)] for name in Settings.__struct_fields__ if name_variable(name) in variables
    }
    return {name: _read(name, text) for name, text in given.items()}


def _read(name: str, text: str) -> Any:
    kind = next(field.type for field in msgspec.structs.fields(Settings) if field.name == name)
    try:
        return msgspec.convert(text.split() if kind == list[str] else text, kind, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise BadSetting(f"{name_variable(name)}={text}: {error}") from None


def _path(kind: type, text: str) -> Any:
    return kind(text)
