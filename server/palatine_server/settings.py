"""Settings: every limit and every path in one place, each with its default."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Settings(Struct, frozen=True, kw_only=True):
    """What an operator may set."""

    data: Path = Path("data")
    store: str = ""  # the URL of a Redis or Valkey; without one, tables are kept in a file of the data directory
    durability: str = "fsync"  # what an acknowledgement of a Redis promises: "fsync", or "replicas=1" and more
    host: str = "127.0.0.1"
    port: int = 8080
    origins: list[str] = []  # web origins that may connect; "*" allows all; programs without an origin always may
    allow_seeds: bool = False  # for tests: tables with a chosen seed

    # Connections
    largest_frame: int = 16 * 1024  # bytes a client may send at once
    hello_within: float = 5.0  # seconds
    heartbeat: int = 30  # seconds; a connection silent for twice as long is dead
    burst: int = 60  # messages at once
    rate: float = 30.0  # messages per second
    bad_frames: int = 5  # unreadable messages before the connection is closed
    outbox_messages: int = 256
    outbox_bytes: int = 256 * 1024
    write_stall: float = 5.0  # seconds a client may take to read what was sent
    most_connections: int = 18_000
    drain: float = 3.0  # seconds for replies to get out when the server stops
    reconnect_within: int = 3_000  # milliseconds over which clients are told to spread when they come back

    # Users and tables
    tables_per_user: int = 8  # running or open ones
    watched_per_connection: int = 32
    viewers_per_table: int = 1_000
    inbox: int = 256  # requests that may wait at one table
    tail: int = 256  # entries sent one by one to a client that comes back; more are sent as a snapshot
    snapshot_every: int = 32  # entries
    idle: float = 30.0  # seconds until a table that nobody watches is put away
    guest_days: int = 30
    guests_per_minute: int = 60  # new guests from one address
