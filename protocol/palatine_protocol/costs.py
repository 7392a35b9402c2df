"""The cost of each request, charged to the budgets of its user and its address; the README shows the same table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Final

from . import messages


class Cost(IntEnum):
    """Units of a budget. One unit is about 50 microseconds of the server's time."""

    FREE = 0  # only over HTTP: probes of operators, and routes with a separate limit
    CHEAP = 1  # answered from memory
    ENTRY = 2  # writes one entry of a log, or costs about as much
    EXPENSIVE = 40  # reads many tables or a whole log, runs rules on a copy, writes a text, or opens a table


REPLAYED_AT_COST: Final = 10  # entries of a replay that cost one unit more
BYTES_AT_COST: Final = 16 * 1024  # bytes of a record that cost one unit more
# Units more for a picture that is not cached. Another process draws it, so that players do not wait for it; the price
# keeps one user from having more than a few drawn at once.
DRAWING_COSTS: Final[Mapping[str, int]] = {"svg": 20, "png": 160}

COSTS: Final[Mapping[type[messages.Request], Cost]] = {
    messages.Hello: Cost.CHEAP,  # and each table in `resume` costs as much as its `watch`
    messages.Ping: Cost.CHEAP,
    messages.ListTables: Cost.EXPENSIVE,
    messages.Create: Cost.EXPENSIVE,
    messages.Sit: Cost.EXPENSIVE,  # reads all tables of the user
    messages.Leave: Cost.ENTRY,
    messages.AddBot: Cost.ENTRY,
    messages.RemoveBot: Cost.ENTRY,
    messages.Ready: Cost.ENTRY,
    messages.Contribute: Cost.ENTRY,
    messages.Invite: Cost.ENTRY,
    messages.Kick: Cost.ENTRY,
    messages.Reserve: Cost.ENTRY,
    messages.Change: Cost.EXPENSIVE,  # sets up a game to check the options
    messages.HandOver: Cost.ENTRY,
    messages.Start: Cost.ENTRY,
    messages.Act: Cost.ENTRY,
    messages.Undo: Cost.ENTRY,
    messages.Rollback: Cost.EXPENSIVE,
    messages.Agree: Cost.EXPENSIVE,
    messages.Pause: Cost.ENTRY,
    messages.Show: Cost.ENTRY,
    messages.Rematch: Cost.EXPENSIVE,
    messages.Say: Cost.ENTRY,
    messages.Mute: Cost.ENTRY,
    messages.Report: Cost.ENTRY,
    messages.Point: Cost.CHEAP,
    messages.Watch: Cost.EXPENSIVE,  # may send 256 updates or a snapshot; the entries of a replay cost more
    messages.Unwatch: Cost.CHEAP,
    messages.Preview: Cost.EXPENSIVE,
    messages.Explain: Cost.EXPENSIVE,
    messages.Describe: Cost.EXPENSIVE,
}

# By method and path, as the routes of the server name it. HEAD costs what GET does.
HTTP_COSTS: Final[Mapping[tuple[str, str], Cost]] = {
    ("GET", "/healthz"): Cost.FREE,
    ("GET", "/readyz"): Cost.FREE,
    ("GET", "/"): Cost.FREE,
    ("POST", "/v1/guests"): Cost.FREE,  # the number of new guests per minute is limited instead
    ("GET", "/v1/login"): Cost.CHEAP,
    ("POST", "/v1/login"): Cost.EXPENSIVE,  # and limited like the number of new guests
    ("POST", "/v1/users"): Cost.ENTRY,
    ("GET", "/v1/me"): Cost.EXPENSIVE,  # and as much again for each table
    ("GET", "/v1/me/games"): Cost.EXPENSIVE,
    ("POST", "/v1/me/codes"): Cost.EXPENSIVE,
    ("POST", "/v1/erasures"): Cost.EXPENSIVE,
    ("GET", "/v1/ws"): Cost.CHEAP,  # without an upgrade
    ("GET", "/v1/keys"): Cost.CHEAP,
    ("GET", "/v1/games"): Cost.CHEAP,
    ("GET", "/v1/games/{name}"): Cost.CHEAP,
    ("GET", "/v1/tables"): Cost.EXPENSIVE,
    ("GET", "/v1/tables/{table}/record"): Cost.EXPENSIVE,  # and more by its size
    ("GET", "/v1/tables/{table}/board.svg"): Cost.EXPENSIVE,  # and more if it must be drawn
    ("GET", "/v1/tables/{table}/board.png"): Cost.EXPENSIVE,  # and more if it must be drawn
    ("GET", "/v1/webhook"): Cost.EXPENSIVE,
    ("PUT", "/v1/webhook"): Cost.EXPENSIVE,
    ("DELETE", "/v1/webhook"): Cost.EXPENSIVE,
    ("GET", "/v1/tables/{table}/webhook"): Cost.EXPENSIVE,
    ("PUT", "/v1/tables/{table}/webhook"): Cost.EXPENSIVE,
    ("DELETE", "/v1/tables/{table}/webhook"): Cost.EXPENSIVE,
    ("POST", "/v1/revocations"): Cost.ENTRY,
    ("POST", "/v1/records"): Cost.EXPENSIVE,
    ("GET", "/v1/overview"): Cost.EXPENSIVE,
    ("GET", "/t/{table}"): Cost.EXPENSIVE,  # asks the table what everybody may see
    ("GET", "/replay/{table}"): Cost.CHEAP,
    ("GET", "/assets/{file}"): Cost.CHEAP,
    ("GET", "/{page}"): Cost.CHEAP,
    ("GET", "/docs"): Cost.CHEAP,
    ("GET", "/docs/{file}"): Cost.CHEAP,
    ("GET", "/examples"): Cost.CHEAP,
    ("GET", "/examples/{file}"): Cost.CHEAP,
    ("POST", "/discord/interactions"): Cost.CHEAP,  # all people of Discord come from its few addresses
    ("DELETE", "/v1/me"): Cost.EXPENSIVE,
}
