"""Webhooks: HTTP requests to the URL of an offline user or of their table, about a turn or the end of a game.

    a change at a table --> pending --grace--> user offline, still true --> claimed --> sent, retried on failure

Every node that has a table open records the players the table waits for. After the grace period, the node checks that
the user has a webhook and no connection to any node. It reads the table again, claims the event in the store,
and only then sends it. So an event is delivered at most once, by the first node that claims it. If that node dies
between the claim and the response, the event is lost. Each node writes its own online users to the store with a short
time to live, and renews them while they stay connected.
"""

from .delivery import WebhookSender
from .dispatcher import WebhookDispatcher
from .events import table_webhook_name
from .registrations import Registration, Registrations
from .url_policy import UrlPolicy

__all__ = ["Registration", "Registrations", "UrlPolicy", "WebhookDispatcher", "WebhookSender", "table_webhook_name"]
