"""Settings: every limit and every path, each with its default and its environment variable."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

Positive = Annotated[int, Meta(ge=1)]  # with 0, the server could not compute a retry time
Burst = Annotated[int, Meta(ge=40)]  # the cost of the most expensive request
PositiveFloat = Annotated[float, Meta(gt=0)]
OF_RELOAD = "develop_token"  # no environment may set it, so that no server has the developer page by accident


class Settings(Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    data: Path = Path("data")
    store: str = ""  # the URL of a Redis or Valkey; without one, tables are kept in a file of the data directory
    check_within: float = 120.0  # seconds for the check of that file after an unclean stop; 0 skips the check
    durability: str = "fsync"  # what Redis confirms before the server acknowledges an action: "fsync", "replicas=1" …
    host: str = "127.0.0.1"
    port: int = 8080
    origins: list[str] = []  # web origins that may use the server, besides its own; "*" allows all
    public_url: str = ""  # the address that clients use if the server is behind a proxy, e.g. https://play.example
    workers: int = 1  # processes that serve this address together
    metrics_host: str = "127.0.0.1"
    metrics_port: int = 0  # for Prometheus; each further worker takes the next port; 0 serves no metrics
    log: Literal["auto", "json", "text"] = "auto"  # text for a terminal, JSON for machines
    nasty: int | None = None  # for tests of clients: the seed of gateway/nastiness.py; None: the server is not nasty
    allow_seeds: bool = False  # for tests: tables with a chosen seed
    games: list[str] = []  # games of the operator, each as package.module:GAME
    develop_token: str = ""  # for authors of games, on loopback: who has it may open the developer page; "" for no page

    # Users of other services
    issuer: str = ""  # the OpenID Connect issuer at which people log in, e.g. https://login.example; "" for none
    audience: str = ""  # the client id for which that issuer makes the tokens
    issuer_keys: str = ""  # the URL of the issuer's JWKS, or a file; without one, its discovery document names it

    # A Discord app as a route of the server
    discord_public_key: str = ""  # of the app, 64 hexadecimal digits; "" for none
    discord_token: str = ""  # of the app's bot
    discord_api: str = "https://discord.com/api/v10"  # another address for tests

    # Webhooks
    webhooks: Literal["https", "http", "off"] = "https"  # the URL schemes that webhooks may use
    webhook_networks: list[str] = []  # private networks that webhooks may reach, e.g. 10.1.2.0/24
    webhook_grace: float = 5.0  # seconds for which a webhook waits for the user to reconnect
    webhooks_per_minute: Positive = 12  # deliveries to the webhook of one user or table

    # Connections
    largest_frame: int = 16 * 1024  # bytes a client may send at once
    hello_within: float = 5.0  # seconds
    heartbeat: int = 30  # seconds; a connection without any frame for twice as long is closed; pings come more often
    burst: Burst = 1_000  # units that a user may spend at once; each request has a cost in units
    rate: PositiveFloat = 100.0  # units that a budget regains per second
    budgets_per_address: int = 8  # budgets that all users of one address share; 0 disables the limit
    bad_frames: int = 5  # unreadable messages before the connection is closed
    outbox_messages: int = 256
    outbox_bytes: int = 256 * 1024
    write_stall: float = 4.0  # seconds a client may take to read what was sent
    most_connections: int = 18_000
    connections_per_user: int = 8  # at once, on one node; 0 disables the limit
    connections_per_address: int = 64  # at once, on one node; 0 disables the limit; loopback has none
    byte_budgets_per_user: int = 2  # budgets that all connections of a user share on one node; 0 disables the limit
    byte_budgets_per_address: int = 8  # the same for one address; 0 disables the limit; loopback has none
    joins_per_minute: Positive = 120  # new connections of one user, and from one address
    trusted_proxies: list[str] = []  # addresses or networks whose X-Forwarded-For is trusted, besides loopback
    drain_notice: float = 0.0  # seconds for which a stopping server still serves, so that a load balancer notices
    drain: float = 3.0  # seconds for a stopping server to send its replies
    reconnect_within: int = 3_000  # milliseconds over which reconnecting clients are spread
    reconnect_to: str = ""  # the server that they reconnect to, e.g. wss://b.example; empty means the same server

    # Bots that the server runs
    bot_workers: Positive = 1  # processes in which the bots of one server process decide, except random ones
    bot_moves_per_second: PositiveFloat = 100.0  # moves of all bots of one server process together
    bot_moves_per_user: PositiveFloat = 5.0  # per second, for the bots at the tables of one host, with a burst of 32
    bot_seconds: PositiveFloat = 5.0  # seconds of processor time for one decision; after that, the bot moves at random
    bot_niceness: Annotated[int, Meta(ge=0, le=19)] = 19  # 0 means the same priority as the server

    # Pictures of tables
    picture_workers: Annotated[int, Meta(ge=0, le=64)] = 1  # processes in which one server process draws; 0: none

    # Users and tables
    tables_per_user: int = 8  # running or open tables
    keep_days: float = 7.0  # days for which a started game is kept after its last entry; longer while a clock runs
    keep_waiting_hours: float = 24.0  # hours for which a table without a game is kept after its last player was online
    keep_empty_hours: float = 1.0  # the same for a table without players
    keep_records_days: float = 365.0  # days for which the signed record of a finished game is kept; 0 keeps none
    entries_per_table: Annotated[int, Meta(ge=100)] = 10_000  # of its log; a quarter more to finish a game
    watched_per_connection: int = 32
    viewers_per_table: int = 1_000
    inbox: int = 256  # requests that may wait at one table
    tail: int = 128  # entries that a reconnecting client may miss before it gets a snapshot instead; see `catch_up`
    snapshot_every: int = 32  # entries
    idle: float = 30.0  # seconds until an unwatched table is closed on this node
    open_tables: int = 5_000  # open tables; above this number, unwatched tables are closed on this node within a second
    guest_days: int = 30  # days for which the token of a guest, or of a user of another service, is valid
    guests_per_minute: Positive = 60  # new guests from one address

    @property
    def catch_up(self) -> int:
        """The most missed entries that the server sends as updates: they leave half of the outbox to new ones."""
        return min(self.tail, self.outbox_messages // 2)


def encode_settings(settings: Settings) -> bytes:
    """Encode the settings as one line for the standard input of another process."""
    return msgspec.json.encode(settings, enc_hook=str) + b"\n"


def decode_settings(line: bytes) -> Settings:
    """Return the settings from such a line."""
    return msgspec.json.decode(line, type=Settings, dec_hook=lambda kind, text: kind(text))


class BadSetting(ValueError):  # noqa: N818 (a mistake of the operator)
    """An environment variable that cannot be read as the setting it names."""


def name_variable(name: str) -> str:
    """Return the environment variable of a setting."""
    return f"PALATINE_{name.upper()}"


def read_environment(variables: Mapping[str, str]) -> dict[str, Any]:
    """Return the settings in these variables, e.g. PALATINE_HEARTBEAT=60; lists are separated by spaces."""
    given = {
        name: variables[name_variable(name)] for name in Settings.__struct_fields__ if name_variable(name) in variables
    }
    if given.get(OF_RELOAD):
        raise BadSetting(f"{name_variable(OF_RELOAD)} cannot be set; `palatine serve --reload` makes a new token")
    return {name: _read(name, text) for name, text in given.items()}


def _read(name: str, text: str) -> Any:
    kind = next(field.type for field in msgspec.structs.fields(Settings) if field.name == name)
    try:
        return msgspec.convert(text.split() if kind == list[str] else text, kind, strict=False, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise BadSetting(f"{name_variable(name)}={text}: {error}") from None


def _path(kind: type, text: str) -> Any:
    return kind(text)
