"""The Python client: a session without I/O, a connection that reconnects, tables for bots, and the command line."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .bots import Bot, BotTurn, GameEnd, GameStart
    from .client import Client, Policy, choose_randomly, connect, run_bot
    from .connection import Connection
    from .exceptions import ActionRefused, Disconnected, RequestRefused, UnexpectedReply
    from .guest_tokens import Guest, create_guest
    from .offer import Offer
    from .replay import Replay
    from .session import NEW, Session
    from .table import Change, Table, Turn
    from .webhooks import Webhook, Webhooks, is_genuine

__all__ = [
    "NEW",
    "ActionRefused",
    "Bot",
    "BotTurn",
    "Change",
    "Client",
    "Connection",
    "Disconnected",
    "GameEnd",
    "GameStart",
    "Guest",
    "Offer",
    "Policy",
    "Replay",
    "RequestRefused",
    "Session",
    "Table",
    "Turn",
    "UnexpectedReply",
    "Webhook",
    "Webhooks",
    "choose_randomly",
    "connect",
    "create_guest",
    "is_genuine",
    "run_bot",
]

_MODULES = {
    ("Bot", "BotTurn", "GameEnd", "GameStart"): "bots",
    ("Client", "Policy", "choose_randomly", "connect", "run_bot"): "client",
    ("Connection",): "connection",
    ("ActionRefused", "Disconnected", "RequestRefused", "UnexpectedReply"): "exceptions",
    ("Guest", "create_guest"): "guest_tokens",
    ("Offer",): "offer",
    ("Replay",): "replay",
    ("NEW", "Session"): "session",
    ("Change", "Table", "Turn"): "table",
    ("Webhook", "Webhooks", "is_genuine"): "webhooks",
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used: the command line and the renderers need no websockets."""
    for names, module in _MODULES.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
