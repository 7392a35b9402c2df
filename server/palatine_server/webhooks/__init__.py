"""Webhooks: a user who is not connected, or his table, is told over HTTP that it is his turn, or that a game is over.

    a change at a table --> pending --grace--> nobody connected, still true --> claimed --> sent, perhaps again

Every node that has a table open notes whose turn it is. After a grace it looks whether the user has a webhook and no
connection anywhere, reads the table again, claims the turn in the store, and only then sends. So a turn is told at most
once, by whichever node was first; a node that dies between its claim and the answer has told it to nobody. Who is
connected is noted in the store by each node for its own users, again and again, and forgotten when it stops.
"""

from .delivery import Sender
from .dispatcher import Bell
from .events import hook_at
from .registrations import Hook, Hooks
from .url_policy import Places

__all__ = ["Bell", "Hook", "Hooks", "Places", "Sender", "hook_at"]
